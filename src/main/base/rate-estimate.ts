/** How fast results come, estimated from when they came. All times are milliseconds of one monotonic clock. */
export interface RateEstimate {
  /** How many results there are by now, and the most calls that were in flight since the last record. */
  record(at: number, done: number, inFlight: number): void;
  /** Results a second; null until two rounds are complete. A round is as many results as calls in flight. */
  rate(now: number): number | null;
  /** Milliseconds until `left` more have come; null until two rounds are complete. */
  timeLeft(now: number, left: number): number | null;
}

/** The end of a burst. */
interface Mark {
  readonly at: number;
  readonly done: number;
  /** The most calls in flight since the mark before. */
  readonly inFlight: number;
}

/** What the estimate is made from: the results after the end of one burst, up to the last one. */
interface Window {
  readonly start: Mark;
  readonly end: Mark;
  /** How long a round takes. */
  readonly round: number;
}

/** Results that come within this time of the first are one burst. */
const burstLength = 100;
const fewestRounds = 2;
/** Where the speed stays, the window grows to so many rounds and so long a time: the figure on screen is calm then. */
const mostRounds = 8;
const calmLength = 5_000;
/** Parts of a run whose speeds differ by a larger factor don't share a window. */
const sameSpeed = 1.5;
const mostMarks = 512;

/** An estimate that starts at `at`, with `done` results there before. */
export function createRateEstimate(at: number, done: number): RateEstimate {
  let marks: Mark[] = [{ at, done, inFlight: 0 }];
  let burstStart = Number.NEGATIVE_INFINITY;
  /** Calls that were in flight while no result came. */
  let unmarked = 0;

  /** Goes back in time from the last result. */
  function findWindow(): Window | null {
    const end = marks.at(-1);
    if (end === undefined) return null;
    let start: Mark | null = null;
    let inFlight = Math.max(1, end.inFlight);
    for (let index = marks.length - 1; index >= 0; index--) {
      const mark = marks[index];
      if (mark === undefined) continue;
      if (start === null) {
        const isEnough = end.done - mark.done >= fewestRounds * inFlight && end.at - mark.at >= burstLength;
        if (isEnough) start = mark;
        else inFlight = Math.max(inFlight, mark.inFlight);
        continue;
      }
      if (end.done - start.done >= mostRounds * inFlight && end.at - start.at >= calmLength) break;
      if (start.done - mark.done < inFlight) continue;
      const ratio = speedBetween(mark, start) / speedBetween(start, end);
      if (ratio > sameSpeed || ratio < 1 / sameSpeed) break;
      start = mark;
    }
    return start && { start, end, round: (inFlight * 1_000) / speedBetween(start, end) };
  }

  /** A pause of a round lies between two bursts; a longer one lowers the rate. */
  function rateWithin({ start, end, round }: Window, now: number): number {
    return speedBetween(start, { ...end, at: Math.max(end.at, now - round) });
  }

  return {
    record(at, done, inFlight) {
      const last = marks.at(-1);
      unmarked = Math.max(unmarked, inFlight);
      if (last === undefined || done === last.done) return;
      // Where there are fewer than before, the lines were counted anew.
      if (done < last.done) {
        marks = [{ at, done, inFlight: 0 }];
        burstStart = Number.NEGATIVE_INFINITY;
      } else if (at - burstStart < burstLength) {
        marks[marks.length - 1] = { at, done, inFlight: Math.max(last.inFlight, unmarked) };
      } else {
        marks.push({ at, done, inFlight: unmarked });
        burstStart = at;
        if (marks.length > mostMarks) marks = joinOldPairs(marks);
      }
      unmarked = 0;
    },
    rate(now) {
      const window = findWindow();
      return window && rateWithin(window, now);
    },
    timeLeft(now, left) {
      const window = findWindow();
      if (window === null) return null;
      const underWay = Math.min(now - window.end.at, window.round);
      return Math.max(0, (left * 1_000) / rateWithin(window, now) - underWay);
    },
  };
}

/** A second. */
function speedBetween(from: Mark, to: Mark): number {
  return ((to.done - from.done) * 1_000) / (to.at - from.at);
}

/** Joins pairs in the older half. The newer half keeps all of its marks: a change of speed is found at one of them. */
function joinOldPairs(marks: readonly Mark[]): Mark[] {
  const half = 2 * Math.floor(marks.length / 4);
  return marks.flatMap((mark, index) => {
    if (index >= half) return [mark];
    if (index % 2 === 0) return [];
    return [{ ...mark, inFlight: Math.max(mark.inFlight, marks[index - 1]?.inFlight ?? 0) }];
  });
}
