import { setTimeout as sleep } from "node:timers/promises";

/**
 * Resolves with `done`, or after so many milliseconds of the machine's time. Not of the clock's: a process that is to end
 * ends, whatever time its clock shows.
 */
export async function waitFor(done: Promise<void>, milliseconds: number): Promise<void> {
  const inTime = new AbortController();
  const late = sleep(milliseconds, undefined, { signal: inTime.signal }).catch(() => {});
  await Promise.race([done, late]);
  inTime.abort();
}
