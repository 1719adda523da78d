import type { DateMention } from "../../text/dates.ts";
import { within } from "../../text/ranges.ts";
import type { Finding } from "../../types.ts";
import { daysInMonth, formatDate, isLeapYear, monthName, toFullDate, weekdayNames, weekdayOf } from "./calendar.ts";
import { type DatedText, spanOf } from "./dated-text.ts";

const leap = /\b(?:is|was|will be)( not|n't|n’t)? a leap year\b/i;

/** What a date that may be wrong by itself goes with: a weekday, or a day that not every month has. */
const hint =
  /\b(?:sun|mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?)(?:day)?\b|(?<!\d)(?:29|3[01])(?!\d)|ninth|thirt/i;

/** Whether each date exists, falls on the weekday that is named with it, and is in a leap year where that is said. */
export function checkCalendar(response: DatedText): readonly Finding[] {
  const dates = hint.test(response.text.text) ? response.dates : [];
  return [...dates.flatMap((date) => checkDate(response, date)), ...checkLeapYears(response)];
}

function checkDate(response: DatedText, date: DateMention): readonly Finding[] {
  const { year, month, day, weekday, isAmbiguous, start, end } = date;
  if (month !== null && day !== null && !isAmbiguous && day > daysInMonth(month, year)) {
    const of = month === 2 && year !== null ? ` in ${year}` : "";
    const reason = `${monthName(month)} has ${daysInMonth(month, year)} days${of}.`;
    return [
      { check: "dates", verdict: "contradicted", range: { start, end }, reason, evidence: [spanOf(response, date)] },
    ];
  }
  const full = toFullDate(date);
  if (weekday === null || full === null) return [];
  const real = weekdayOf(full);
  const range = withWeekday(response, date);
  const name = weekdayNames[real] ?? "";
  if (real === weekday) {
    return [{ check: "dates", verdict: "supported", range, reason: `${formatDate(full)} is a ${name}.`, evidence: [] }];
  }
  const reason = `${formatDate(full)} is a ${name}, not a ${weekdayNames[weekday]}.`;
  return [{ check: "dates", verdict: "contradicted", range, reason, evidence: [spanOf(response, range)] }];
}

/** The date with the weekday before or after it. */
function withWeekday({ text: { text } }: DatedText, { start, end, weekday }: DateMention) {
  const name = weekdayNames[weekday ?? 0]?.slice(0, 3).toLowerCase() ?? "";
  const before = text
    .slice(Math.max(0, start - 20), start)
    .toLowerCase()
    .lastIndexOf(name);
  if (before >= 0) return { start: Math.max(0, start - 20) + before, end };
  const after = text
    .slice(end, end + 30)
    .toLowerCase()
    .indexOf(name);
  const word = after < 0 ? null : /^[a-z]+/i.exec(text.slice(end + after, end + after + 12));
  return { start, end: word === null ? end : end + after + word[0].length };
}

function checkLeapYears(response: DatedText): readonly Finding[] {
  const { text } = response.text;
  if (!text.includes("leap year")) return [];
  return response.text.sentences.flatMap((sentence) => {
    const said = leap.exec(text.slice(sentence.start, sentence.end));
    const years = within(response.numbers, sentence).filter(
      ({ value, end, start }) => end - start === 4 && value > 1582 && value < 10_000,
    );
    const [year] = years;
    if (said === null || year === undefined || years.length !== 1) return [];
    const isLeap = isLeapYear(year.value);
    const verdict = isLeap === (said[1] === undefined) ? ("supported" as const) : ("contradicted" as const);
    const reason = `${year.value} is ${isLeap ? "" : "not "}a leap year.`;
    return [{ check: "dates" as const, verdict, range: sentence, reason, evidence: [spanOf(response, year)] }];
  });
}
