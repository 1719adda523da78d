import { readFile } from "node:fs/promises";
import { cpus } from "node:os";
import { z } from "zod";
import { loadRulesJudge } from "#main/judging";
import type { VerifyInput } from "../../src/contract/index.ts";
import { readSolutions } from "./solutions.ts";

const { judgeByRules } = await loadRulesJudge();

const rounds = 9;
const responseWords = 100;
const documentWords = 300;
const passageSchema = z.object({ knowledge: z.string(), question: z.string() });

/**
 * Verifications a second on one core: responses of 100 words without a document, each with a document of its own, and all with
 * the same one; and the 1,319 reference solutions as one batch. Counted is the CPU time of this thread.
 */
export async function measureSpeed(): Promise<void> {
  const solutions = await readSolutions();
  const content = await readFile(new URL("../../examples/halueval-qa-200.jsonl", import.meta.url), "utf8");
  const passages = content
    .trimEnd()
    .split("\n")
    .map((line) => passageSchema.parse(JSON.parse(line)));
  const texts = passages.map(({ knowledge }) => knowledge);
  const references = solutions.map(({ question, solution }) => toInput(question, solution, null));
  const worked = solutions.map(({ solution }) => solution);
  const working = solutions.map(({ question }, index) =>
    toInput(question, joinFrom(worked, index, responseWords), null),
  );
  const quoting = passages.map(({ question }, index) => {
    return toInput(question, joinFrom(texts, index, responseWords), joinFrom(texts, index, documentWords));
  });
  const straying = quoting.map((input, index) => {
    return { ...input, document: quoting[(index + passages.length / 2) % passages.length]?.document ?? "" };
  });
  const sharing = quoting.map((input) => ({ ...input, document: quoting[0]?.document ?? "" }));

  console.log(`\nNode ${process.versions.node}, ${cpus()[0]?.model.trim()}, median of ${rounds} rounds\n`);
  report("100 words of worked sums, no document", working);
  report("100 words that a 300-word document has", quoting);
  report("100 words that a 300-word document doesn't have", straying);
  report("100 words, one 300-word document for all", sharing);
  report("the 1,319 reference solutions", references);
}

function report(name: string, inputs: readonly VerifyInput[]): void {
  const times = Array.from({ length: rounds + 1 }, () => measure(inputs)).slice(1);
  const median = times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN;
  const rate = Math.round((inputs.length / median) * 1_000).toLocaleString("en");
  console.log(`${name.padEnd(54)}${rate.padStart(8)} a second`);
}

/** Milliseconds of this thread's CPU for all of them: what else the machine does counts for nothing. */
function measure(inputs: readonly VerifyInput[]): number {
  const start = process.threadCpuUsage();
  for (const input of inputs) judgeByRules(input);
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1_000;
}

function toInput(prompt: string, response: string, document: string | null): VerifyInput {
  return { prompt, response, document, strict: false };
}

/** So many words of the texts from one on. */
function joinFrom(texts: readonly string[], from: number, count: number): string {
  const words: string[] = [];
  for (let at = from; words.length < count; at = (at + 1) % texts.length) words.push(...(texts[at] ?? "").split(" "));
  return words.slice(0, count).join(" ");
}
