import {
  type Agreement,
  agreementKeys,
  type ColumnName,
  type ColumnsWith,
  claimKeys,
  countVerdicts,
  type FormVerdict,
  formKeys,
  type Grade,
  labelPaths,
  type Verdict,
  type VerdictCounts,
} from "#contract";
import { fromPairKey, type LabelPair } from "#main/judging";
import { type CodeColumn, unknownTokens } from "./fact-columns.ts";
import type { LineCosts } from "./line-costs.ts";
import { type LineIndex, lineStates, timeAt } from "./line-index.ts";

/** The result of lines in a run over them. */
export interface MarkIndex<Mark extends string> {
  /** How many lines have a mark: another number, another content. */
  readonly done: number;
  mark(line: number): Mark | null;
  hasKind(line: number, kinds: ReadonlySet<string>): boolean;
  keyOf(line: number): string | null;
  countOf(line: number, key: string): number;
}

/** What is known of lines without reading them. */
export interface IndexedLines {
  readonly index: LineIndex;
  /** Null where there are none. */
  readonly marks: { readonly verdicts: MarkIndex<Verdict> | null; readonly grades: MarkIndex<Grade> | null };
  /** What the answer of each line cost, NaN where that is not known; null where no price is known. */
  readonly costs: LineCosts | null;
}

/** Reads a value by the line's number less one. */
type ReadAt<Value> = (at: number) => Value;
/** A column of words: as codes, or as the words themselves. */
export type Words = CodeColumn | ReadAt<string | null>;

type InIndex = Exclude<ColumnName, ColumnsWith<{ readFrom: string }>>;
type OfNumbers = ColumnsWith<{ kind: string }>;

/** The columns of numbers; NaN where a line has none. */
const numbers: Readonly<Record<Extract<InIndex, OfNumbers>, (lines: IndexedLines) => ReadAt<number>>> = {
  line: () => (at) => at + 1,
  prompt_tokens: ({ index: { columns } }) => tokensOf(columns.promptTokens),
  completion_tokens: ({ index: { columns } }) => tokensOf(columns.completionTokens),
  milliseconds:
    ({ index: { columns } }) =>
    (at) =>
      timeAt(columns, at),
  cost: ({ costs }) => costs ?? (() => Number.NaN),
};

/** The columns of words. */
const words: Readonly<Record<Exclude<InIndex, OfNumbers>, (lines: IndexedLines) => Words>> = {
  status: ({ index: { columns } }) => ({ codes: columns.states, names: lineStates }),
  finish: ({ index: { columns } }) => columns.finishReasons,
  end: ({ index: { columns } }) => columns.ends,
  error: ({ index: { columns } }) => columns.errorCodes,
  verdict: ({ marks }) => markOf(marks.verdicts),
  form:
    ({ marks }) =>
    (at) =>
      formOfLine(marks.verdicts, at + 1),
  agreement:
    ({ marks }) =>
    (at) =>
      agreementOfLine(marks.verdicts, at + 1),
  grade: ({ marks }) => markOf(marks.grades),
  [labelPaths.expected]: ({ marks }) => labelsOf(marks.grades, 0),
  [labelPaths.given]: ({ marks }) => labelsOf(marks.grades, 1),
};

/** A column of numbers that is in the index; null for any other. */
export function numbersOf(lines: IndexedLines, path: string): ReadAt<number> | null {
  return Object.hasOwn(numbers, path) ? numbers[path as keyof typeof numbers](lines) : null;
}

/** A column of words that is in the index; null for any other. */
export function wordsOf(lines: IndexedLines, path: string): Words | null {
  return Object.hasOwn(words, path) ? words[path as keyof typeof words](lines) : null;
}

/** The same, each word by itself. */
export function textsOf(lines: IndexedLines, path: string): ReadAt<string | null> | null {
  const found = wordsOf(lines, path);
  return found && toTexts(found);
}

export function toTexts(words: Words): ReadAt<string | null> {
  if (typeof words === "function") return words;
  const { codes, names } = words;
  return (at) => names[codes[at] ?? 0] || null;
}

function tokensOf(tokens: Uint32Array): ReadAt<number> {
  return (at) => {
    const known = tokens[at] ?? unknownTokens;
    return known === unknownTokens ? Number.NaN : known;
  };
}

const agreementKinds = { disagree: new Set([agreementKeys.disagree]), agree: new Set([agreementKeys.agree]) };

/** Whether rules and model agree about an answer; null where they did not both judge a claim. */
export function agreementOfLine(verdicts: MarkIndex<Verdict> | null, line: number): Agreement | null {
  if (verdicts?.hasKind(line, agreementKinds.disagree)) return "disagree";
  return verdicts?.hasKind(line, agreementKinds.agree) ? "agree" : null;
}

/** The claims of an answer by verdict; null for one that has not been verified. */
export function claimsOfLine(verdicts: MarkIndex<Verdict> | null, line: number): VerdictCounts | null {
  if (verdicts === null || verdicts.mark(line) === null) return null;
  return countVerdicts((verdict) => verdicts.countOf(line, claimKeys[verdict]));
}

const formKinds = { broken: new Set([formKeys.broken]), kept: new Set([formKeys.kept]) };

/** Whether an answer has the form that was asked for; null where nothing about it was checked. */
export function formOfLine(verdicts: MarkIndex<Verdict> | null, line: number): FormVerdict | null {
  if (verdicts?.hasKind(line, formKinds.broken)) return "broken";
  return verdicts?.hasKind(line, formKinds.kept) ? "kept" : null;
}

function markOf(marks: MarkIndex<string> | null): ReadAt<string | null> {
  return (at) => marks?.mark(at + 1) ?? null;
}

/** The labels of graded lines that were expected, or given; null for a line without one, as where another text was given. */
function labelsOf(grades: MarkIndex<Grade> | null, place: 0 | 1): ReadAt<string | null> {
  const pairs = new Map<string, LabelPair>();
  return (at) => {
    const key = grades?.keyOf(at + 1) ?? null;
    if (key === null) return null;
    const pair = pairs.get(key) ?? fromPairKey(key);
    pairs.set(key, pair);
    return pair[place];
  };
}
