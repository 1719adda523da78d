import {
  type Claim,
  type Finding,
  type FindingKind,
  findingKindSchema,
  type TextSource,
  type TextSpan,
} from "#contract";
import { lookOfVerdict, type VerdictLook } from "./verdict-badge.tsx";

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

/** Names a span among others. */
export function keyOf({ source, start, end }: TextSpan): string {
  return `${source} ${start} ${end}`;
}

/** The evidence of a finding that is worth quoting: whole passages once, and nothing that only repeats the claim. */
export function quoteEvidence({ evidence }: Finding, { span: claim }: Claim): TextSpan[] {
  const others = evidence.filter((one) => one.end > one.start && !isWithin(one, claim));
  return others.filter(
    (one, at) => !others.some((other, otherAt) => isWithin(one, other) && (!isWithin(other, one) || otherAt < at)),
  );
}

function isWithin(part: TextSpan, whole: TextSpan): boolean {
  return part.source === whole.source && part.start >= whole.start && part.end <= whole.end;
}

/** The kinds of findings that there are, with the number of claims that have them. */
export function countKinds(claims: readonly Claim[]): { readonly kind: FindingKind; readonly count: number }[] {
  return findingKindSchema.options
    .map((kind) => ({ kind, count: claims.filter((claim) => hasKind(claim, kind)).length }))
    .filter(({ count }) => count > 0);
}

export function hasKind({ findings }: Claim, wanted: FindingKind): boolean {
  return findings.some(({ kind }) => kind === wanted);
}

/** The colour of a verdict; `context` for the passage around one of its values. */
export type MarkTone = VerdictLook["tone"] | "context";

/** A part of a text that is marked. */
export interface ToneMark {
  readonly start: number;
  readonly end: number;
  readonly tone: MarkTone;
}

/** A piece of a text that has one colour, or none. */
export interface TextPiece {
  readonly start: number;
  readonly text: string;
  readonly tone: MarkTone | null;
}

/** Cuts the text that begins at `from` into pieces. Where marks lie over each other, the first of the list is seen. */
export function splitText(text: string, from: number, marks: readonly ToneMark[]): TextPiece[] {
  const end = from + text.length;
  const inside = marks.filter((mark) => mark.start < end && mark.end > from && mark.end > mark.start);
  const borders = inside.flatMap((mark) => [Math.max(from, mark.start), Math.min(end, mark.end)]);
  const cuts = [...new Set([from, ...borders, end])].sort((one, other) => one - other);
  return cuts.slice(0, -1).map((start, at) => ({
    start,
    text: text.slice(start - from, (cuts[at + 1] ?? end) - from),
    tone: inside.find((mark) => mark.start <= start && mark.end > start)?.tone ?? null,
  }));
}

/** The marks of the findings in a claim, the gravest first. */
export function markFindings(claim: Claim): ToneMark[] {
  const found = claim.findings.map(({ span: { start, end }, verdict }) => {
    return { start, end, tone: lookOfVerdict(verdict).tone };
  });
  return [...markDiffering(claim, "response"), ...found];
}

/** The words in which a claim and its nearest passage differ: numbers, names, negations and comparisons stand out. */
export function markDiffering({ nearest }: Claim, source: TextSource): ToneMark[] {
  return (nearest?.differing ?? [])
    .filter((word) => word.source === source)
    .map(({ start, end, kind }) => ({ start, end, tone: kind === "word" ? "open" : "missing" }));
}

/** The marks of a claim in the document or the prompt: its evidence, and the passage that is nearest to it. */
export function markSource(claim: Claim, source: TextSource): ToneMark[] {
  const span = claim.nearest?.span;
  const passage = span?.source === source ? [{ start: span.start, end: span.end, tone: "context" as const }] : [];
  const evidence = claim.findings.flatMap((finding) => markEvidence(finding, source));
  return [...evidence, ...markDiffering(claim, source), ...passage];
}

/** The mark of one part of a finding's evidence. */
export function toneOfEvidence({ evidence, verdict }: Finding, span: TextSpan): MarkTone {
  const hasValue = evidence.some((one) => isWithin(one, span) && !isWithin(span, one));
  return hasValue ? "context" : lookOfVerdict(verdict).tone;
}

/** The marks of a finding's evidence in one of the texts, values before their passages. */
export function markEvidence(finding: Finding, source: TextSource): ToneMark[] {
  return finding.evidence
    .filter((span) => span.source === source)
    .map((span) => ({ start: span.start, end: span.end, tone: toneOfEvidence(finding, span) }))
    .sort((one, other) => one.end - one.start - (other.end - other.start));
}
