/**
 * `node bench/learn-weights.ts`: how well the grounding check tells which of a text's names was asked for, on questions that
 * its weights were not learned from (five times four fifths against one). `--write` learns from all and writes weights.ts.
 * It learns from bench/questions/learning.jsonl and from seven of every eight items of examples/halueval-qa-200.jsonl.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import {
  crossValidate,
  findMargin,
  learnWeights,
  rate,
  readExamples,
  readItems,
  readQuestions,
  splitItems,
} from "../src/main/service/verify/measure/index.ts";

const { values } = parseArgs({ options: { write: { type: "boolean", default: false } } });
/** Questions that people asked of an encyclopedia count twice: the others are of our own making. */
const askedByPeople = 2;
const { seen } = splitItems(readItems(new URL("../examples/halueval-qa-200.jsonl", import.meta.url)));
const own = readQuestions(new URL("./questions/learning.jsonl", import.meta.url));
const examples = [...readExamples(seen, askedByPeople), ...readExamples(own)];
const margins = crossValidate(examples);
console.log(`${examples.length} questions; the right one is first in ${(rate(margins.first) * 100).toFixed(1)} %\n`);
console.table(
  [0.002, 0.005, 0.01, 0.02, 0.03, 0.05].map((falseAlarms) => {
    const { margin, found } = findMargin(margins, falseAlarms);
    return {
      "right ones called wrong": `${falseAlarms * 100} %`,
      margin: margin.toFixed(2),
      "other names found": `${(found * 100).toFixed(1)} %`,
    };
  }),
);
const header = `import type { SignName } from "./signs/sign-names.ts";

/** How much each sign counts. Written by \`node bench/learn-weights.ts --write\`, from ${examples.length} questions about texts. */
export const weights: Readonly<Record<SignName, number>> = {`;

if (values.write) {
  const file = new URL("../src/main/service/verify/checks/grounding/candidates/weights.ts", import.meta.url);
  const lines = Object.entries(learnWeights(examples)).map(([name, weight]) => `  ${name}: ${weight},`);
  writeFileSync(file, `${[header, ...lines].join("\n")}\n};\n`);
}
