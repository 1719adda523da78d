import { formatDuration, say } from "./say.mjs";
import { SetupError } from "./setup-error.mjs";

/** @typedef {{ name: string, passes: () => Promise<boolean> }} Check */

/**
 * Runs checks one after another, up to the first that fails, and closes with how long each took.
 *
 * @param {readonly Check[]} checks
 * @returns {Promise<boolean>} whether all passed
 */
export async function runChecks(checks) {
  /** @type {string[]} */
  const summary = [];
  let passed = true;
  for (const check of checks) {
    if (!passed) break;
    say(`\n── ${check.name} ──`);
    const start = Date.now();
    passed = await runCheck(check);
    summary.push(`${passed ? "passed" : "FAILED"} ${formatDuration(Date.now() - start).padStart(10)}  ${check.name}`);
  }
  say(`\n${summary.join("\n")}`);
  return passed;
}

/** @param {Check} check */
async function runCheck({ passes }) {
  try {
    return await passes();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    say(error.message);
    return false;
  }
}
