import {
  type Claim,
  countClaims,
  formatCount,
  formatNumber,
  isAboutForm,
  type Verdict,
  type VerifyInput,
  type VerifyResult,
} from "#contract";
import { noUsage } from "../model/ask-model.ts";
import { longestChecked } from "./read-input.ts";

/** The result that claims come to. */
export function composeResult(
  { prompt, response, strict }: VerifyInput,
  claims: readonly Claim[],
  explanation: string,
  usage: VerifyResult["usage"] = noUsage,
): VerifyResult {
  return {
    prompt,
    response,
    is_hallucination: isHallucination(claims, strict),
    explanation,
    claims: [...claims],
    counts: countClaims(claims),
    search_results: [],
    usage,
  };
}

/** Whether claims speak against their response; with `strict` also one that is not in the document. */
export function isHallucination(claims: readonly Claim[], strict: boolean): boolean {
  return claims.some(({ verdict }) => verdict === "contradicted" || (strict && verdict === "not_found"));
}

/** The verdict in one or two sentences. */
export function explain(
  claims: readonly Claim[],
  about: { readonly isEmpty: boolean; readonly wasCut: boolean },
): string {
  const sentence = about.isEmpty ? "Nothing could be checked: the response is empty." : explainClaims(claims);
  if (!about.wasCut) return sentence;
  return `${sentence} Only its first ${formatNumber(longestChecked)} characters were looked at.`;
}

/** What it says before what form it has. */
function explainClaims(claims: readonly Claim[]): string {
  const content = claims.filter((claim) => !isAboutForm(claim));
  const form = explainForm(claims);
  const wrong = explainFirst(content, "contradicted", "contradicted");
  const missing = explainFirst(content, "not_found", "not in the document");
  if (wrong !== null || missing !== null) return [wrong ?? missing, form.broken].filter(Boolean).join(" ");
  if (form.broken !== null) return form.broken;
  const supported = content.filter(({ verdict }) => verdict === "supported").length;
  const unchecked = content.length - supported;
  if (supported === 0) {
    if (!form.isKept) return "Nothing could be checked: nothing in the response can be looked up.";
    const rest = unchecked === 0 ? "" : "; nothing that it says could be checked";
    return `The response has the form that the prompt asks for${rest}.`;
  }
  const rest = unchecked === 0 ? "" : `, ${formatNumber(unchecked)} not checkable`;
  return `${formatNumber(supported)} of ${formatCount(content.length, "claim")} supported${rest}.`;
}

function explainForm(claims: readonly Claim[]) {
  const findings = claims.filter(isAboutForm).flatMap((claim) => claim.findings);
  const [broken] = findings.filter(({ verdict }) => verdict === "contradicted");
  return {
    broken: broken === undefined ? null : `Form broken: ${broken.reason}`,
    isKept: findings.some(({ verdict }) => verdict === "supported"),
  };
}

/** The reason of the first claim with a verdict, and how many more there are. */
function explainFirst(claims: readonly Claim[], verdict: Verdict, words: string): string | null {
  const found = claims.filter((claim) => claim.verdict === verdict);
  const [first] = found;
  if (first === undefined) return null;
  const reason = first.findings[0]?.reason ?? "";
  const others = found.length - 1;
  return others === 0
    ? reason
    : `${reason} ${formatCount(others, "more claim")} ${others === 1 ? "is" : "are"} ${words}.`;
}
