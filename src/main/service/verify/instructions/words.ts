import type { Finding } from "../types.ts";
import { broken, findWord, isConditional, kept, type Rule, readQuoted } from "./instruction.ts";

const forbids =
  /\b(?:do not|don't|never|must not|should not|shouldn't|avoid|without)\s+(?:ever )?(?:use|using|mention|mentioning|say|saying|include|including|write|writing|contain|containing|repeat|repeating)?\s*(?:any of )?(?:the )?(?:following )?(?:words?|terms?|phrases?|expressions?)\b\s*:?\s*/i;
const forbidsQuoted =
  /\b(?:do not|don't|never|avoid)\s+(?:use|using|mention|mentioning|say|saying|include|including)\s+(?=["`'])/i;
const requires =
  /\b(?:must|should|has to|needs to|be sure to|make sure to)?\s*(?:include|contain|use|mention)s?\s+(?:all )?(?:of )?(?:the )?(?:following )?(?:exact )?(?:words?|terms?|phrases?|keywords?|expressions?)\b\s*:?\s*(?=["`'])/i;
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
      findings.push(kept(instruction, reading, "None of the words that the prompt forbids is there."));
  }
  const requiring = forbidding === null ? requires.exec(text) : null;
  if (requiring !== null && !instead.test(text) && !isConditional(text, requiring.index, requiring[0].length)) {
    const words = readWords(text.slice(requiring.index + requiring[0].length));
    const missing = words.find((word) => !response.toLowerCase().includes(word.toLowerCase()));
    if (missing !== undefined)
      findings.push(broken(instruction, reading, `The prompt asks for the word "${missing}", and it is not there.`));
    else if (words.length > 0)
      findings.push(kept(instruction, reading, "All words that the prompt asks for are there."));
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

/** Words in quotation marks; where there are none, the one word that stands there. */
function readWords(text: string): string[] {
  const clause = text.split(/[.;]\s/, 1)[0] ?? "";
  const quoted = readQuoted(clause).filter((word) => word !== "");
  if (quoted.length > 0) return quoted.slice(0, mostWords);
  const bare = /^([\p{L}'-]{2,40})[.!]?$/u.exec(clause.trim())?.[1];
  return bare === undefined ? [] : [bare];
}
