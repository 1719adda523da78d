import { readFile } from "node:fs/promises";
import { z } from "zod";
import { loadRulesJudge } from "#main/judging";
import { type ChangeKind, changeNumber, type Holds, stripAnnotations } from "./change-number.ts";

const { judgeByRules } = await loadRulesJudge();

/** A problem of GSM8K with its worked solution (MIT licence, in examples). */
interface Solution {
  readonly id: string;
  readonly question: string;
  readonly solution: string;
}

/** Solutions that are wrong themselves. docs/verify-accuracy.md reports what is wrong in them. */
export const wrongSolutions: ReadonlySet<string> = new Set([
  "gsm8k-0502",
  "gsm8k-0599",
  "gsm8k-0803",
  "gsm8k-0932",
  "gsm8k-1025",
  "gsm8k-1039",
]);

const questionSchema = z.object({ id: z.string(), question: z.string() });
const solutionSchema = z.object({ id: z.string(), solution: z.string() });

/** The 1,319 problems with their solutions. */
export async function readSolutions(): Promise<readonly Solution[]> {
  const read = async <T extends z.ZodType>(name: string, schema: T): Promise<z.infer<T>[]> => {
    const content = await readFile(new URL(`../../examples/${name}`, import.meta.url), "utf8");
    return content
      .trimEnd()
      .split("\n")
      .map((line) => schema.parse(JSON.parse(line)));
  };
  const questions = new Map(
    (await read("gsm8k-1319.jsonl", questionSchema)).map(({ id, question }) => [id, question] as const),
  );
  const solutions = await read("gsm8k-1319.solutions.jsonl", solutionSchema);
  return solutions.map(({ id, solution }) => ({ id, solution, question: questions.get(id) ?? "" }));
}

/** How many changed equations were found, and how many by a finding that covers the whole equation. */
export interface Score {
  readonly solutions: number;
  readonly found: number;
  readonly withSpan: number;
  /** The solutions in which the change was not found. */
  readonly missed: readonly string[];
}

/** The solutions, as they are or without their annotations, that come out as contradicted, or as not found. */
export async function findAccused(
  isStripped: boolean,
): Promise<Record<"contradicted" | "not_found", readonly string[]>> {
  const contradicted: string[] = [];
  const missing: string[] = [];
  for (const { id, question, solution } of await readSolutions()) {
    const response = isStripped ? solution.replaceAll(/<<[^<>]*>>/g, "") : solution;
    const verdicts = new Set(judge(question, response).map(({ verdict }) => verdict));
    if (verdicts.has("contradicted")) contradicted.push(id);
    if (verdicts.has("not_found")) missing.push(id);
  }
  return { contradicted, not_found: missing };
}

/** Changes one number in one equation of each solution, and looks whether it is found. */
export async function scoreChanges(kind: ChangeKind, isStripped: boolean, holds: Holds): Promise<Score> {
  const missed: string[] = [];
  let [solutions, found, withSpan] = [0, 0, 0];
  for (const [index, { id, question, solution }] of (await readSolutions()).entries()) {
    const annotated = changeNumber(solution, kind, index * 7 + 1, holds);
    if (annotated === null) continue;
    solutions += 1;
    const changed = isStripped ? stripAnnotations(annotated) : annotated;
    const spans = judge(question, changed.text).flatMap(({ findings }) =>
      findings.filter(({ verdict }) => verdict === "contradicted").map(({ span }) => span),
    );
    if (spans.length > 0) found += 1;
    else missed.push(id);
    if (spans.some(({ start, end }) => start <= changed.start && end >= changed.end)) withSpan += 1;
  }
  return { solutions, found, withSpan, missed };
}

function judge(prompt: string, response: string) {
  return judgeByRules({ prompt, response, document: null, strict: false }).claims;
}
