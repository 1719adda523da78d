import type { Finding, Range } from "../types.ts";
import { broken, findWord, followed, isConditional, type Rule, readQuoted } from "./instruction.ts";

/** "Don't", "doesn't", "must not", "never", "avoid", "without": whatever forbids what follows. */
const not =
  "\\b(?:\\w+n't|cannot|not|never|avoid|avoids|avoiding|without|exclude|excludes|excluding|no use of)\\s+(?:to )?(?:ever )?";
const use =
  "(?:us(?:e|es|ing)|mention(?:s|ing)?|say(?:s|ing)?|includ(?:e|es|ing)|writ(?:e|es|ing)|contain(?:s|ing)?|repeat(?:s|ing)?|have|having)";
const which = "(?:any of |all of |all |any )?(?:the |these |those )?(?:following )?(?:exact )?";
const things = "(?:words?|terms?|phrases?|keywords?|expressions?)\\b\\s*:?\\s*";
const forbids = new RegExp(`${not}(?:${use} )?${which}${things}`, "i");
const forbidsQuoted = new RegExp(`${not}${use}\\s+(?=["\`'])`, "i");
const requires = new RegExp(`\\b(?:include|contain|use|mention)s?\\s+${which}${things}(?=["\`'])`, "i");
const instead = /\b(?:instead|rather than|as a|at least once each|or)\b/i;

