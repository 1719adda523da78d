import type { Claim, FindingKind, TextSource, TextSpan, Verdict } from "#contract";

const kindNames: Record<FindingKind, string> = {
  number: "Number",
  date: "Date",
  name: "Name",
  quotation: "Quotation",
  opposite: "Opposite",
  sum: "Sum",
  unit: "Unit",
  instruction: "Instruction",
  format: "Format",
};

/** What a finding is about, for people. */
export function nameKind(kind: FindingKind): string {
  return kindNames[kind];
}

const sourceNames: Record<TextSource, string> = { prompt: "Prompt", document: "Document", response: "Response" };

/** One of the three texts, as its field is labelled. */
export function nameSource(source: TextSource): string {
  return sourceNames[source];
}

/** The evidence worth quoting: without what only repeats the claim, and each part once. */
export function quoteEvidence({ span, findings }: Claim): TextSpan[] {
  const seen = new Set([keyOf(span), ...findings.map((finding) => keyOf(finding.span))]);
  const evidence = findings.flatMap((finding) => finding.evidence);
  return evidence.filter((one) => {
    const isNew = one.end > one.start && !seen.has(keyOf(one));
    seen.add(keyOf(one));
    return isNew;
  });
}

/** Names a span among others. */
export function keyOf({ source, start, end }: TextSpan): string {
  return `${source} ${start} ${end}`;
}

/** How many claims came to each verdict. */
export function countVerdicts(claims: readonly Claim[]): Record<Verdict, number> {
  const counts = { contradicted: 0, not_found: 0, supported: 0, not_checkable: 0 };
  for (const { verdict } of claims) counts[verdict] += 1;
  return counts;
}

/** How much of the response is shown on each side of a claim, in characters. */
const reach = 60;

/** A claim and the words around it. */
export interface ClaimContext {
  readonly before: string;
  readonly claim: string;
  readonly after: string;
}

/**
 * What stands around a claim in its sentence, so that a date or a name alone can be understood. Cut between words, at
 * line breaks and at the ends of sentences.
 */
export function readContext(response: string, { start, end, text }: TextSpan): ClaimContext {
  if (response.slice(start, end) !== text) return { before: "", claim: text, after: "" };
  return { before: cutBefore(response, start), claim: text, after: endsSentence(text) ? "" : cutAfter(response, end) };
}

function endsSentence(text: string): boolean {
  return [".", "!", "?"].includes(text.at(-1) ?? "");
}

function cutBefore(response: string, start: number): string {
  const from = Math.max(0, start - reach);
  const near = response.slice(from, start);
  const border = Math.max(...[". ", "! ", "? ", "\n"].map((end) => near.lastIndexOf(end)));
  if (border >= 0) return near.slice(border + 1).trimStart();
  if (from === 0) return near;
  return `…${near.slice(near.indexOf(" ") + 1)}`;
}

/** Without the mark that would stand before the ellipsis. */
function trimMarks(text: string): string {
  return [",", ";", ":"].includes(text.at(-1) ?? "") ? text.slice(0, -1) : text;
}

function cutAfter(response: string, end: number): string {
  const near = response.slice(end, end + reach);
  const borders = [". ", "! ", "? "].map((one) => near.indexOf(one)).filter((at) => at >= 0);
  const line = near.indexOf("\n");
  const border = Math.min(...borders.map((at) => at + 1), line < 0 ? near.length : line);
  if (border < near.length || end + reach >= response.length) return near.slice(0, border).trimEnd();
  return `${trimMarks(near.slice(0, Math.max(0, near.lastIndexOf(" "))))}…`;
}
