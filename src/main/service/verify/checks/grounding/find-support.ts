import type { TextSpan } from "#contract";
import type { Finding, Range } from "../../types.ts";
import { isExtractive } from "./check-answer.ts";
import { type Context, createFinding, quote } from "./context.ts";
import { positionsOf, spanOf } from "./evidence.ts";

const mostEvidence = 4;

/** A part of the response that stands in the evidence: `[from, to)` of its words. */
interface Supported {
  readonly from: number;
  readonly to: number;
}

/** For each sentence of the response without a contradiction: the names, numbers and answers in it that the evidence has. */
export function findSupport(context: Context, contradicted: readonly Finding[]): readonly Finding[] {
  const { answer } = context;
  const bySentence = new Map<number, Supported[]>();
  for (const part of [...namedParts(context), ...numberParts(context), ...answerParts(context)]) {
    const sentence = answer.words[part.from]?.sentence ?? 0;
    const parts = bySentence.get(sentence) ?? [];
    if (!parts.some(({ from, to }) => from < part.to && to > part.from)) bySentence.set(sentence, [...parts, part]);
  }
  return [...bySentence].flatMap(([sentence, parts]) => {
    const range = answer.text.sentences[sentence];
    return range === undefined || contradicted.some((finding) => overlaps(finding.range, range))
      ? []
      : [describe(context, range, parts)];
  });
}

function namedParts({ answer, evidence }: Context): readonly Supported[] {
  return answer.names.filter(({ from, to }) =>
    answer.words.slice(from, to).some((word) => !word.isFunction && positionsOf(evidence, word).length > 0),
  );
}

function numberParts({ answer }: Context): readonly Supported[] {
  const known = answer.numbers.filter(({ isInPassage }) => isInPassage).map(({ mention }) => mention);
  return answer.statements.flatMap(({ at, word }) =>
    known.some(({ start, end }) => word.start >= start && word.end <= end) ? [{ from: at, to: at + 1 }] : [],
  );
}

/** The words of a short answer that the question doesn't have. */
function answerParts(context: Context): readonly Supported[] {
  if (!isExtractive(context)) return [];
  return context.answer.statements.flatMap(({ at, isAsked, isInPassage }) =>
    isInPassage && !isAsked ? [{ from: at, to: at + 1 }] : [],
  );
}

function describe(context: Context, range: Range, parts: readonly Supported[]): Finding {
  const { answer, subject } = context;
  const sorted = parts.toSorted((a, b) => a.from - b.from);
  const shown = sorted.slice(0, mostEvidence).map(({ from, to }) => {
    return quote(answer.text.text.slice(answer.words[from]?.start ?? 0, answer.words[to - 1]?.end ?? 0));
  });
  const rest = sorted.length - shown.length;
  const list = rest > 0 ? `${shown.join(", ")} and ${rest} more` : shown.join(", ");
  return createFinding("supported", range, `${subject} mentions ${list}.`, findEvidence(context, sorted));
}

/** Where the evidence has the parts: each as near to the one before as it stands. */
function findEvidence({ answer, evidence }: Context, parts: readonly Supported[]): readonly TextSpan[] {
  let near = -1;
  return parts.slice(0, mostEvidence).flatMap(({ from, to }) => {
    const words = answer.words.slice(from, to).filter((word) => !word.isFunction && positionsOf(evidence, word).length > 0);
    const first = words[0];
    if (!first) return [];
    const at = nearest(positionsOf(evidence, first), near);
    near = at;
    const last = words.at(-1);
    const end = last && last !== first ? nearest(positionsOf(evidence, last), at) : at;
    return [spanOf(evidence, at, end >= at && end - at < 6 ? end + 1 : at + 1)];
  });
}

function nearest(positions: readonly number[], to: number): number {
  let best = positions[0] ?? 0;
  if (to < 0) return best;
  for (const at of positions) if (Math.abs(at - to) < Math.abs(best - to)) best = at;
  return best;
}

function overlaps(a: Range, b: Range): boolean {
  return a.start < b.end && a.end > b.start;
}
