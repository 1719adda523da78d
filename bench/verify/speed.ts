/**
 * `node bench/verify/speed.ts`: verifications a second by the rules, on one core. Responses of 100 words without a document,
 * each with a document of its own, and all with the same one; and the 1,319 reference solutions as one batch. Figures are
 * never an assertion.
 */
import { readFile } from "node:fs/promises";
import { cpus } from "node:os";
import { z } from "zod";
import type { VerifyInput } from "../../src/contract/index.ts";
import { loadRulesJudge } from "../../src/main/service/index.ts";

const judgeByRules = await loadRulesJudge();

const rounds = 9;
const responseWords = 100;
const documentWords = 300;

const solutionSchema = z.object({ id: z.string(), solution: z.string() });
const questionSchema = z.object({ id: z.string(), question: z.string() });
const passageSchema = z.object({ knowledge: z.string(), question: z.string() });

const solutions = await readLines("gsm8k-1319.solutions.jsonl", solutionSchema);
const questions = await readLines("gsm8k-1319.jsonl", questionSchema);
const passages = await readLines("halueval-qa-200.jsonl", passageSchema);

const references = solutions.map(({ solution }, index) => toInput(questions[index]?.question, solution, null));
const working = references.map(({ prompt }, index) => toInput(prompt, joinFrom(solutions, index, responseWords), null));
const quoting = passages.map(({ question }, index) =>
  toInput(question, joinFrom(passages, index, responseWords), joinFrom(passages, index, documentWords)),
);
const straying = quoting.map((input, index) => ({
  ...input,
  document: quoting[(index + passages.length / 2) % passages.length]?.document ?? "",
}));
const sharing = quoting.map((input) => ({ ...input, document: quoting[0]?.document ?? "" }));

console.log(
  `Node ${process.versions.node}, ${cpus()[0]?.model.trim()}, CPU time of one thread, median of ${rounds} rounds\n`,
);
report("100 words of worked sums, no document", working);
report("100 words that a 300-word document supports", quoting);
report("100 words that a 300-word document does not support", straying);
report("100 words, one 300-word document for all", sharing);
report("the 1,319 reference solutions", references);

function report(name: string, inputs: readonly VerifyInput[]): void {
  const times = Array.from({ length: rounds + 1 }, () => measure(inputs)).slice(1);
  const median = times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN;
  const rate = Math.round((inputs.length / median) * 1_000).toLocaleString("en");
  console.log(`${name.padEnd(54)}${rate.padStart(8)} a second${`${median.toFixed(0)} ms for all`.padStart(22)}`);
}

/** Milliseconds of this thread's CPU for all of them: what else the machine does counts for nothing. */
function measure(inputs: readonly VerifyInput[]): number {
  const start = process.threadCpuUsage();
  for (const input of inputs) judgeByRules(input);
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1_000;
}

function toInput(prompt = "", response: string, document: string | null): VerifyInput {
  return { prompt, response, document, strict: false };
}

/** So many words of the texts from one on. */
function joinFrom(
  rows: readonly ({ solution: string } | { knowledge: string })[],
  from: number,
  count: number,
): string {
  const words: string[] = [];
  for (let at = from; words.length < count; at = (at + 1) % rows.length) {
    const row = rows[at];
    if (row !== undefined) words.push(...("solution" in row ? row.solution : row.knowledge).split(" "));
  }
  return words.slice(0, count).join(" ");
}

async function readLines<T extends z.ZodType>(name: string, schema: T): Promise<z.infer<T>[]> {
  const content = await readFile(new URL(`../../examples/${name}`, import.meta.url), "utf8");
  return content
    .trimEnd()
    .split("\n")
    .map((line) => schema.parse(JSON.parse(line)));
}
