import {
  isCalendarWord,
  isDemonym,
  isNeutralWord,
  kindsOf,
  leadStem,
  placeKind,
  stemWord,
  type Word,
} from "../../text/index.ts";
import type { Finding } from "../../types.ts";
import { type Context, createFinding, quote } from "./context.ts";
import { type Evidence, positionsOf, sentenceSpan } from "./evidence.ts";
import { isExtractive } from "./is-extractive.ts";

const copulas = new Set(["is", "was", "are", "were"]);
const reach = 14;

/** Asked for a state, a film or a retailer, the response has to name one that the passage calls so, where it calls any so. */
export function checkType(context: Context): readonly Finding[] {
  const { question, answer, evidence } = context;
  if (!isExtractive(context) || question.types.length === 0) return [];
  const type = findType(context);
  if (type === null || mayBeCommon(context)) return [];
  const called = findCandidates(evidence, type);
  // What the question itself brings up is not what it asks for.
  const candidates = new Set([...called].filter((at) => !evidence.asked.has(evidence.words[at]?.key ?? "")));
  const named = answer.names.filter(({ from, to }) =>
    answer.words
      .slice(from, to)
      .some((word) => positionsOf(evidence, word).length > 0 && !evidence.asked.has(word.key)),
  );
  const last = named.findLast(({ from, to }) => !answer.words.slice(from, to).every(({ norm }) => isDemonym(norm)));
  if (candidates.size === 0 || !last) return [];
  // Which places are countries is known of some alone.
  if (isPlaceType(type) && !answer.words.slice(last.from, last.to).some(isKnownPlace)) return [];
  const isNamed = answer.words.some((word) => positionsOf(evidence, word).some((at) => called.has(at)));
  if (isNamed || (titled.has(type.key) && !isOtherwiseCalled(evidence, answer.words.slice(last.from, last.to))))
    return [];
  const at = [...candidates][0] ?? 0;
  const range = { start: answer.words[last.from]?.start ?? 0, end: answer.words[last.to - 1]?.end ?? 0 };
  const text = answer.text.text.slice(range.start, range.end);
  const reason = `${context.subject} doesn't call ${quote(text)} a ${type.raw}; it has ${quote(nameAt(evidence, at))}.`;
  return [createFinding("contradicted", range, reason, [sentenceSpan(evidence, at)])];
}

/** Whether the answer may be a word that is no name: "sheep", as an answer to what animal it is. */
function mayBeCommon({ answer, evidence }: Context): boolean {
  return answer.statements.some(({ word, isAsked, isInPassage }) => {
    if (isAsked || !isInPassage || word.isNumber || isVerbal(word)) return false;
    return (
      !word.isCapital ||
      (word.isFirst && positionsOf(evidence, word).some((at) => evidence.words[at]?.isCapital === false))
    );
  });
}

/** Said of what was done or is: "started", "located". */
function isVerbal({ norm }: Word): boolean {
  return /(ed|ing)$/.test(norm);
}

function isKnownPlace({ norm, key }: Word): boolean {
  return key.startsWith("place:") || placeKind(norm, key) !== undefined;
}

/** The noun of the words after "which": the last before a verb. Not the "pen" of "pen name". */
function findType({ evidence, question }: Context): Word | null {
  const words = question.types.filter(({ isCapital }) => !isCapital);
  const last = words.at(-1);
  const type = last && takesObject(question.words, last) ? words.at(-2) : last;
  if (!type || (isNeutralWord(type.norm) && !isPlaceType(type))) return null;
  return isPlaceType(type) || placesOfType(evidence, type).length > 0 ? type : null;
}

/** "Which plant feeds the larvae", "Which firm runs Harwick Mill": a word in -s before an article or a name is a verb. */
function takesObject(words: readonly Word[], word: Word): boolean {
  const next = words[words.indexOf(word) + 1];
  if (!word.norm.endsWith("s") || next === undefined) return false;
  return /^(the|a|an|his|her|its|their)$/.test(next.norm) || (next.isCapital && next.start === word.end + 1);
}

/** What often stands in a text by its title alone. */
const titled = new Set(
  "film book novel song album single game series show program play poem opera musical sitcom track magazine newspaper record comic"
    .split(" ")
    .map((word) => leadStem(stemWord(word))),
);

/** Whether the passage says what a name is: "Stone is a city". */
function isOtherwiseCalled(evidence: Evidence, words: readonly Word[]): boolean {
  return words.some((word) =>
    positionsOf(evidence, word).some((at) => {
      const next = evidence.words[at + 1];
      return next !== undefined && copulas.has(next.norm) && next.sentence === evidence.words[at]?.sentence;
    }),
  );
}

/** Where the passage has the type or something that is a kind of it. */
function placesOfType({ positions }: Evidence, { key }: Word): readonly number[] {
  const kinds = [...positions.keys()].filter((other) => other !== key && kindsOf(other).includes(key));
  return [key, ...kinds].flatMap((found) => positions.get(found) ?? []);
}

function isPlaceType({ norm }: Word): boolean {
  return norm === "country" || norm === "state" || norm === "nation";
}

