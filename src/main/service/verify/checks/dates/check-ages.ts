import type { DateMention } from "../../text/dates.ts";
import type { NumberMention } from "../../text/numbers.ts";
import { within } from "../../text/ranges.ts";
import type { Finding, Range } from "../../types.ts";
import { type DatedText, spanOf } from "./dated-text.ts";

const born = /\b(?:born|birth)\b[^.;\n]{0,60}$/i;
const aged = /\b(?:aged|age|age of|at age|at the age of|turned|turning)\s(?:just |only |about )?$/i;
/** Most characters between an age and its year, and what begins another statement in between. */
const farthest = 40;
const elsewhere = /\b(?:and|but|while|then|later|before|after)\b|;/i;
const aboutLife = /\b(?:born|birth|age[ds]?|died|death|years? old|turn(?:ed|ing))\b/i;
const yearsOld = /^(?:[\s-]years?[\s-]old\b)/i;

/** "Born in 1950 … aged 32 in 1980": whether the age fits the years. The year of birth may stand in document or prompt. */
export function checkAges(response: DatedText, readSources: () => readonly DatedText[]): readonly Finding[] {
  const { text, sentences } = response.text;
  if (!aboutLife.test(text)) return [];
  const readBirths = () => [response, ...readSources()].map((source) => ({ source, births: findBirths(source) }));
  let births: ReturnType<typeof readBirths> | undefined;
  return sentences.flatMap((sentence, index) => {
    const ages = within(response.numbers, sentence).filter((number) => isAge(text, number));
    const [age] = ages;
    if (age === undefined || ages.length !== 1) return [];
    const near = { start: sentences[index - 1]?.start ?? sentence.start, end: sentence.end };
    births ??= readBirths();
    const birth = births
      .map(({ source, births: all }) => ({ source, birth: pickBirth(all, source === response ? near : null) }))
      .find((one) => one.birth !== null);
    if (!birth?.birth) return [];
    const event = findEvent(response, sentence, age, birth.birth, birth.source === response);
    return event === null ? [] : judge(response, age, birth.source, birth.birth, event);
  });
}

/** Dates soon after "born" or "birth", with no other date in between. */
function findBirths({ text: { text }, dates }: DatedText): readonly DateMention[] {
  return dates.filter(({ start, year, isDecade }) => {
    if (year === null || isDecade) return false;
    const from = Math.max(0, start - 70);
    const said = born.exec(text.slice(from, start));
    return said !== null && within(dates, { start: from + said.index, end: start }).length === 0;
  });
}

/** The only birth of a text, where it is near enough. */
function pickBirth(births: readonly DateMention[], near: Range | null): DateMention | null {
  const [only, ...others] = births;
  if (only === undefined || others.length > 0) return null;
  return near === null || (only.start >= near.start && only.end <= near.end) ? only : null;
}

function isAge(text: string, { start, end, value, kind, unit, isPercent, currency }: NumberMention): boolean {
  if (kind !== "cardinal" || isPercent || currency !== null || value < 0 || value > 130 || !Number.isInteger(value))
    return false;
  const before = text.slice(Math.max(0, start - 24), start);
  if (yearsOld.test(text.slice(end, end + 12))) return true;
  return unit === null && aged.test(before);
}

/** The one other year of the sentence: when the person had that age. */
function findEvent(
  response: DatedText,
  sentence: Range,
  age: Range,
  birth: DateMention,
  isOwnBirth: boolean,
): DateMention | null {
  const events = within(response.dates, sentence).filter(
    (date) => date.year !== null && !date.isDecade && !(isOwnBirth && date.start === birth.start),
  );
  const [event, ...others] = events;
  if (event === undefined || others.length > 0 || event.start === age.start) return null;
  const between = response.text.text.slice(Math.min(event.end, age.end), Math.max(event.start, age.start));
  return between.length <= farthest && !elsewhere.test(between) ? event : null;
}

function judge(
  response: DatedText,
  age: NumberMention,
  source: DatedText,
  birth: DateMention,
  event: DateMention,
): readonly Finding[] {
  if (birth.year === null || event.year === null || event.year < birth.year) return [];
  const [least, most] = agesIn(birth, event);
  const isRight = age.value >= least && age.value <= most;
  const range = { start: Math.min(age.start, event.start), end: Math.max(age.end, event.end) };
  const years = least === most ? `${most}` : `${least} or ${most}`;
  const reason = `Who was born in ${birth.year} was ${years} in ${event.year}.`;
  const evidence = [spanOf(source, birth), spanOf(response, event), spanOf(response, age)];
  return [{ check: "dates", verdict: isRight ? "supported" : "contradicted", range, reason, evidence }];
}

/** The ages that somebody has in a year, or on a date where both are known. */
function agesIn(birth: DateMention, event: DateMention): readonly [number, number] {
  const years = (event.year ?? 0) - (birth.year ?? 0);
  if (birth.month === null || event.month === null || birth.month === event.month)
    return [Math.max(0, years - 1), years];
  const age = event.month > birth.month ? years : years - 1;
  return [age, age];
}
