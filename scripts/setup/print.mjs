import { SetupError } from "./setup-error.mjs";

/** @param {string} sentence */
export function printLine(sentence) {
  process.stderr.write(`${sentence}\n`);
}

/**
 * Milliseconds for people: `0.4 s`, `41 s`, `2 min 5 s`.
 * @param {number} milliseconds
 */
export function formatDuration(milliseconds) {
  const seconds = milliseconds / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/**
 * One quiet step on one line: what is being done, then how long it took. If it fails, everything the program
 * printed, and what to do about it.
 *
 * @param {string} doing for example `Installing packages`
 * @param {string} advice one sentence, shown when the step fails
 * @param {() => Promise<import("./child.mjs").Ending>} work
 */
export async function step(doing, advice, work) {
  const start = Date.now();
  process.stderr.write(`${doing} … `);
  const ending = await work();
  const took = formatDuration(Date.now() - start);
  if (ending.code === 0) return printLine(took);
  if (ending.interrupted || ending.signal !== null) {
    printLine(`interrupted after ${took}`);
    throw new SetupError("Run the command again: it does this step anew.");
  }
  printLine(`failed after ${took}`);
  const output = ending.problem?.message ?? ending.output.trimEnd();
  throw new SetupError(`\n${output}\n\n${advice}`);
}
