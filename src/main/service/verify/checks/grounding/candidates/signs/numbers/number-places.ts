import { isCalendarWord, monthOf, type NumberMention, type Word } from "../../../../../text/index.ts";
import type { Passage } from "../../../passage.ts";
import { indexNumbers } from "../../index-numbers.ts";
import type { Mention } from "../../read-candidates.ts";
import type { Measure } from "./asked-measure.ts";

/** What a number of the passage is of, from what stands around it. */
export interface NumberPlace {
  /** Null where it only counts, or nothing tells. */
  readonly measure: Measure | null;
  /** The words after it, up to a verb or a small word: "wooden seats". */
  readonly noun: readonly Word[];
  /** Whether measure or noun were left out, and stand with the number before it. */
  readonly isElliptic: boolean;
  /** The day of a date, or the hour of a time. */
  readonly isDate: boolean;
  /** "No. 15", "Lock 2", "15th": it tells which one, not how many. */
  readonly isOrder: boolean;
  /** "15 minutes" of "53 hours 15 minutes". */
  readonly isPart: boolean;
}

const labels =
  /^(no|nos|number|section|chapter|room|ext|extension|lot|page|pages|part|line|stage|step|item|act|art|article|hall|class|grade|level|route|highway|bus|gate|volume|vol|season|episode|track|round|week|dock|block|unit|lock|stitch|needle|size)$/;
const shapes = /^(high|long|wide|deep|tall|thick|across|old)$/;
const lastDay = 31;
const longestNoun = 4;
/** Looked at after a number. In characters. */
const lookahead = 14;

/** Reads what the number at a place is of. */
export function readNumberPlace(passage: Passage, mention: Mention): NumberPlace {
  const place = readPlace(passage, mention);
  if (place.measure !== null || place.noun.length > 0 || place.isDate || place.isOrder) return place;
  const other = findSibling(passage, mention);
  if (other === null) return place;
  const { measure, noun, isDate, isOrder } = readPlace(passage, other);
  return isDate || isOrder ? place : { ...place, measure, noun, isElliptic: true };
}

function readPlace({ text: { text }, words, numbers }: Passage, { from, to, sentence }: Mention): NumberPlace {
  const [before, word, after] = [words[from - 1], words[from], words[to]];
  const number = word ? indexNumbers(numbers).get(word.start) : undefined;
  const end = Math.max(word?.end ?? 0, number?.end ?? 0);
  const isMonth = (other: Word | undefined): boolean =>
    other?.sentence === sentence && other.isCapital && monthOf(other.norm) > 0;
  const isDay = (isMonth(before) || isMonth(after)) && (number === undefined || number.value <= lastDay);
  const isTime = /:$/.test(text.slice(before?.end, word?.start)) || /^:\d/.test(text.slice(end, end + 2));
  return {
    measure: readMeasure(text, before, after, number, end),
    noun: readNoun(words, to, sentence, end),
    isElliptic: false,
    isDate: isDay || (isTime && (before?.isNumber === true || after?.isNumber === true)),
    isOrder: number?.kind === "ordinal" || isLabel(text, before, word),
    isPart: isPart(words, numbers, from, number),
  };
}

/** "Lock 2", "section 6": what is numbered stands right before. */
function isLabel(text: string, before: Word | undefined, word: Word | undefined): boolean {
  if (before === undefined || before.sentence !== word?.sentence) return false;
  if (!/^\.?[ #]*$/.test(text.slice(before.end, word.start))) return false;
  if (labels.test(before.norm)) return true;
  return before.isCapital && !before.isFirst && !before.isFunction && !isCalendarWord(before.norm);
}

function readMeasure(
  text: string,
  before: Word | undefined,
  after: Word | undefined,
  number: NumberMention | undefined,
  end: number,
): Measure | null {
  const rest = text.slice(end, end + lookahead);
  if (number?.currency) return "money";
  if (number?.isPercent) return "percent";
  if (/^ ?(km|m|mi|ft)[2²]/.test(rest) || /^ (sq|square)\b/.test(rest)) return "area";
  if (/^[ -](years?|months?)[ -]old/.test(rest) || /^(age|aged|ages)$/.test(before?.norm ?? "")) return "age";
  if (/^ times\b/.test(rest)) return "times";
  const dimension = number?.unit?.unit.dimension;
  if (dimension !== undefined) return dimension === "count" ? null : dimension;
  if (/^ ?°/.test(rest)) return "temperature";
  return shapes.test(after?.norm ?? "") ? "length" : null;
}

function readNoun(words: readonly Word[], to: number, sentence: number, end: number): readonly Word[] {
  const noun: Word[] = [];
  let last = end;
  for (const word of words.slice(to, to + longestNoun)) {
    if (word.sentence !== sentence || word.isFunction || word.start > last + 1) break;
    // "66 telescopes observed"
    if (noun.length > 0 && word.norm.endsWith("ed")) break;
    if (!word.isNumber) noun.push(word);
    last = word.end;
  }
  return noun;
}

/** "53 hours 15 minutes": the number before is of the same dimension, and right before. */
function isPart(
  words: readonly Word[],
  numbers: readonly NumberMention[],
  from: number,
  number: NumberMention | undefined,
): boolean {
  const earlier = words[from - 2];
  const other = earlier ? indexNumbers(numbers).get(earlier.start) : undefined;
  if (!number?.unit || !other?.unit || words[from - 1]?.end !== other.unit.end) return false;
  return other.unit.unit.dimension === number.unit.unit.dimension && other.unit.unit.factor > number.unit.unit.factor;
}

const farthestSibling = 14;

/** The number that says what this one is of, too: of "5 years, the compressor for 10" the one before, of "22 to 45 kg" the one after. */
function findSibling({ words }: Passage, { from, to, sentence }: Mention): Mention | null {
  const [joint, next] = [words[to], words[to + 1]];
  if (next?.isNumber && next.sentence === sentence && /^(to|or|and)$/.test(joint?.norm ?? ""))
    return { from: to + 1, to: to + 2, sentence };
  for (let at = from - 1; at >= Math.max(0, from - farthestSibling); at -= 1) {
    const word = words[at];
    if (word?.sentence !== sentence) return null;
    if (word.isNumber) return { from: at, to: at + 1, sentence };
  }
  return null;
}
