import { isCalendarWord, type Word } from "../../text/index.ts";
import type { Finding } from "../../types.ts";
import { type Context, createFinding } from "./context.ts";
import { type Evidence, positionsOf, sentenceSpan } from "./evidence.ts";
import type { Statement } from "./response.ts";

/** From so many words on, a sentence tells enough by itself; a shorter one must stand where the question leads. */
const fewestAlone = 4;
/** The share of the question's words that the passage's sentence must have to count as what was asked about. */
const leastAsked = 0.5;
/** Of a word that stands everywhere, so many places are looked at. */
const mostPlaces = 200;

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
    const spans = findPlaces(evidence, statements, denied.has(sentence)).map((at) => sentenceSpan(evidence, at));
    if (spans.length > 0) findings.push(createFinding("supported", range, `${context.subject} says so.`, spans));
  }
  return findings;
}

function groupBySentence(statements: readonly Statement[]): ReadonlyMap<number, readonly Statement[]> {
  return Map.groupBy(statements, ({ word }) => word.sentence);
}

function findDenied(words: readonly Word[]): ReadonlySet<number> {
  return new Set(words.filter(({ norm }) => negations.has(norm)).map(({ sentence }) => sentence));
}

/** A word of each sentence of the passage that is needed to support all statements; none when no place does. */
function findPlaces(evidence: Evidence, statements: readonly Statement[], isDenied: boolean): readonly number[] {
  if (!statements.every(({ isInPassage }) => isInPassage)) return [];
  const places = statements.map(({ word }) => positionsOf(evidence, word).slice(0, mostPlaces));
  // A word that stands there in another form only, or a number that is written in another way.
  const known = places.filter((found) => found.length > 0);
  if (known.length === 0 || known.length < statements.length / 2) return [];
  for (const at of rarest(known)) {
    const sentence = evidence.words[at]?.sentence;
    if (sentence === undefined || isDenied !== isDeniedThere(evidence, sentence)) continue;
    if (statements.length < fewestAlone && !isAskedAbout(evidence, sentence)) continue;
    const reach = reachOf(evidence, sentence, known);
    if (reach === null || !isInOrder(evidence, statements, sentence, reach)) continue;
    const next = known.flat().find((place) => evidence.words[place]?.sentence === sentence + 1);
    return reach > sentence && next !== undefined ? [at, next] : [at];
  }
  return [];
}

function rarest(places: readonly (readonly number[])[]): readonly number[] {
  return places.reduce((fewest, found) => (found.length < fewest.length ? found : fewest));
}

/** A sentence that begins with one of these is about what the one before it was about. */
const continuing: ReadonlySet<string> = new Set("he she it they his her its their this these".split(" "));

/** The last sentence that is needed to have all words: the sentence itself, or one that goes on with it; null when these lack some. */
function reachOf(
  { words, sentences }: Evidence,
  sentence: number,
  places: readonly (readonly number[])[],
): number | null {
  const isWithin = (last: number) =>
    places.every((found) => found.some((at) => isBetween(words[at]?.sentence ?? -1, sentence, last)));
  if (isWithin(sentence)) return sentence;
  const next = sentences.get(sentence + 1)?.[0]?.norm;
  return next !== undefined && continuing.has(next) && isWithin(sentence + 1) ? sentence + 1 : null;
}

function isBetween(value: number, least: number, most: number): boolean {
  return value >= least && value <= most;
}

function isDeniedThere({ sentences }: Evidence, sentence: number): boolean {
  return (sentences.get(sentence) ?? []).some(({ norm }) => negations.has(norm));
}

/** Whether a sentence of the passage is about what was asked. */
function isAskedAbout({ sentences, asked }: Evidence, sentence: number): boolean {
  const there = new Set((sentences.get(sentence) ?? []).filter(({ isFunction }) => !isFunction).map(({ key }) => key));
  const keys = [...asked].filter((key) => !key.startsWith("="));
  const shared = keys.filter((key) => there.has(key)).length;
  return shared > 0 && shared >= Math.min(3, keys.length * leastAsked);
}

/** Who did what to whom is told by the order: names must come as they do in the passage, and so must years. */
function isInOrder(evidence: Evidence, statements: readonly Statement[], first: number, last: number): boolean {
  const words = statements.map(({ word }) => word);
  const follow = (some: readonly Word[]): boolean => {
    let reached = -1;
    return some.every((word) => {
      const here = positionsOf(evidence, word).filter((at) =>
        isBetween(evidence.words[at]?.sentence ?? -1, first, last),
      );
      const next = here.find((at) => at > reached) ?? reached;
      const isAfter = here.length === 0 || next > reached;
      reached = next;
      return isAfter;
    });
  };
  return follow(words.filter(isYear)) && follow(words.filter(isName));
}

/** Days and months are written in either order. */
function isYear({ raw, isNumber }: Word): boolean {
  return isNumber && raw.length > 2;
}

function isName({ norm, isCapital, isNumber }: Word): boolean {
  return isCapital && !isNumber && !isCalendarWord(norm);
}
