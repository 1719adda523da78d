import { kindsOf, type Word } from "../../../../../text/index.ts";
import type { Context } from "../../../context.ts";
import type { Candidate } from "../../read-candidates.ts";
import { type AskedMeasure, readAskedMeasure } from "./asked-measure.ts";
import { type NumberPlace, readNumberPlace } from "./number-places.ts";

export type NumberSign = "measureSame" | "measureOther" | "countedSame" | "countedOther" | "numberOfDate";

const supporting: readonly NumberSign[] = ["measureSame", "countedSame"];
const opposing: readonly NumberSign[] = ["measureOther", "countedOther", "numberOfDate"];

/**
 * Whether a number is of what the question wants to have measured or counted. What speaks for it may stand at one of its
 * places; what speaks against it, at all.
 */
export function readNumberSigns(
  { evidence, question }: Context,
  { kind, mentions }: Candidate,
): Partial<Record<NumberSign, number>> {
  if (kind === "name") return {};
  const asked = readAskedMeasure(question);
  if (asked.measures.size === 0 && asked.counted.length === 0) return {};
  const all = mentions.map((mention) => readSignsOf(asked, readNumberPlace(evidence.passage, mention)));
  const signs: Partial<Record<NumberSign, number>> = {};
  for (const name of supporting) signs[name] = Math.max(...all.map((each) => each[name] ?? 0));
  for (const name of opposing) signs[name] = Math.min(...all.map((each) => each[name] ?? 0));
  return signs;
}

/** Of what is left out and read from the number before. */
const elliptic = 0.6;
/** There is hardly a choice: the day of a date counts nothing. */
const certain = 2;

function readSignsOf({ measures, counted }: AskedMeasure, place: NumberPlace): Partial<Record<NumberSign, number>> {
  if (place.isDate) return { numberOfDate: certain };
  const signs: Partial<Record<NumberSign, number>> = {};
  const share = place.isElliptic ? elliptic : 1;
  const measure = place.measure === "time" && measures.has("age") ? "age" : place.measure;
  if (measures.size > 0 && measure !== null)
    signs[measures.has(measure) && !place.isPart ? "measureSame" : "measureOther"] = share;
  else if (measures.size > 0 && place.noun.length > 0) signs.measureOther = share / 2;
  if (counted.length === 0) return signs;
  const isCounted = place.noun.some((word) => counted.some((other) => isSame(word, other)));
  if (isCounted) signs.countedSame = share;
  else if (!place.isElliptic && (place.noun.length > 0 || place.measure !== null)) signs.countedOther = 1;
  return signs;
}

function isSame(word: Word, other: Word): boolean {
  return word.key === other.key || word.root === other.root || kindsOf(word.key).includes(other.key);
}
