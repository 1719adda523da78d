import { lazy } from "../../../lazy.ts";
import type { NumberMention } from "../../../text/index.ts";
import type { Evidence } from "../evidence.ts";
import { agrees, type Manner } from "../numbers.ts";
import { hasNumeral } from "../spellings.ts";
import { isCount, isDecimalComma, isMeasuredOtherwise, isOfOthers, isPayments, isScaled, isShare } from "./amounts.ts";
import { asksForSum, isDifference, readComputed, round, speaksOfSum } from "./differences.ts";
import { compoundsOf, readCompounds } from "./read-known.ts";
import { isDecadeInWords, isRounded, isSpoken } from "./spoken.ts";
import {
  isAge,
  isCentury,
  isDecade,
  isHour,
  isLength,
  isPartOfDate,
  isPeriod,
  isYearInShort,
  isYearInWords,
} from "./times.ts";

/** So many numbers of a response are looked at twice. */
const mostSaid = 200;

/** Tells whether a number of a response is one of the passage in another form. `at` is its index among the response's. */
export type Following = (text: string, mentions: readonly NumberMention[], at: number, manner: Manner) => boolean;

/** What numbers follow from is read from the passage when one is asked for that it doesn't have as it is. */
export function createFollowing(evidence: Evidence): Following {
  const known = evidence.passage;
  const computed = lazy(() => readComputed(evidence.asked, known.numbers));
  let asked = 0;
  return (text, mentions, at, manner) => {
    const said = mentions[at];
    asked += 1;
    if (!said || asked > mostSaid) return false;
    return (
      isYearInShort(text, said, known) ||
      isYearInWords(mentions, at, known) ||
      isSpoken(text, mentions, at, known) ||
      isDecadeInWords(text, said, known) ||
      isRounded(text, said, manner, known) ||
      isHour(text, said, known) ||
      isPartOfDate(text, said, known) ||
      isShare(text, said, known) ||
      isCentury(text, said, known) ||
      isDecimalComma(text, said, known) ||
      (said.unit !== null && isLength(readCompounds(text, mentions.slice(Math.max(0, at - 1), at + 2)), said, known)) ||
      isOfOthers(said, evidence, known) ||
      isDecade(text, said, known) ||
      isScaled(text, said, known) ||
      isCount(said, known) ||
      isAge(text, said, evidence, known) ||
      isPeriod(said, known) ||
      hasNumeral(evidence, said.isWord ? text.slice(said.start, said.end) : "") ||
      isMeasuredOtherwise(said, known) ||
      isPayments(said, known) ||
      compoundsOf(known).some((compound) => agrees(said, manner, compound)) ||
      (isDifference(said, known) &&
        (said.unit?.unit.dimension === "time" || speaksOfSum(text, said) || asksForSum(evidence.asked))) ||
      computed().has(round(said.value))
    );
  };
}
