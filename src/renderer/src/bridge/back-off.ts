/** Waits between attempts to connect, in milliseconds. */
const firstWait = 250;
const longestWait = 5_000;

/**
 * How long to wait before attempt `attempt` (the first one after a loss is 0): doubled each time up to five
 * seconds, and spread by a fifth so that several pages do not come back at the same instant.
 *
 * @param spread a number from 0 up to 1
 */
export function waitBeforeAttempt(attempt: number, spread: number): number {
  const wait = Math.min(longestWait, firstWait * 2 ** Math.min(attempt, 16));
  return Math.round(wait * (0.9 + 0.2 * spread));
}

/** After this many attempts in vain (about twenty seconds) the page says that the user has to act. */
export const attemptsUntilLost = 8;
