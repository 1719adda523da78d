import { createContext, Script } from "node:vm";

const context: { work: () => void } = { work: () => {} };
const box = createContext(context);
const script = new Script("work()");

/**
 * Does a piece of work that may never end, such as following a schema that refers to itself or matching a pattern: after
 * `milliseconds` it is stopped in the middle of whatever it does.
 * @returns what the work returned; undefined when it was stopped
 */
export function workFor<T>(milliseconds: number, work: () => T): T | undefined {
  let result: T | undefined;
  context.work = () => {
    result = work();
  };
  try {
    script.runInContext(box, { timeout: milliseconds });
  } catch (error) {
    if (!isTimeout(error)) throw error;
  } finally {
    context.work = () => {};
  }
  return result;
}

/** The error comes from the box, where `Error` is another class. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === "object" && error !== null && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT"
  );
}
