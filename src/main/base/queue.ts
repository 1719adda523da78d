/** Runs a task when all before it have ended. */
export type Queue = <T>(task: () => Promise<T>) => Promise<T>;

/** Runs tasks one after the other, in the order in which they were given. A task that fails does not stop the next. */
export function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const done = last.then(task);
    last = done.catch(() => undefined);
    return done;
  };
}
