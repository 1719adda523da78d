import { type Claim, formatCount, formatNumber, type Verdict, type VerifyInput, type VerifyResult } from "#contract";
import { noUsage } from "./model/ask-model.ts";
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

function explainClaims(claims: readonly Claim[]): string {
  const wrong = explainFirst(claims, "contradicted", "contradicted");
  if (wrong !== null) return wrong;
  const missing = explainFirst(claims, "not_found", "not in the document");
  if (missing !== null) return missing;
  const supported = claims.filter(({ verdict }) => verdict === "supported");
  if (supported.length === 0) return "Nothing could be checked: nothing that the response says can be looked up.";
  const unchecked = claims.length - supported.length;
  if (supported.every(isAboutForm)) {
    const rest = unchecked === 0 ? "" : "; nothing that it says could be checked";
    return `The response has the form that the prompt asks for${rest}.`;
  }
  const rest = unchecked === 0 ? "" : `, ${formatNumber(unchecked)} not checkable`;
  return `${formatNumber(supported.length)} of ${formatCount(claims.length, "claim")} supported${rest}.`;
}

/** The reason of the first claim with a verdict, what it says before what form it has, and how many more there are. */
function explainFirst(claims: readonly Claim[], verdict: Verdict, words: string): string | null {
  const found = claims.filter((claim) => claim.verdict === verdict);
  const first = found.find((claim) => !isAboutForm(claim)) ?? found[0];
  if (first === undefined) return null;
  const reason = first.findings[0]?.reason ?? "";
  const others = found.length - 1;
  return others === 0
    ? reason
    : `${reason} ${formatCount(others, "more claim")} ${others === 1 ? "is" : "are"} ${words}.`;
}

function isAboutForm({ findings }: Claim): boolean {
  return findings.some(({ kind }) => kind === "instruction" || kind === "format");
}
