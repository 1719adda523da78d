import type { DateMention } from "../../text/dates.ts";
import { within } from "../../text/ranges.ts";
import type { Finding } from "../../types.ts";
import { formatDate } from "./calendar.ts";
import { type DatedText, spanOf } from "./dated-text.ts";

const earlier =
  /\b(?:followed by|before|earlier than|preceded(?! by)|precedes|predates|predated|prior to|older than)\b/i;
const later =
  /\b(?:preceded by|after|later than|followed(?! by)|follows|postdates|newer than|more recent than|younger than)\b/i;
const negated = /\b(?:not|never|n't|whether|if)\b|n['’]t\b/i;

/** "A (1990) came before B (1985)": whether the years stand in the order that the sentence says. */
export function checkOrder(response: DatedText): readonly Finding[] {
  const { text, sentences } = response.text;
  if (!text.includes("(") || !(earlier.test(text) || later.test(text))) return [];
  return sentences.flatMap((sentence) => {
    const dates = within(response.dates, sentence);
    const [first, second, ...others] = dates;
    if (first === undefined || second === undefined || others.length > 0) return [];
    if (!isInBrackets(text, first) || !isInBrackets(text, second)) return [];
    const between = text.slice(first.end, second.start);
    if (
      negated.test(between) ||
      earlier.test(between) === later.test(between) ||
      /[;:]|\b(?:and|but|while)\b/.test(between)
    )
      return [];
    return judge(response, first, second, earlier.test(between));
  });
}

function judge(response: DatedText, first: DateMention, second: DateMention, isEarlier: boolean): readonly Finding[] {
  if (first.year === null || second.year === null || first.year === second.year) return [];
  const isRight = first.year < second.year === isEarlier;
  const range = { start: first.start, end: second.end };
  const reason = `${formatDate(first)} is ${first.year < second.year ? "before" : "after"} ${formatDate(second)}.`;
  const evidence = [spanOf(response, first), spanOf(response, second)];
  return [{ check: "dates", verdict: isRight ? "supported" : "contradicted", range, reason, evidence }];
}

/** Only a year in brackets is sure to be that of the name before it. */
function isInBrackets(text: string, { start, end }: DateMention): boolean {
  return text.charAt(start - 1) === "(" && text.charAt(end) === ")";
}
