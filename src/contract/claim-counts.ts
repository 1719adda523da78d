import { formatNumber } from "./format.ts";
import {
  type Claim,
  type ClaimCounts,
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

/** `1 contradicted · 3 supported · 6 not checkable · form broken`; empty without claims. */
export function describeClaimCounts({ form, ...counts }: ClaimCounts): string {
  const parts = verdictSchema.options
    .filter((verdict) => counts[verdict] > 0)
    .map((verdict) => `${formatNumber(counts[verdict])} ${countWords[verdict]}`);
  const about = formOf({ form });
  return [...parts, ...(about === null ? [] : [`form ${about}`])].join(" · ");
}

/** Whether a response has the form that its prompt asks for; null where nothing about it was checked. */
export type FormVerdict = "kept" | "broken";
/** What a run over the answers of a batch counts of their form. */
export const formKeys: Readonly<Record<FormVerdict, string>> = { kept: "form kept", broken: "form broken" };

export function formOf({ form }: Pick<ClaimCounts, "form">): FormVerdict | null {
  return form.broken > 0 ? "broken" : form.kept > 0 ? "kept" : null;
}

/** A result as it is stored: an earlier version counted nothing. */
export const storedVerifyResultSchema = verifyResultSchema
  .partial({ counts: true })
  .transform(({ counts, ...result }): VerifyResult => ({ ...result, counts: counts ?? countClaims(result.claims) }));
