/**
 * `node bench/verify/arithmetic.ts`: what the rules find in the 1,319 worked solutions of GSM8K as they are, and with one
 * number of one equation changed. docs/verify-accuracy.md has the figures; the tests beside the generator hold them.
 */
import { changeKinds } from "./change-number.ts";
import { holdsByMathjs } from "./holds.ts";
import { findContradicted, scoreChanges } from "./score-solutions.ts";

for (const isStripped of [false, true]) {
  const contradicted = await findContradicted(isStripped);
  console.log(
    `${isStripped ? "Without annotations" : "As they are"}: ${contradicted.length} contradicted (${contradicted.join(", ")})`,
  );
}

console.log("\n| changed | annotations | solutions | found | with the right span |\n| --- | --- | --: | --: | --: |");
for (const isStripped of [false, true]) {
  for (const kind of changeKinds.filter((one) => !isStripped || one.endsWith("text"))) {
    const { solutions, found, withSpan, missed } = await scoreChanges(kind, isStripped, holdsByMathjs);
    const cells = [kind, isStripped ? "no" : "yes", solutions, share(found, solutions), share(withSpan, solutions)];
    console.log(`| ${cells.join(" | ")} |`);
    if (process.argv.includes("--missed")) console.log(`missed: ${missed.join(", ")}`);
  }
}

function share(part: number, whole: number): string {
  return (part / whole).toFixed(4);
}
