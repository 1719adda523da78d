interface Timer {
  /** Milliseconds, by whatever time the owner of the queue goes by. */
  readonly at: number;
  /** What the clock that people see shows then, for a timer that waits for such a moment. */
  readonly moment: number | null;
  readonly run: () => void;
}

/**
 * What is to run and when: the earliest first. Of those that are due at the same time, those that wait for a moment come
 * first (an expiry comes before an answer), then in the order in which they were added.
 */
interface TimerQueue {
  /** The answer removes it. */
  add(timer: Timer): () => void;
  /** The earliest; it stays. */
  first(): Timer | undefined;
  /** Takes the earliest out if it is due at `end` or before. */
  takeUntil(end: number): Timer | undefined;
  /** Takes one out whose moment is `now` or earlier, whenever it is due. */
  takeReached(now: number): Timer | undefined;
  readonly size: number;
}

export function createTimerQueue(): TimerQueue {
  const timers: Timer[] = [];

  /** The index of the first timer that comes after such a one. */
  function indexAfter({ at, moment }: Timer): number {
    let low = 0;
    let high = timers.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const timer = timers[middle];
      const isBefore =
        timer !== undefined && (timer.at < at || (timer.at === at && (moment === null || timer.moment !== null)));
      if (isBefore) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    add(timer) {
      timers.splice(indexAfter(timer), 0, timer);
      return () => {
        const index = timers.lastIndexOf(timer, indexAfter(timer) - 1);
        if (index !== -1) timers.splice(index, 1);
      };
    },
    first: () => timers[0],
    takeUntil(end) {
      const [first] = timers;
      return first !== undefined && first.at <= end ? timers.shift() : undefined;
    },
    takeReached(now) {
      const index = timers.findIndex(({ moment }) => moment !== null && moment <= now);
      return index === -1 ? undefined : timers.splice(index, 1)[0];
    },
    get size() {
      return timers.length;
    },
  };
}
