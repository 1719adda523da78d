import { readFile } from "node:fs/promises";
import { z } from "zod";
import { loadRulesJudge } from "#main/judging";

const itemSchema = z.object({ knowledge: z.string(), question: z.string(), right_answer: z.string() });

/** A right answer that the rules have something against. */
export interface Accused {
  readonly verdict: "contradicted" | "not_found";
  readonly question: string;
  readonly answer: string;
  readonly reason: string;
}

/**
 * What the rules find wrong in the right answers of 200 questions of HaluEval, which are used unchanged. Its wrong answers
 * are recognisable by their length alone, so a figure for them would mean nothing.
 */
export async function judgeRightAnswers(): Promise<{ readonly items: number; readonly accused: readonly Accused[] }> {
  const { judgeByRules } = await loadRulesJudge();
  const file = new URL("../../examples/halueval-qa-200.jsonl", import.meta.url);
  const items = (await readFile(file, "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => itemSchema.parse(JSON.parse(line)));
  const accused = items.flatMap(({ knowledge, question, right_answer: answer }): readonly Accused[] => {
    const input = { prompt: question, response: answer, document: knowledge, strict: false };
    const findings = judgeByRules(input).claims.flatMap((claim) => claim.findings);
    for (const verdict of ["contradicted", "not_found"] as const) {
      const found = findings.find((finding) => finding.verdict === verdict);
      if (found !== undefined) return [{ verdict, question, answer, reason: found.reason }];
    }
    return [];
  });
  return { items: items.length, accused };
}