const forbiddenMarks: readonly { readonly asked: RegExp; readonly found: RegExp; readonly name: string }[] = [
  {
    asked:
      /\b(?:do not|don't|never|avoid) (?:use|using|include|including) (?:any )?commas\b|\bwithout (?:using )?(?:any )?commas\b/i,
    found: /(?<!\d),|,(?!\d)/,
    name: "commas",
  },
  {
    asked:
      /\b(?:do not|don't|never|avoid) (?:use|using|include|including) (?:any )?exclamation (?:marks|points)\b|\bwithout (?:any )?exclamation (?:marks|points)\b/i,
    found: /!/,
    name: "exclamation marks",
  },
  {
    asked:
      /\b(?:do not|don't|never|avoid) (?:use|using|include|including) (?:any )?emojis?\b|\bwithout (?:any )?emojis?\b/i,
    found: /\p{Extended_Pictographic}/u,
    name: "emojis",
  },
];

/** Words and marks that must or must not be in the response. */
export const checkWords: Rule = (instruction, reading) => {
  const { text } = instruction;
  const { text: response } = reading.response;
  const findings: Finding[] = [];
  const forbidding = forbids.exec(text) ?? forbidsQuoted.exec(text);
  if (forbidding !== null && !isConditional(text.slice(forbidding.index), 0, forbidding[0].length)) {
    const words = readWords(text.slice(forbidding.index + forbidding[0].length));
    const hit = words.map((word) => ({ word, range: findWord(response, word) })).find(({ range }) => range !== null);
    if (hit?.range)
      findings.push(broken(instruction, reading, `The prompt forbids the word "${hit.word}".`, hit.range));
    else if (words.length > 0)
      findings.push(followed(instruction, reading, "None of the words that the prompt forbids is there."));
  }
  const requiring = forbidding === null ? requires.exec(text) : null;
  if (requiring !== null && !instead.test(text) && !isConditional(text, requiring.index, requiring[0].length)) {
    const words = readWords(text.slice(requiring.index + requiring[0].length));
    const missing = words.find((word) => !response.toLowerCase().includes(word.toLowerCase()));
    if (missing !== undefined)
      findings.push(broken(instruction, reading, `The prompt asks for the word "${missing}", and it is not there.`));
    else if (words.length > 0)
      findings.push(followed(instruction, reading, "All words that the prompt asks for are there."));
  }
  for (const { asked, found, name } of forbiddenMarks) {
    const at = asked.exec(text);
    if (at === null || isConditional(text.slice(at.index), 0, at[0].length)) continue;
    const mark = found.exec(response);
    if (mark === null) continue;
    const range = { start: mark.index, end: mark.index + mark[0].length };
    findings.push(broken(instruction, reading, `The prompt forbids ${name}.`, range));
  }
  return findings;
};

const mostWords = 30;

const otherClause =
  /[.;]\s|,? (?:but|however|instead|(?:and|then),? (?:do |please |always )?(?:include|mention|use|contain|write|say))\b/;

/** Words in quotation marks; where there are none, the one word that is there. */
function readWords(text: string): string[] {
  // What follows "but" or "and use" is asked for, or forbidden, by another verb.
  const clause = text.split(otherClause, 1)[0] ?? "";
  const bare = /^([\p{L}'-]{2,40})(?:[.!,]?$| (?:in|or|anywhere|at|when|here|and)\b)/u.exec(clause.trim())?.[1];
  const quoted = readQuoted(clause).filter((word) => word !== "");
  if (quoted.length > 0) return quoted.slice(0, mostWords);
  return bare === undefined ? [] : [bare];
}

const askedEdge =
  /^(?:(?:your|the) (?:entire )?(?:answer|response|reply|output) (?:must|should|has to|needs to) )?(start|begin|end|finish|conclude)\s+(?:(?:your|the) )?(?:entire )?(?:answer|response|reply|output|it|message)?\s*(?:with|by saying)\s+(?:exactly )?(?:the )?(?:exact )?(?:words?|phrase|sentence|text|letter)?\s*(?=["'`])/i;

/** 'Start your answer with "Yes"', 'End with the phrase "Is there anything else?"'. */
export const checkEdges: Rule = (instruction, reading) => {
  const found = askedEdge.exec(instruction.text);
  if (found === null || isConditional(instruction.text, found.index, found[0].length)) return [];
  const [quoted, other] = readQuoted(instruction.text.slice(found[0].length));
  if (!quoted || other !== undefined) return [];
  const isStart = /^(?:start|begin)/i.test(found[1] ?? "");
  const answer = plainOf(reading.response.text);
  const wanted = plainOf(quoted);
  const side = isStart ? "start" : "end";
  if (wanted === "") return [];
  const fits = isStart ? answer.startsWith(wanted) : answer.endsWith(wanted);
  if (fits) return [followed(instruction, reading, `The response ${side}s with "${quoted}", as the prompt asks.`)];
  return [
    broken(instruction, reading, `The prompt asks that the response ${side}s with "${quoted}", and it does not.`),
  ];
};

/** Letters and digits with single spaces between them: marks and emphasis around a word don't matter. */
function plainOf(text: string): string {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== "")
    .join(" ");
}

const askedCase =
  /^(?:only |just )?(?:(?:answer|respond|reply|write|output|give)(?: (?:your|the|entire|whole|full|answer|response|reply|output|everything|it|only|all|text|with|using)){0,5}|(?:your|the) (?:entire |whole |full )?(?:answer|response|reply|output) (?:must|should|has to|needs to|is to|shall) be(?: in english,? and)?|use|using)(?: (?:in|only|with|all|english|and|using)){0,4} (?:all )?(?:(upper-?\s?case|capital letters|capitals|all caps|caps)|(lower-?\s?case|small letters))\b/i;

/** "Answer in capital letters", "all lowercase". */
export const checkLetterCase: Rule = (instruction, reading) => {
  const found = askedCase.exec(instruction.text);
  if (found === null || isConditional(instruction.text, found.index, found[0].length)) return [];
  const name = found[1] === undefined ? "lower-case" : "capital";
  const wrong = findOther(reading.response.text, found[1] === undefined);
  if (wrong === null)
    return [followed(instruction, reading, `The response is in ${name} letters, as the prompt asks.`)];
  return [broken(instruction, reading, `The prompt asks for ${name} letters, and this is not.`, wrong)];
};

/** The first word that is not in the case that is wanted. */
function findOther(text: string, wantsLower: boolean): Range | null {
  const at = text.search(wantsLower ? /\p{Lu}/u : /\p{Ll}/u);
  if (at === -1) return null;
  let start = at;
  while (start > 0 && isLetter(text.charAt(start - 1))) start -= 1;
  let end = at + 1;
  while (end < text.length && isLetter(text.charAt(end))) end += 1;
  return { start, end };
}

function isLetter(unit: string): boolean {
  return /[\p{L}\p{M}\p{Cs}]/u.test(unit);
}
