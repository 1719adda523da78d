import { readFile } from "node:fs/promises";
import { z } from "zod";
import { loadRulesJudge } from "#main/judging";
import type { Verdict, VerifyInput } from "../../src/contract/index.ts";

/** What a sentence is: right, another value than the document has, something that the document lacks, or neither. */
const truthSchema = z.enum(["right", "wrong", "missing", "open"]);
export type Truth = z.infer<typeof truthSchema>;

const caseSchema = z.object({
  id: z.string(),
  area: z.string(),
  prompt: z.string(),
  document: z.string().nullable(),
  sentences: z.array(z.object({ is: truthSchema, text: z.string() })),
  join: z.string().default(" "),
});

/** What one sentence of a case came to. */
export interface EverydaySentence {
  readonly id: string;
  readonly text: string;
  readonly is: Truth;
  readonly verdict: Verdict;
  /** The rule that decided: the kind of the gravest finding, or how much of the sentence a passage has. */
  readonly rule: string;
  readonly reason: string;
}

/** The sentences of the sixty everyday cases with their verdicts by the rules. */
export async function judgeEveryday(): Promise<readonly EverydaySentence[]> {
  const { judgeByRules } = await loadRulesJudge();
  const lines = (await readFile(new URL("./everyday.jsonl", import.meta.url), "utf8")).trimEnd().split("\n");
  return lines.flatMap((line) => {
    const { id, prompt, document, sentences, join } = caseSchema.parse(JSON.parse(line));
    const input: VerifyInput = {
      prompt,
      response: sentences.map(({ text }) => text).join(join),
      document,
      strict: false,
    };
    const { claims } = judgeByRules(input);
    let at = 0;
    return sentences.map(({ is, text }) => {
      const range = { start: at, end: at + text.length };
      at = range.end + join.length;
      const own = claims.filter(({ span }) => span.start < range.end && span.end > range.start);
      // A finding about the whole response counts for its sentences only where that is all that is wrong.
      const [claim] = own.toSorted((a, b) => rank(a.verdict) - rank(b.verdict));
      const [finding] = claim?.findings ?? [];
      const verdict = claim?.verdict ?? "not_checkable";
      const isWhole = plain(finding?.evidence[0]?.text ?? "") === plain(text);
      const rule = finding?.kind ?? (verdict === "supported" ? (isWhole ? "word for word" : "all its words") : "none");
      return { id, text, is, verdict, rule, reason: finding?.reason ?? "" };
    });
  });
}

function rank(verdict: Verdict): number {
  return ["contradicted", "not_found", "supported", "not_checkable"].indexOf(verdict);
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
