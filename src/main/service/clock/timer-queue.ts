interface Timer {
  /** Unix milliseconds. */
  readonly at: number;
  readonly run: () => void;
}

/** What is to run and when: the earliest first, what falls due at the same time in the order in which it came. */
interface TimerQueue {
  /** The answer takes it back. */
  add(at: number, run: () => void): () => void;
  /** The earliest; it stays. */
  first(): Timer | undefined;
  /** Takes the earliest out if it falls due at `end` or before. */
  takeUntil(end: number): Timer | undefined;
  readonly size: number;
}

export function createTimerQueue(): TimerQueue {
  const timers: Timer[] = [];

  /** The index of the first timer that falls due after `at`. */
  function indexAfter(at: number): number {
    let low = 0;
    let high = timers.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const timer = timers[middle];
      if (timer !== undefined && timer.at <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    add(at, run) {
      const timer = { at, run };
      timers.splice(indexAfter(at), 0, timer);
      return () => {
        const index = timers.lastIndexOf(timer, indexAfter(at) - 1);
        if (index !== -1) timers.splice(index, 1);
      };
    },
    first: () => timers[0],
    takeUntil(end) {
      const [first] = timers;
      return first !== undefined && first.at <= end ? timers.shift() : undefined;
    },
    get size() {
      return timers.length;
    },
  };
}
