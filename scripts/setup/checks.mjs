import { formatDuration, printLine } from "./print.mjs";
import { SetupError } from "./setup-error.mjs";

/**
 * The result of a check: a sentence where it was left out, and what it printed unless that was shown as it came.
 * @typedef {{ passed: boolean, leftOut?: string, output?: string }} Outcome
 * One that is `always` due also runs when a stage before it has failed.
 * @typedef {{ name: string, run: () => Promise<Outcome>, always?: boolean }} Check
 */

/**
 * Runs checks, those of a stage side by side, up to the first stage in which one fails. Those that are `always` due run all the
 * same. What each printed is shown whole
 * and in one piece; at the end, how long each took and what failed.
 *
 * @param {readonly (readonly Check[])[]} stages
 * @returns {Promise<boolean>} whether all passed
 */
export async function runChecks(stages) {
  const begin = Date.now();
  /** @type {string[]} */
  const summary = [];
  let passed = true;
  for (const stage of stages) {
    const due = stage.filter(({ always = false }) => passed || always);
    for (const { name } of stage.filter((check) => !due.includes(check))) {
      summary.push(`not run ${"".padStart(10)}  ${name}`);
    }
    if (due.length > 0) printLine(`\n── ${due.map(({ name }) => name).join(" · ")} ──`);
    for (const { name, outcome, took } of await Promise.all(due.map(runCheck))) {
      const { leftOut, output = "" } = outcome;
      if (output !== "") {
        printLine(`── ${name} says:`);
        process.stdout.write(`${output}\n`);
      }
      if (leftOut !== undefined) printLine(leftOut);
      const word = leftOut === undefined ? (outcome.passed ? "passed " : "FAILED ") : "left out";
      summary.push(`${word.padEnd(8)}${formatDuration(took).padStart(10)}  ${name}`);
      passed &&= outcome.passed;
    }
  }
  printLine(
    `\n${summary.join("\n")}\n${passed ? "passed " : "FAILED "} ${formatDuration(Date.now() - begin).padStart(10)}  in all`,
  );
  return passed;
}

/** @param {Check} check */
async function runCheck({ name, run }) {
  const begin = Date.now();
  /** @type {Outcome} */
  const outcome = await run().catch((error) => {
    if (!(error instanceof SetupError)) throw error;
    return { passed: false, output: error.message };
  });
  return { name, outcome, took: Date.now() - begin };
}
