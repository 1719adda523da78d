import type { Claim, Finding as ClaimFinding, NearestPassage, Verdict } from "#contract";
import { verdictSchema } from "#contract";
import { isFiller, isWordless } from "./filler.ts";
import type { Finding, Range, Text } from "./types.ts";

/** Most claims of a result, and most findings of a claim; one more says how many there were after them. */
const mostClaims = 1_000;
const mostFindings = 50;

const gravity: ReadonlyMap<Verdict, number> = new Map(verdictSchema.options.map((verdict, at) => [verdict, at]));

/** Which of two verdicts comes first: the graver one. */
export function compareVerdicts(a: Verdict, b: Verdict): number {
  return (gravity.get(a) ?? 0) - (gravity.get(b) ?? 0);
}

/** The gravest of some verdicts; `not_checkable` where there are none. */
export function gravestOf(verdicts: Iterable<Verdict>): Verdict {
  let gravest: Verdict = "not_checkable";
  for (const verdict of verdicts) if (compareVerdicts(verdict, gravest) < 0) gravest = verdict;
  return gravest;
}

/**
 * The claims of a response, in its order: its sentences, each with what was found about it. What was found about the form
 * is a claim about the whole response, and supports no sentence.
 */
export function composeClaims(
  response: Text,
  findings: readonly Finding[],
  nearest: ReadonlyMap<number, NearestPassage> = new Map(),
): readonly Claim[] {
  const { form = [], content = [] } = Object.groupBy(findings, ({ kind }) => {
    return kind === "instruction" || kind === "format" ? "form" : "content";
  });
  const bySentence = groupBySentence(response, content);
  const claims = response.sentences
    .filter((sentence) => bySentence.has(sentence) || !isEmpty(response, sentence))
    .map((sentence) => {
      const claim = createClaim(response.text, sentence, bySentence.get(sentence) ?? []);
      const passage = nearest.get(sentence.start);
      // What a sum supports needs no passage.
      return passage === undefined || claim.verdict === "supported" ? claim : { ...claim, nearest: passage };
    });
  if (form.length > 0) claims.unshift(createClaim(response.text, rangeOfAll(response.text), form));
  return claims.length <= mostClaims ? claims : gatherRest(response, claims);
}

/** A finding belongs to the sentence in which it ends: a total to its line, not to that of the first item. */
function groupBySentence({ sentences }: Text, findings: readonly Finding[]): ReadonlyMap<Range, readonly Finding[]> {
  const sorted = findings.toSorted((a, b) => a.range.end - b.range.end);
  const found = new Map<Range, Finding[]>();
  let at = 0;
  for (const finding of sorted) {
    while (at < sentences.length - 1 && (sentences[at]?.end ?? 0) < finding.range.end) at += 1;
    const sentence = sentences[at];
    if (sentence === undefined) continue;
    const own = found.get(sentence);
    if (own === undefined) found.set(sentence, [finding]);
    else own.push(finding);
  }
  return found;
}

function createClaim(text: string, range: Range, findings: readonly Finding[]): Claim {
  const sorted = findings.toSorted(
    (a, b) => compareVerdicts(a.verdict, b.verdict) || a.range.start - b.range.start || b.range.end - a.range.end,
  );
  return {
    span: { source: "response", ...range, text: text.slice(range.start, range.end) },
    verdict: gravestOf(findings.map(({ verdict }) => verdict)),
    judge: "rules",
    findings: [...sorted.slice(0, mostFindings), ...sumUp(sorted.slice(mostFindings))].map((finding) => {
      return toClaimFinding(text, finding);
    }),
  };
}

/** One finding for those that are not listed, the gravest first. */
function sumUp(rest: readonly Finding[]): readonly Finding[] {
  const [first] = rest;
  if (first === undefined) return [];
  const { verdict, range } = first;
  return [{ kind: null, verdict, range, reason: countRest(rest, "findings"), evidence: [] }];
}

/** How many claims or findings are not listed, and their verdicts. */
function countRest(rest: readonly { readonly verdict: Verdict }[], what: "claims" | "findings"): string {
  const count = (wanted: Verdict) => rest.filter(({ verdict }) => verdict === wanted).length.toLocaleString("en");
  return `${rest.length.toLocaleString("en")} more ${what} are not listed: ${count("contradicted")} contradicted, ${count("not_found")} not in the document, ${count("supported")} supported.`;
}

function toClaimFinding(text: string, { kind, verdict, range, reason, evidence }: Finding): ClaimFinding {
  const { start, end } = range;
  const span = { source: "response" as const, start, end, text: text.slice(start, end) };
  return { kind, verdict, span, reason, evidence: [...evidence] };
}

/** All of a text, but for the space around it. */
export function rangeOfAll(text: string): Range {
  const end = text.trimEnd().length;
  return { start: Math.min(text.length - text.trimStart().length, end), end };
}

function isEmpty({ text }: Text, { start, end }: Range): boolean {
  const sentence = text.slice(start, end);
  return isWordless(sentence) || isFiller(sentence);
}

/** The last claim stands for all that are not listed, so that what they say is not lost. */
function gatherRest({ text }: Text, claims: readonly Claim[]): readonly Claim[] {
  const rest = claims.slice(mostClaims);
  const verdict = gravestOf(rest.map((claim) => claim.verdict));
  const start = rest[0]?.span.start ?? 0;
  const end = rest.reduce((most, { span }) => Math.max(most, span.end), start);
  const span = { source: "response" as const, start, end, text: text.slice(start, end) };
  const reason = countRest(rest, "claims");
  const last: Claim = {
    span,
    verdict,
    judge: "rules",
    findings: [{ kind: null, verdict, span, reason, evidence: [] }],
  };
  return [...claims.slice(0, mostClaims), last];
}
