import type { Claim, VerifyResult } from "#contract";
import { addUsage, noUsage, unreadable } from "../../model/ask-model.ts";
import { type Job, type ModelJudgement, toClaim } from "./preset.ts";

/** Calls for one response. */
const mostCalls = 200;

/** What a model said about one claim: the claim with its verdict, null where the answer could not be read, or a problem. */
export type Judged = { readonly usage: VerifyResult["usage"] } & (
  | { readonly claim: Claim | null; readonly calls: number }
  | { readonly problem: string }
);

/**
 * Has claims judged one after the other, for presets that take one a call. A problem ends it; an answer that could not be
 * read leaves its claim open, unless there is no other. Claims for which there are too many calls are not asked about.
 */
export async function judgeEach(
  { claims, options: { onProgress } }: Job,
  judge: (claim: Claim) => Promise<Judged>,
): Promise<ModelJudgement> {
  const judged: Claim[] = [];
  let usage = noUsage;
  let calls = 0;
  let read = 0;
  for (const claim of claims) {
    if (calls >= mostCalls) {
      judged.push(toClaim(claim, "not_checkable", "The model was not asked about so many sentences."));
      continue;
    }
    const found = await judge(claim);
    usage = addUsage(usage, found.usage);
    if ("problem" in found) return { problem: found.problem, usage };
    calls += found.calls;
    if (found.claim !== null) read += 1;
    judged.push(found.claim ?? toClaim(claim, "not_checkable", "The model's answer could not be read."));
    onProgress?.(judged.length, claims.length);
  }
  return read === 0 && claims.length > 0 ? { problem: unreadable, usage } : { claims: judged, usage };
}

/** "Yes" or "No" in its tag, else at the start of an answer, after "answer:" or the like; null where it is neither. */
export function readYesNo(answer: string): boolean | null {
  const [, word = null] =
    /<score>\W*(yes|no)\b/i.exec(answer) ?? /^\W*(?:(?:answer|score|label|verdict)\W+)?(yes|no)\b/i.exec(answer) ?? [];
  return word === null ? null : word.toLowerCase() === "yes";
}

/** A claim with what a model said of it that knows yes and no alone. */
export function toSupported(claim: Claim, isSupported: boolean, remark = ""): Claim {
  return isSupported
    ? toClaim(claim, "supported", `The model says that the document supports it${remark}.`)
    : toClaim(claim, "not_found", `The model says that the document doesn't support it${remark}.`);
}
