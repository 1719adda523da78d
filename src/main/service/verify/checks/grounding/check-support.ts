import type { TextSpan } from "#contract";
import { isCalendarWord, isFunctionWord, type Word } from "../../text/index.ts";
import type { Finding } from "../../types.ts";
import { type Context, createFinding } from "./context.ts";
import { type Evidence, positionsOf } from "./evidence.ts";
import type { Statement } from "./response.ts";

/** From so many words on, a sentence tells enough by itself; a shorter one must stand where the question leads. */
const fewestAlone = 4;
/** The share of the question's words that the passage's sentence must have to count as what was asked about. */
const leastAsked = 0.5;
/** Of a word that stands everywhere, so many places are looked at; what is longer than any sentence is none. */
const mostPlaces = 40;
const longestSentence = 400;

const negations: ReadonlySet<string> = new Set(
  "not no never none neither nor without cannot nobody nothing hardly dont doesnt didnt isnt arent wasnt werent hasnt havent hadnt wont wouldnt couldnt cant".split(
    " ",
  ),
);

/**
 * Sentences of the response whose every word stands in one sentence of the passage, or in two of which the second goes on with
 * the first: with the names and years in the same order, and denied where that is denied.
 */
export function checkSupport(context: Context): readonly Finding[] {
  const { answer, evidence, reading } = context;
  if (answer.isAbstaining) return [];
  const denied = findDenied(answer.words);
  const findings: Finding[] = [];
  for (const [sentence, statements] of groupBySentence(answer.statements)) {
    const range = reading.response.sentences[sentence];
    if (range === undefined) continue;
    const needed = findSentences(evidence, statements, denied.has(sentence));
    const spans = needed.flatMap((index) => spanOfSentence(context, index) ?? []);
    if (spans.length > 0) findings.push(createFinding("supported", range, `${context.subject} says so.`, spans));
  }
  return findings;
}

function groupBySentence(statements: readonly Statement[]): ReadonlyMap<number, readonly Statement[]> {
  return Map.groupBy(statements, ({ word }) => word.sentence);
}

function spanOfSentence({ evidence }: Context, sentence: number): TextSpan | null {
  const { source, text, sentences } = evidence.source.text;
  const range = sentences[sentence];
  return range ? { source, ...range, text: text.slice(range.start, range.end) } : null;
}

function findDenied(words: readonly Word[]): ReadonlySet<number> {
  return new Set(words.filter(isNegation).map(({ sentence }) => sentence));
}

/** The sentences of the passage that are needed to support all statements; none when no place does. */
function findSentences(evidence: Evidence, statements: readonly Statement[], isDenied: boolean): readonly number[] {
  if (!statements.every(({ isInPassage }) => isInPassage)) return [];
  // A word may stand there in another form only, and a number may be written in another way: those have no place.
  const placed = statements.map(({ word }) => word).filter((word) => positionsOf(evidence, word).length > 0);
  if (placed.length === 0 || placed.length < statements.length / 2) return [];
  for (const at of rarestPlaces(evidence, placed)) {
    const sentence = evidence.words[at]?.sentence ?? -1;
    const here = evidence.sentences.get(sentence) ?? [];
    if (here.length > longestSentence || isDenied !== here.some(isNegation)) continue;
    if (statements.length < fewestAlone && !isAskedAbout(evidence, here)) continue;
    if (supports(here, placed)) return [sentence];
    const next = evidence.sentences.get(sentence + 1) ?? [];
    const goesOn = continuing.has(next[0]?.norm ?? "") && next.length <= longestSentence;
    if (goesOn && supports([...here, ...next], placed)) return [sentence, sentence + 1];
  }
  return [];
}

function rarestPlaces(evidence: Evidence, words: readonly Word[]): readonly number[] {
  const places = words.map((word) => positionsOf(evidence, word));
  return places.reduce((fewest, found) => (found.length < fewest.length ? found : fewest)).slice(0, mostPlaces);
}

/** A sentence that begins with one of these is about what the one before it was about. */
const continuing: ReadonlySet<string> = new Set("he she it they his her its their this these".split(" "));

function isNegation({ norm }: Word): boolean {
  return negations.has(norm);
}

function keysOf(words: readonly Word[]): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const { key, norm } of words) keys.add(key).add(norm);
  return keys;
}

/** Who did what to whom is told by the order: names must come as they do in the passage, and so must years. */
function supports(passage: readonly Word[], words: readonly Word[]): boolean {
  const keys = keysOf(passage);
  if (!words.every(({ key, norm }) => keys.has(key) || keys.has(norm))) return false;
  return follows(passage, words.filter(isYear)) && follows(passage, words.filter(isName));
}

function follows(passage: readonly Word[], words: readonly Word[]): boolean {
  let at = -1;
  return words.every((word) => {
    at = passage.findIndex(({ key, norm }, index) => index > at && (key === word.key || norm === word.norm));
    return at !== -1;
  });
}

/** Whether a sentence of the passage is about what was asked. */
function isAskedAbout({ asked }: Evidence, sentence: readonly Word[]): boolean {
  const there = new Set(sentence.filter(({ isFunction }) => !isFunction).map(({ key }) => key));
  const keys = [...asked].filter((key) => !key.startsWith("=") && !isFunctionWord(key));
  const shared = keys.filter((key) => there.has(key)).length;
  return shared > 0 && shared >= Math.min(3, keys.length * leastAsked);
}

/** Days and months are written in either order. */
function isYear({ raw, isNumber }: Word): boolean {
  return isNumber && raw.length > 2;
}

function isName({ norm, isCapital, isNumber }: Word): boolean {
  return isCapital && !isNumber && !isCalendarWord(norm);
}
