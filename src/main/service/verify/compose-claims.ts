import type { Claim } from "#contract";
import { isFiller, isWordless } from "./filler.ts";
import type { Finding, Range, Text } from "./types.ts";

/** Most claims of a result; one more says how many there were beside them. */
const mostClaims = 1_000;

/**
 * The claims of a response, in its order: one for each finding, and one for each sentence that no check had anything to
 * say about. That the response has the form which the prompt asks for does not make its sentences checked.
 */
export function composeClaims(response: Text, findings: readonly Finding[]): readonly Claim[] {
  const claims = [...findings, ...findUnchecked(response, findings)]
    .toSorted((a, b) => a.range.start - b.range.start || b.range.end - a.range.end)
    .map((finding) => toClaim(response, finding));
  return claims.length <= mostClaims ? claims : gatherRest(response, claims);
}

function findUnchecked(response: Text, findings: readonly Finding[]): readonly Finding[] {
  const about = findings.filter(({ check }) => check !== "instructions");
  const unchecked: Finding[] = [];
  let next = 0;
  let reach = 0;
  for (const sentence of response.sentences) {
    // Findings are sorted by their start; the one that reaches farthest decides.
    for (let found = about[next]; found && found.range.start < sentence.end; found = about[++next]) {
      reach = Math.max(reach, found.range.end);
    }
    if (reach > sentence.start || isEmpty(response, sentence)) continue;
    unchecked.push({ check: "none", verdict: "not_checkable", range: sentence, reason: nothingApplies, evidence: [] });
  }
  return unchecked;
}

const nothingApplies = "No check applies to this sentence.";

function isEmpty({ text }: Text, { start, end }: Range): boolean {
  const sentence = text.slice(start, end);
  return isWordless(sentence) || isFiller(sentence);
}

function toClaim({ text }: Text, { range, verdict, check, reason, evidence }: Finding): Claim {
  const { start, end } = range;
  const span = { source: "response" as const, start, end, text: text.slice(start, end) };
  return { span, verdict, check, reason, evidence: [...evidence] };
}

/** The last claim stands for all that are not listed, so that what they say is not lost. */
function gatherRest({ text }: Text, claims: readonly Claim[]): readonly Claim[] {
  const rest = claims.slice(mostClaims);
  const contradicted = rest.filter(({ verdict }) => verdict === "contradicted").length;
  const start = rest[0]?.span.start ?? 0;
  const end = rest.reduce((most, { span }) => Math.max(most, span.end), start);
  const of =
    contradicted === 0 ? "none of them contradicted" : `${contradicted.toLocaleString("en")} of them contradicted`;
  const last: Claim = {
    span: { source: "response", start, end, text: text.slice(start, end) },
    verdict: contradicted === 0 ? "not_checkable" : "contradicted",
    check: "none",
    reason: `${rest.length.toLocaleString("en")} more claims are not listed, ${of}.`,
    evidence: [],
  };
  return [...claims.slice(0, mostClaims), last];
}
