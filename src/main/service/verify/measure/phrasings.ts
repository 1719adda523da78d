import { restate } from "./restate.ts";
import { spellNumber } from "./spell-number.ts";

/** One way in which people and models put an answer. Null where the answer can't be put so. */
export interface Phrasing {
  readonly name: string;
  readonly put: (answer: string, question: string) => string | null;
}

const asksForPerson =
  /\b(who|whom|whose|man|woman|person|actor|actress|singer|author|writer|player|director|musician|politician|artist)\b/i;

const months = "January February March April May June July August September October November December".split(" ");
const longDate = new RegExp(`\\b(${months.join("|")}) (\\d{1,2}), (\\d{4})\\b`);
const dayFirst = new RegExp(`\\b(\\d{1,2}) (${months.join("|")}) (\\d{4})\\b`);
const person = /^(?:President |Sir |Dr\.? )?([A-Z][\p{L}'’]+) (?:[A-Z][\p{L}.'’]* )?([A-Z][\p{L}'’-]+)$/u;

/** All phrasings. Each says what the plain answer says. */
export const phrasings: readonly Phrasing[] = [
  { name: "full stop", put: (answer) => `${bare(answer)}.` },
  { name: "bold", put: (answer) => `**${bare(answer)}**` },
  { name: "lower case", put: (answer) => bare(answer).toLowerCase() },
  { name: "in quotation marks", put: (answer) => `“${bare(answer).replaceAll('"', "'")}”` },
  { name: "the answer is", put: (answer) => `The answer is ${bare(answer)}.` },
  { name: "the answer is, bold", put: (answer) => `The correct answer is **${bare(answer)}**.` },
  { name: "label", put: (answer) => `Answer: ${bare(answer)}` },
  { name: "question repeated", put: (answer, question) => restate(question, bare(answer)) },
  { name: "question, then answer", put: (answer, question) => `${question.trim()} ${bare(answer)}.` },
  {
    name: "as a clause",
    put: (answer, question) => `To the question of ${lowerFirst(question)}, the passage gives ${bare(answer)}.`,
  },
  { name: "based on the passage", put: (answer) => `Based on the passage, ${bare(answer)}.` },
  {
    name: "according to the text",
    put: (answer) =>
      `According to the information provided in the text, the answer to your question is ${bare(answer)}.`,
  },
  {
    name: "based on, repeated",
    put: (answer, question) => prefix("Based on the given document, ", restate(question, bare(answer))),
  },
  { name: "it seems", put: (answer) => `It seems that it is ${bare(answer)}.` },
  { name: "I believe", put: (answer) => `I believe the answer is ${bare(answer)}, though I could be wrong.` },
  { name: "most likely", put: (answer) => `Most likely ${bare(answer)}, as far as I can tell from the context.` },
  {
    name: "hedge, repeated",
    put: (answer, question) => prefix("If I understand the passage correctly, ", restate(question, bare(answer))),
  },
  {
    name: "chatty",
    put: (answer) => `Great question! That would be ${bare(answer)}. Let me know if you need anything else.`,
  },
  { name: "bullet", put: (answer) => `Here is the answer:\n\n- ${bare(answer)}` },
  { name: "numbered list", put: (answer) => `1. ${bare(answer)}` },
  { name: "JSON", put: (answer) => JSON.stringify({ answer: bare(answer) }) },
  {
    name: "JSON with more keys",
    put: (answer) =>
      `\`\`\`json\n${JSON.stringify({ answer: bare(answer), confidence: 0.93, source: "passage" }, null, 2)}\n\`\`\``,
  },
  { name: "explained", put: (answer) => `${bare(answer)}. This is stated in the passage.` },
  { name: "numbers in words", put: putNumbersInWords },
  {
    name: "first name as an initial",
    put: (answer, question) => putPerson(answer, question, (first, last) => `${first.charAt(0)}. ${last}`),
  },
  { name: "last name alone", put: (answer, question) => putPerson(answer, question, (_, last) => last) },
  {
    name: "last name first",
    put: (answer, question) => putPerson(answer, question, (first, last) => `${last}, ${first}`),
  },
  {
    name: "date, day first",
    put: (answer) => putDate(answer, (year, month, day) => `${day} ${months[month - 1]} ${year}`),
  },
  {
    name: "date, ordinal",
    put: (answer) => putDate(answer, (year, month, day) => `the ${day}${ending(day)} of ${months[month - 1]}, ${year}`),
  },
  {
    name: "date, short month",
    put: (answer) => putDate(answer, (year, month, day) => `${months[month - 1]?.slice(0, 3)} ${day}, ${year}`),
  },
  { name: "date, ISO", put: (answer) => putDate(answer, (year, month, day) => `${year}-${pad(month)}-${pad(day)}`) },
];

function bare(answer: string): string {
  return answer.trim().replace(/\.$/, "");
}

function prefix(text: string, rest: string | null): string | null {
  return rest === null ? null : text + rest;
}

function lowerFirst(question: string): string {
  const trimmed = question.trim().replace(/\?$/, "");
  return trimmed.charAt(0).toLowerCase() + trimmed.slice(1);
}

function putNumbersInWords(answer: string): string | null {
  const put = answer.replace(
    /(?<![\d.,])(\d{1,3}(?:,\d{3})?|\d{1,2})(?![\d.,]*\d|st|nd|rd|th)(%?)/g,
    (_, digits: string, percent: string) => {
      return spellNumber(Number(digits.replace(",", ""))) + (percent === "" ? "" : " percent");
    },
  );
  return put === answer || /\d/.test(put) ? null : put;
}

function putPerson(answer: string, question: string, write: (first: string, last: string) => string): string | null {
  const found = asksForPerson.test(question) ? person.exec(bare(answer)) : null;
  return found?.[1] && found[2] ? write(found[1], found[2]) : null;
}

function putDate(answer: string, write: (year: number, month: number, day: number) => string): string | null {
  const long = longDate.exec(answer);
  if (long) return answer.replace(long[0], write(Number(long[3]), months.indexOf(long[1] ?? "") + 1, Number(long[2])));
  const day = dayFirst.exec(answer);
  if (day) return answer.replace(day[0], write(Number(day[3]), months.indexOf(day[2] ?? "") + 1, Number(day[1])));
  return null;
}

function ending(day: number): string {
  if (day >= 11 && day <= 13) return "th";
  return ["th", "st", "nd", "rd"][day % 10] ?? "th";
}

function pad(value: number): string {
  return String(value).padStart(2, "0");
}
