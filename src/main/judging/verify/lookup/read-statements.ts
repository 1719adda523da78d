import { isFiller } from "../filler.ts";
import { type When, whensOf } from "../text/dates.ts";
import { unite } from "../text/find-material.ts";
import { type Detected, detectLanguage, isGrammar, isUnreadNumber, type Language } from "../text/language.ts";
import { endOfMeasure, measureOf, type NumberMention, numbersOf } from "../text/numbers.ts";
import { readQuotations } from "../text/quotations.ts";
import { findSubject } from "../text/subject.ts";
import { type Word, wordsOf } from "../text/words.ts";
import type { Range, Text } from "../types.ts";
import { firstFrom, within, withoutRanges } from "./index-passages.ts";

/** Something in a claim that can be looked up. */
export type Detail = Range &
  (
    | { readonly kind: "number"; readonly mention: NumberMention; readonly nouns: readonly Word[] }
    | { readonly kind: "date"; readonly mention: When }
    | { readonly kind: "quotation" }
  );

/** A sentence of a response, with what can be looked up in it. */
export interface Statement extends Range {
  readonly text: string;
  readonly words: readonly Word[];
  /** Null where it is another language than that of the source, or none that is known. */
  readonly language: Language | null;
  /**
   * What its words are found by, without those that carry grammar alone or talk about the text; a pronoun that opens it has
   * the subject of the sentence before.
   */
  readonly keys: ReadonlySet<string>;
  /** Those of them that replace a pronoun. */
  readonly inherited: ReadonlySet<string>;
  /** Why its numbers can't be looked up: a sentence. Null where they can. */
  readonly unread: string | null;
  readonly details: readonly Detail[];
  /** How many more it has, which are not looked up. */
  readonly left: number;
}

/** Of a sentence with more details, which is a table in one line, so many are looked up. */
const mostDetails = 200;
/** Shorter quotations are titles, or words that are set off. */
const fewestQuoted = 4;
const codeBlock = /```(?!json)\w*\n[\s\S]*?(?:```|$)/g;
const aboutText =
  /^(?:passage|text|document|context|article|information|provide|accord|mention|stat|answer|question|source|follow)$/;

/**
 * The sentences of a response with their details. What an equation was judged by is no detail, and neither are the numbers
 * of a list; `judged` are the equations, in order. `wanted` is the language of the source, and `usual` that of a sentence
 * that doesn't show its own.
 */
export function readStatements(
  response: Text,
  judged: readonly Range[],
  { wanted, usual }: { readonly wanted: Detected; readonly usual: Detected },
): readonly Statement[] {
  const { text } = response;
  const words = wordsOf(response);
  const quotations = readQuotations(text).filter(({ start, end }) => isLongEnough(words, start, end));
  const skipped = unite([...judged, ...quotations, ...findCode(text)]);
  const whens = withoutRanges(whensOf(response), skipped);
  const numbers = withoutRanges(withoutRanges(numbersOf(response), skipped), whens);
  let subject: readonly Word[] = [];

  return response.sentences.flatMap((range) => {
    const own = within(words, range);
    const ownNumbers = within(numbers, range);
    const sentence = text.slice(range.start, range.end);
    if (own.length === 0 || sentence.endsWith("?") || isFiller(sentence)) return [];
    const detected = detectLanguage(own) ?? usual;
    const language = detected === wanted && detected !== "other" ? detected : null;
    const ownKeys = keysOf(own, language);
    const found = findSubject(own, subject);
    subject = found.subject;
    const inherited = keysOf(found.inherited, language);
    const details: Detail[] = [
      ...ownNumbers
        .filter((mention) => !isMarker(text, range, mention))
        .map((mention): Detail => {
          return {
            kind: "number",
            start: mention.start,
            end: endOfMeasure(mention),
            mention,
            nouns: nounsAfter(text, own, mention),
          };
        }),
      ...within(whens, range).map(
        (mention): Detail => ({ kind: "date", start: mention.start, end: mention.end, mention }),
      ),
      ...within(quotations, range).map(({ start, end }): Detail => ({ kind: "quotation", start, end })),
    ];
    const lookedUp = details.filter((detail) => isKnown(detail, language));
    return [
      {
        ...range,
        text: sentence,
        words: own,
        language,
        unread: describeUnread(own, ownNumbers, language),
        keys: ownKeys.union(inherited),
        inherited,
        details: lookedUp.slice(0, mostDetails),
        left: Math.max(0, lookedUp.length - mostDetails),
      },
    ];
  });
}

/** Why the numbers of a sentence or a passage can't be compared: one is in words, or has a multiplier that is not known. */
export function describeUnread(
  words: readonly Word[],
  numbers: readonly NumberMention[],
  language: Language | null,
): string | null {
  const scale = numbers.find(({ unknownScale }) => unknownScale !== null)?.unknownScale;
  if (scale) return `The multiplier “${scale}” is not known.`;
  const isInWords = withoutRanges(words, numbers).some((word) => isUnreadNumber(word, language));
  return isInWords ? "Numbers in words are read in English only." : null;
}

/**
 * Whether a detail can be judged in a language. In one that is not known, or is not that of the source, these are numbers
 * with their unit, and quotations.
 */
function isKnown(detail: Detail, language: Language | null): boolean {
  if (detail.kind === "quotation") return true;
  return language !== null || (detail.kind === "number" && measureOf(detail.mention) !== null);
}

/** What the words of a sentence are found by. */
export function keysOf(words: readonly Word[], language: Language | null): ReadonlySet<string> {
  const keys = words.filter((word) => !isGrammar(word, language) && !word.isNumber && !aboutText.test(word.key));
  return new Set(keys.map(({ key }) => key));
}

const mostNouns = 3;

/** The words right after a number that may say what it counts: "working days", "votes". */
export function nounsAfter(text: string, words: readonly Word[], { end }: Range): readonly Word[] {
  const nouns: Word[] = [];
  let last = end;
  for (let at = firstFrom(words, end); at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) break;
    const gap = text.slice(last, word.start);
    if ((gap !== " " && gap !== "-" && gap !== "") || word.isFunction || word.isNumber) break;
    nouns.push(word);
    last = word.end;
    if (nouns.length === mostNouns) break;
  }
  return nouns;
}

function isLongEnough(words: readonly Word[], start: number, end: number): boolean {
  const last = words[firstFrom(words, start) + fewestQuoted - 1];
  return last !== undefined && last.end <= end;
}

function findCode(text: string): readonly Range[] {
  if (!text.includes("```")) return [];
  return [...text.matchAll(codeBlock)].map(({ index, 0: found }) => ({ start: index, end: index + found.length }));
}

const longestBefore = 40;
const bookkeeping = /"(?:confidence|score|probability|certainty|id|index|rank|step)"\s*:\s*$/i;

/** The number of a list or a step, and what JSON says about itself. */
function isMarker(text: string, sentence: Range, { start, end }: NumberMention): boolean {
  const before = text.slice(Math.max(sentence.start, start - longestBefore), start);
  if (start - sentence.start < longestBefore && /^[\s(*#_-]*$/.test(before) && /^[.):]/.test(text.slice(end, end + 1)))
    return true;
  if (/\b(?:step|question|option|item|point|part) $/i.test(before)) return true;
  return bookkeeping.test(before);
}
