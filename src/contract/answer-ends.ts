import { z } from "zod";
import { formatNumber } from "./format.ts";

/** How an answer can end. Ledgers have the places of these names: a new one goes to the end. */
const ends = {
  complete: { label: "Complete", words: "complete" },
  /** It calls tools. */
  calls: { label: "With tool calls", words: "with tool calls" },
  /** The limit of its tokens ended it. */
  cut: { label: "Cut", words: "cut by the token limit" },
  /** It has no text, no call and no picture. */
  empty: { label: "Empty", words: "empty" },
  refused: { label: "Refused", words: "refused or filtered" },
  /** For a reason of the service that is none of these, or without one. */
  other: { label: "Other", words: "ended for another reason" },
} as const;

export type AnswerEnd = keyof typeof ends;
export const answerEnds = Object.keys(ends) as readonly AnswerEnd[];
export const answerEndTable: Readonly<Record<AnswerEnd, { readonly label: string; readonly words: string }>> = ends;
export const answerEndSchema = z.enum(answerEnds);

/** How many answers ended in which way; one that is left out has none. */
export type EndCounts = Readonly<Partial<Record<AnswerEnd, number>>>;
export const endCountsSchema = z.partialRecord(answerEndSchema, z.int());

/** `2 cut by the token limit`, `1 empty` …, in the order of the table; nothing where all are complete. */
export function describeEnds(counts: EndCounts): readonly string[] {
  const found = answerEnds.filter((end) => (counts[end] ?? 0) > 0);
  if (found.every((end) => end === "complete")) return [];
  return found.map((end) => `${formatNumber(counts[end] ?? 0)} ${ends[end].words}`);
}

/** `2 break the schema`; nothing where none does. Null says that they could not be counted. */
export function describeMisfits(count: number | null): readonly string[] {
  if (count === null) return ["schema not checked"];
  return count === 0 ? [] : [`${formatNumber(count)} ${count === 1 ? "breaks" : "break"} the schema`];
}

/** Answers that are less than what was asked for. */
const shortEnds = ["cut", "empty", "refused", "other"] as const satisfies readonly AnswerEnd[];

/** How many answers are cut, empty, refused or ended for another reason, as `2 cut, 1 empty`; null where none is. */
export function findShortAnswers(ends: EndCounts): { readonly ends: AnswerEnd[]; readonly words: string } | null {
  const found = shortEnds.filter((end) => (ends[end] ?? 0) > 0);
  const words = found.map((end) => `${formatNumber(ends[end] ?? 0)} ${answerEndTable[end].label.toLowerCase()}`);
  return found.length === 0 ? null : { ends: found, words: words.join(", ") };
}
