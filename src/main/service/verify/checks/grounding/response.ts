import { isNeutralWord, type Name, readNames, type Word, wordsOf } from "../../text/index.ts";
import type { Reading, Text } from "../../types.ts";
import { type Evidence, isAsked, isInPassage } from "./evidence.ts";

/** A word of the response that states something, with where it is from. */
export interface Statement {
  readonly word: Word;
  /** Its index among the words of the response. */
  readonly at: number;
  readonly isInPassage: boolean;
  readonly isAsked: boolean;
}

export interface Answer {
  readonly text: Text;
  readonly words: readonly Word[];
  readonly names: readonly Name[];
  /** Words that state something, in order; without keys of JSON, list numbers and neutral words. */
  readonly statements: readonly Statement[];
  /** By the index of a word. */
  readonly statementAt: ReadonlyMap<number, Statement>;
  /** Whether the response says that the text has no answer. */
  readonly isAbstaining: boolean;
}

const abstains =
  /\b(i (do not|don't|don’t) know|not (mentioned|stated|specified|given|provided|clear|said|say|enough|possible|available|able)|(does not|doesn't|doesn’t|do not|did not|didn't) (say|mention|state|specify|provide|give|contain|indicate|include)|cannot (be )?(answer|determine|say|tell)|can't (answer|determine|say|tell)|no (information|mention)|unknown|unable to|insufficient)/i;
const looksJson = /^\s*(```(json)?\s*)?[[{]/i;
const bookkeeping = new Set(["confidence", "score", "probability", "certainty", "id", "index", "rank", "step"]);

export function readAnswer({ response }: Reading, evidence: Evidence): Answer {
  const words = wordsOf(response);
  const isJson = looksJson.test(response.text.slice(0, 40));
  const statements: Statement[] = [];
  let isSkipping = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (!word) continue;
    if (isJson && isKey(response.text, word)) {
      isSkipping = bookkeeping.has(word.norm);
      continue;
    }
    if (isSkipping && word.isNumber) continue;
    if (isNeutralWord(word.norm) && !word.isNumber && !isPlace(word)) continue;
    if (word.isNumber && isListNumber(response.text, word)) continue;
    statements.push({ word, at, isInPassage: isInPassage(evidence, word), isAsked: isAsked(evidence, word) });
  }
  return {
    text: response,
    words,
    names: readNames(response, words),
    statements,
    statementAt: new Map(statements.map((statement) => [statement.at, statement])),
    isAbstaining: abstains.test(response.text.slice(0, 400)),
  };
}

function isPlace({ key }: Word): boolean {
  return key.startsWith("place:");
}

/** A key of a JSON object: a quoted word before a colon. */
function isKey(text: string, { end }: Word): boolean {
  let at = end;
  while (at < text.length && at - end < 40 && /[\w -]/.test(text.charAt(at))) at += 1;
  if (text.charAt(at) !== '"') return false;
  at += 1;
  while (text.charAt(at) === " ") at += 1;
  return text.charAt(at) === ":";
}

/** "1." or "2)" at the start of a line. */
function isListNumber(text: string, { start, end }: Word): boolean {
  const mark = text.charAt(end);
  if (mark !== "." && mark !== ")" && mark !== ":") return false;
  if (mark === "." && !/\s/.test(text.charAt(end + 1))) return false;
  let at = start - 1;
  while (at >= 0 && " (*#-".includes(text.charAt(at))) at -= 1;
  if (at >= 0 && text.charAt(at) !== "\n") return false;
  return text.slice(end + 1).trim() !== "" && end - start <= 3;
}