/** Where the names stand that the passage calls by a type. */
function findCandidates(evidence: Evidence, type: Word): ReadonlySet<number> {
  return isPlaceType(type) ? findPlaces(evidence, type) : findDescribed(evidence, type);
}

/** "The state of Hawaii" tells; where the passage has nothing like it, all states that it mentions. */
function findPlaces(evidence: Evidence, type: Word): ReadonlySet<number> {
  const found = new Set<number>();
  for (const at of evidence.positions.get(type.key) ?? []) {
    if (!evidence.words[at]?.isCapital && evidence.words[at + 1]?.norm === "of") addAfter(evidence, at, found);
  }
  if (found.size > 0) return found;
  evidence.words.forEach(({ norm, key, isCapital }, at) => {
    const kind = isCapital && !isDemonym(norm) ? placeKind(norm, key) : undefined;
    if (kind === (type.norm === "state" ? "state" : "country")) found.add(at);
  });
  return found;
}

function findDescribed(evidence: Evidence, type: Word): ReadonlySet<number> {
  const found = new Set<number>();
  for (const at of placesOfType(evidence, type)) {
    addAfter(evidence, at, found);
    if (evidence.words[at]?.isCapital === true) addBefore(evidence, at, found);
    else addNamesBefore(evidence, at, found);
    if (evidence.words[at]?.isCapital === false && isHead(evidence, at)) addSubject(evidence, at, found);
  }
  addListed(evidence, found);
  return found;
}

/** Whether a noun stands for itself: not the "county" of "county seat". */
function isHead({ words, source }: Evidence, at: number): boolean {
  const [word, next] = [words[at], words[at + 1]];
  if (!word || !next || next.sentence !== word.sentence || next.isFunction || next.isCapital || next.isNumber)
    return true;
  return (
    source.text.text.slice(word.end, next.start).trim() !== "" ||
    /(ed|ing|en)$/.test(next.norm) ||
    isNeutralWord(next.norm)
  );
}

/** "…of "Salt", "Sand" and prize-winning "Stone"": what is listed with one of a type is of that type. */
function addListed({ words }: Evidence, found: Set<number>): void {
  for (const at of [...found].toSorted((a, b) => a - b)) {
    const sentence = words[at]?.sentence;
    let last = at;
    for (let next = at + 1; next <= last + 4 && words[next]?.sentence === sentence; next += 1) {
      const word = words[next];
      if (word?.isCapital) {
        found.add(next);
        last = next;
      } else if (word?.isFunction && word.norm !== "and" && word.norm !== "or" && word.norm !== "the") break;
    }
  }
}

/** "state of Hawaii", "series "Hustle"": the name right after the type. */
function addAfter({ words }: Evidence, at: number, found: Set<number>): void {
  const sentence = words[at]?.sentence;
  let next = at + 1;
  while (next < at + 3 && words[next]?.isFunction === true && /^(of|the|called|named)$/.test(words[next]?.norm ?? ""))
    next += 1;
  for (let word = words[next]; word?.isCapital === true && word.sentence === sentence; word = words[next]) {
    found.add(next);
    next += 1;
  }
}

/** "Lawrence County", "Target Corporation": the name that ends with the type. */
function addBefore({ words }: Evidence, at: number, found: Set<number>): void {
  const sentence = words[at]?.sentence;
  for (let back = at; words[back]?.isCapital === true && words[back]?.sentence === sentence; back -= 1) found.add(back);
}

/** "The Alder and Tarn rivers": the names right before the type, where there are more. */
function addNamesBefore({ words }: Evidence, at: number, found: Set<number>): void {
  const isName = (word: Word | undefined): boolean =>
    word?.isCapital === true && !word.isFunction && !isDemonym(word.norm);
  if (words[at]?.norm.endsWith("s") !== true) return;
  for (let back = at - 1; words[back]?.sentence === words[at]?.sentence; back -= 1) {
    const word = words[back];
    if (isName(word)) found.add(back);
    else if (word?.norm !== "and" || !isName(words[back + 1])) break;
  }
}

/** "Target is the second-largest retailer": the names before the verb of the sentence. */
function addSubject({ words }: Evidence, at: number, found: Set<number>): void {
  const sentence = words[at]?.sentence;
  let verb = at;
  while (verb > at - reach && words[verb]?.sentence === sentence && !copulas.has(words[verb]?.norm ?? "")) verb -= 1;
  if (!copulas.has(words[verb]?.norm ?? "") || words[verb]?.sentence !== sentence) return;
  for (let back = verb - 1; words[back]?.sentence === sentence; back -= 1) {
    const word = words[back];
    if (word?.isCapital === true && !word.isFunction && !isCalendarWord(word.norm)) found.add(back);
  }
}

function nameAt({ words, source }: Evidence, at: number): string {
  let [from, to] = [at, at];
  while (words[from - 1]?.isCapital === true && words[from - 1]?.sentence === words[at]?.sentence) from -= 1;
  while (words[to + 1]?.isCapital === true && words[to + 1]?.sentence === words[at]?.sentence) to += 1;
  return source.text.text.slice(words[from]?.start ?? 0, words[to]?.end ?? 0);
}
