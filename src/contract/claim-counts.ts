import type { z } from "zod";
import { formatNumber } from "./format.ts";
import {
  type Claim,
  type ClaimCounts,
  claimCountsSchema,
  type Verdict,
  type VerifyResult,
  verdictSchema,
  verifyResultSchema,
} from "./wire/verify.ts";

/** Whether a claim is about the form of the whole response (sentences, words, format), which supports nothing that it says. */
export function isAboutForm({ findings }: Pick<Claim, "findings">): boolean {
  return findings.some(({ kind }) => kind === "instruction" || kind === "format");
}

/** How many claims came to each verdict, and how many instructions about the form were kept and broken. */
export function countClaims(claims: readonly Claim[]): ClaimCounts {
  const counts: ClaimCounts = {
    contradicted: 0,
    not_found: 0,
    supported: 0,
    not_checkable: 0,
    form: { kept: 0, broken: 0 },
  };
  for (const claim of claims) {
    if (!isAboutForm(claim)) counts[claim.verdict] += 1;
    else {
      for (const { verdict } of claim.findings) {
        if (verdict === "supported") counts.form.kept += 1;
        else if (verdict === "contradicted") counts.form.broken += 1;
      }
    }
  }
  return counts;
}

/**
 * The verdict of a response in one word: that of a claim that speaks against it, else supported where every claim is. Its
 * form is a verdict of its own.
 */
export function verdictOf({ contradicted, not_found, supported, not_checkable }: ClaimCounts): Verdict {
  if (contradicted > 0) return "contradicted";
  if (not_found > 0) return "not_found";
  return supported > 0 && not_checkable === 0 ? "supported" : "not_checkable";
}

const countWords: Readonly<Record<Verdict, string>> = {
  contradicted: "contradicted",
  not_found: "not in the document",
  supported: "supported",
  not_checkable: "not checkable",
};

/** How many claims came to each verdict, without the form of the response. */
export const verdictCountsSchema = claimCountsSchema.omit({ form: true });
export type VerdictCounts = z.infer<typeof verdictCountsSchema>;

export function countVerdicts(count: (verdict: Verdict) => number): VerdictCounts {
  return {
    contradicted: count("contradicted"),
    not_found: count("not_found"),
    supported: count("supported"),
    not_checkable: count("not_checkable"),
  };
}

/** The keys under which a run counts the claims of its answers. */
export const claimKeys: Readonly<Record<Verdict, string>> = {
  contradicted: "claims contradicted",
  not_found: "claims not_found",
  supported: "claims supported",
  not_checkable: "claims not_checkable",
};

/** `1 contradicted · 3 supported · 6 not checkable`; empty without claims. */
export function describeVerdictCounts(counts: VerdictCounts): string {
  return verdictSchema.options
    .filter((verdict) => counts[verdict] > 0)
    .map((verdict) => `${formatNumber(counts[verdict])} ${countWords[verdict]}`)
    .join(" · ");
}

/** The same with the form of the response: `1 contradicted · 3 supported · form broken`. */
export function describeClaimCounts(counts: ClaimCounts): string {
  const form = formOf(counts);
  return [describeVerdictCounts(counts), form === null ? "" : `form ${form}`].filter(Boolean).join(" · ");
}

/** Whether a response has the form that its prompt asks for; null where nothing about it was checked. */
export type FormVerdict = "kept" | "broken";
/** What a run over the answers of a batch counts of their form. */
export const formKeys: Readonly<Record<FormVerdict, string>> = { kept: "form kept", broken: "form broken" };

export function formOf({ form }: Pick<ClaimCounts, "form">): FormVerdict | null {
  return form.broken > 0 ? "broken" : form.kept > 0 ? "kept" : null;
}

/** Whether rules and model agree about a response; null where no claim was judged by both. */
export type Agreement = "agree" | "disagree";
export const agreementKeys: Readonly<Record<Agreement, string>> = {
  agree: "judges agree",
  disagree: "judges disagree",
};

/** Whether one judge supports what the other speaks against. */
export function isDisputed({ verdicts }: Pick<Claim, "verdicts">): boolean {
  if (verdicts === undefined) return false;
  const { rules, model } = verdicts;
  return rules === "supported" ? isAgainst(model) : isAgainst(rules) && model === "supported";
}

function isAgainst(verdict: Verdict): boolean {
  return verdict === "contradicted" || verdict === "not_found";
}

export function agreementOf(claims: readonly Claim[]): Agreement | null {
  if (claims.some(isDisputed)) return "disagree";
  return claims.some(({ verdicts }) => verdicts !== undefined && verdicts.rules !== "not_checkable") ? "agree" : null;
}

/** Finds the claim that explains the verdict of a response. If no claim is wrong, a broken form explains it. */
function findGravest({ claims, counts }: Pick<VerifyResult, "claims" | "counts">): Claim | null {
  const content = claims.filter((claim) => !isAboutForm(claim));
  const verdict = verdictOf(counts);
  const broken = isAgainst(verdict)
    ? undefined
    : claims.find((one) => isAboutForm(one) && one.verdict === "contradicted");
  return broken ?? content.find((one) => one.verdict === verdict) ?? content[0] ?? claims[0] ?? null;
}

/** The claim that explains a verdict: why it has it, its text, and the passage that proves it or comes nearest. */
export interface ClaimSummary {
  readonly reason: string;
  readonly claim: string;
  /** Null where no passage is known. */
  readonly passage: string | null;
}

/** What explains the verdict of a response; null where nothing was claimed. */
export function summarizeGravest(result: Pick<VerifyResult, "claims" | "counts">): ClaimSummary | null {
  const found = findGravest(result);
  if (found === null) return null;
  const { span, findings, nearest } = found;
  const passages = findings.flatMap(({ evidence }) => evidence).filter(({ source }) => source !== "response");
  const longest = passages.toSorted((a, b) => b.text.length - a.text.length)[0];
  return {
    reason: findings[0]?.reason ?? "Nothing in it can be looked up.",
    claim: span.text,
    passage: (longest ?? nearest?.span)?.text ?? null,
  };
}

/** A result as it is stored: an earlier version counted nothing. */
export const storedVerifyResultSchema = verifyResultSchema
  .partial({ counts: true })
  .transform(({ counts, ...result }): VerifyResult => ({ ...result, counts: counts ?? countClaims(result.claims) }));
