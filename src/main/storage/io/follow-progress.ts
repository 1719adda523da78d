import type { Machine } from "#main/base";

export interface FollowOptions {
  readonly machine: Machine;
  /** Between two reports, in milliseconds. */
  readonly interval: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Does a piece of work and reports how far it is: the newest report of each interval, and the last one at the end. Returns
 * with its result. The work's signal is aborted with the caller's, and when the reports are given up.
 */
export async function* followProgress<Progress, Result>(
  work: (report: (progress: Progress) => void, signal: AbortSignal) => Promise<Result>,
  { machine, interval, signal }: FollowOptions,
): AsyncGenerator<Progress, Result> {
  const abandoned = new AbortController();
  const reports: Progress[] = [];
  const report = (progress: Progress) => void reports.splice(0, 1, progress);
  const ended = signal === undefined ? abandoned.signal : AbortSignal.any([signal, abandoned.signal]);
  let isOver = false;
  const result = work(report, ended).finally(() => {
    isOver = true;
  });
  try {
    while (!isOver) {
      await Promise.race([result, machine.sleep(interval)]);
      yield* reports.splice(0);
    }
    return await result;
  } finally {
    result.catch(() => undefined);
    abandoned.abort();
  }
}
