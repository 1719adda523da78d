import type { DateMention, DurationMention } from "../../text/dates.ts";
import { within } from "../../text/ranges.ts";
import type { Finding } from "../../types.ts";
import { daysBetween, type FullDate, formatDate, toFullDate } from "./calendar.ts";
import { type DatedText, spanOf } from "./dated-text.ts";
import { describeLength, fits, type Length } from "./length.ts";

const between = /^\s?(?:to|until|till|through|and|–|—|-|up to)\s?(?:the )?$/;
const before = /\b(?:from|between|since)\s(?:the )?$|[(]$/i;
/** Words between the two dates and the length that make it the length of that time. */
const joined =
  /^[\s,):;–—-]*(?:(?:a|is|was|are|were|lasted|lasting|spans|spanning|took|there|that|which|it|for|about|roughly|exactly|the|period|span|total|of|equals|or|i\.e\.|altogether|some|almost|nearly|over|just|around|approximately|more than|less than|difference|time|reign|reigned|ran|war|makes|gives)[\s,]*){0,7}$/i;
const joinedBefore =
  /^\s?(?:years?|months?|weeks?|days?)?[\s,(]*(?:(?:long|of|in|period|time|later|between|from|elapsed|passed|have|are|there)[\s,(]*){0,4}$/i;
const vague =
  /\b(?:about|around|roughly|approximately|nearly|almost|over|more than|less than|some|at least|up to|under)\s?$/i;
const farthest = 60;

/** "From 1925 to 1937, twelve years", "10 days between 1 March and 11 March": whether the length is that of the time. */
export function checkSpans(response: DatedText): readonly Finding[] {
  const { text } = response.text;
  if (response.durations.length === 0) return [];
  return response.dates.flatMap((first, index) => {
    const second = response.dates[index + 1];
    if (second === undefined || second.start - first.end > 20 || !between.test(text.slice(first.end, second.start)))
      return [];
    const isPeriod = before.test(text.slice(Math.max(0, first.start - 14), first.start));
    const duration = isPeriod ? findDuration(response, first, second) : null;
    return duration === null ? [] : judge(response, first, second, duration);
  });
}

/** The one length of time that is said right after the period, or right before it. One that a sum goes on from is neither. */
function findDuration(response: DatedText, first: DateMention, second: DateMention): DurationMention | null {
  const { text } = response.text;
  const near = within(response.durations, { start: first.start - farthest, end: second.end + farthest });
  const after = near.find(({ start }) => start >= second.end && joined.test(text.slice(second.end, start)));
  if (after) return /^\s?[-+*/×÷=]/.test(text.slice(after.end, after.end + 2)) ? null : after;
  const last = near.findLast(({ end }) => end <= first.start);
  const words = last && text.slice(last.end, first.start);
  return last && words !== undefined && joinedBefore.test(words) ? last : null;
}

function judge(
  response: DatedText,
  first: DateMention,
  second: DateMention,
  duration: DurationMention,
): readonly Finding[] {
  const length = lengthOf(first, second);
  if (length === null) return [];
  const { text } = response.text;
  const isVague = vague.test(text.slice(Math.max(0, duration.start - 16), duration.start));
  const answer = fits(duration, length, isVague);
  if (answer === null) return [];
  const range = { start: Math.min(first.start, duration.start), end: Math.max(second.end, duration.end) };
  const reason = `From ${formatDate(first)} to ${formatDate(second)} is ${describeLength(length, duration.unit)}.`;
  const evidence = answer ? [] : [spanOf(response, first), spanOf(response, second), spanOf(response, duration)];
  return [{ check: "dates", verdict: answer ? "supported" : "contradicted", range, reason, evidence }];
}

/** The time between two dates, in days where both are full, in years where at least these are known. */
export function lengthOf(first: DateMention, second: DateMention): Length | null {
  if (first.isDecade || second.isDecade) return null;
  const year = first.year ?? second.year;
  const [from, to] = [complete(first, year), complete(second, second.year)];
  if (from && to) {
    const days = daysBetween(from, to);
    return days < 0 ? null : { days, years: days / 365.2425, isExact: true };
  }
  if (first.year === null || second.year === null || second.year < first.year) return null;
  const years = second.year - first.year - (first.year < 0 && second.year > 0 ? 1 : 0);
  return { days: years * 365.2425, years, isExact: false };
}

function complete(date: DateMention, year: number | null): FullDate | null {
  // Without a year, one that is no leap year stands in, unless the dates lie on both sides of the end of February.
  return toFullDate({ ...date, year: date.year ?? year ?? 2023 });
}
