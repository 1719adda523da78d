import type { DateMention, DurationMention } from "../../text/dates.ts";
import { within } from "../../text/ranges.ts";
import type { Finding, Range } from "../../types.ts";
import { formatDate } from "./calendar.ts";
import { lengthOf } from "./check-spans.ts";
import { type DatedText, spanOf } from "./dated-text.ts";
import { describeLength, fits } from "./length.ts";

/** Words of a sentence in which something begins, and in which it ends. */
const begins =
  /\b(?:began|begun|begins|start(?:ed|s|ing)?|commenced|founded|established|launched|construction|took office|laid|broke ground|opened)\b/i;
const ends =
  /\b(?:opened|finished|completed|complete|ended|ends|closed|inaugurated|done|over|concluded|dissolved|until|left office|resigned|demolished)\b/i;
/** How a response puts the length of something that began and ended. */
const lasted =
  /\b(?:after|took|taking|lasted|lasting|over|during|for|in|within|required|spent|spanned|spanning)\s(?:about |around |nearly |almost |roughly |approximately |just |only |over |more than |a total of |the next )*$/i;
const vague = /\b(?:about|around|nearly|almost|roughly|approximately|over|more than)\s$/i;
const word = /[a-z]{4,}/gi;
const common: ReadonlySet<string> = new Set(
  "that this with from were been have having which their there after before during years year months month took long when into about around over until only just work".split(
    " ",
  ),
);

/**
 * "After seven years of work", where the document says when it began and when it ended: whether that is the time in
 * between. Only where one beginning and one end stand next to each other in a text and have a word in common with the
 * sentence of the response.
 */
export function checkDurations(response: DatedText, readSources: () => readonly DatedText[]): readonly Finding[] {
  const { text, sentences } = response.text;
  const said = sentences.flatMap((sentence) =>
    within(response.durations, sentence)
      .filter((duration) => isLength(text, sentence, duration))
      .map((duration) => ({ duration, words: wordsOf(text.slice(sentence.start, sentence.end)) })),
  );
  if (said.length === 0) return [];
  const sources = readSources();
  const periods = sources.flatMap((source) => findPeriods(source));
  if (periods.length === 0) return [];
  return said.flatMap(({ duration, words }) => {
    const isSaid = sources.some((source) => source.durations.some(({ seconds }) => seconds === duration.seconds));
    const period = isSaid ? null : findPeriod(periods, words);
    return period === null ? [] : judge(response, duration, period);
  });
}

/** Whether a duration is how long something took: "after seven years", "seven-year". */
function isLength(text: string, sentence: Range, { start, end }: DurationMention): boolean {
  return lasted.test(text.slice(Math.max(sentence.start, start - 40), start)) || text.charAt(end - 5) === "-";
}

interface Period {
  readonly source: DatedText;
  readonly first: DateMention;
  readonly second: DateMention;
  readonly from: Range;
  readonly to: Range;
  readonly words: ReadonlySet<string>;
}

/** Sentences next to each other, or one, with a beginning and an end, each with one date. */
function findPeriods(source: DatedText): readonly Period[] {
  const { text, sentences } = source.text;
  const periods: Period[] = [];
  for (const [index, sentence] of sentences.entries()) {
    const dates = within(source.dates, sentence);
    const [first, second] = dates;
    if (first === undefined || dates.length > 2) continue;
    const next = sentences[index + 1];
    if (second !== undefined) {
      const middle = clauseEnd(text, first, second);
      pushPeriod(
        periods,
        source,
        first,
        second,
        { start: sentence.start, end: middle },
        { start: middle, end: sentence.end },
      );
    } else if (next !== undefined) {
      const [only, ...others] = within(source.dates, next);
      if (only && others.length === 0) pushPeriod(periods, source, first, only, sentence, next);
    }
  }
  return periods;
}

/** Where the part of a sentence about its first date gives way to that about its second. */
function clauseEnd(text: string, first: Range, second: Range): number {
  const joint = text.slice(first.end, second.start).search(/\b(?:and|until|but)\b|[,;]/);
  return joint < 0 ? first.end : first.end + joint;
}

function pushPeriod(
  periods: Period[],
  source: DatedText,
  first: DateMention,
  second: DateMention,
  from: Range,
  to: Range,
): void {
  const { text } = source.text;
  const [beginning, end] = [text.slice(from.start, from.end), text.slice(to.start, to.end)];
  if (!begins.test(beginning) || !ends.test(end) || lengthOf(first, second) === null) return;
  periods.push({ source, first, second, from, to, words: new Set([...wordsOf(beginning), ...wordsOf(end), "work"]) });
}

function findPeriod(periods: readonly Period[], words: ReadonlySet<string>): Period | null {
  const shared = periods.filter((period) => [...words].some((one) => period.words.has(one)) || words.size === 0);
  const [only, ...others] = shared;
  return only !== undefined && others.length === 0 ? only : null;
}

function judge(response: DatedText, duration: DurationMention, { source, first, second }: Period): readonly Finding[] {
  const length = lengthOf(first, second);
  if (length === null || duration.seconds < 86_400 * 25) return [];
  const { text } = response.text;
  const isVague = vague.test(text.slice(Math.max(0, duration.start - 16), duration.start));
  const answer = fits(duration, length, isVague);
  if (answer === null) return [];
  const reason = `From ${formatDate(first)} to ${formatDate(second)} is ${describeLength(length, duration.unit)}.`;
  const evidence = [spanOf(source, first), spanOf(source, second)];
  const range = { start: duration.start, end: duration.end };
  return [{ check: "dates", verdict: answer ? "supported" : "contradicted", range, reason, evidence }];
}

function wordsOf(text: string): ReadonlySet<string> {
  const words = [...text.matchAll(word)].map(([found]) => found.toLowerCase());
  return new Set(words.filter((one) => !common.has(one) || one === "work"));
}
