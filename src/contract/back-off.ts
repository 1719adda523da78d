/** Waits that double from one attempt to the next, in milliseconds. */
export interface BackOff {
  readonly first: number;
  readonly longest: number;
}

/** How long to wait after attempt `attempt`, counted from 0. */
export function backOff(attempt: number, { first, longest }: BackOff): number {
  return Math.min(longest, first * 2 ** Math.min(attempt, 30));
}
