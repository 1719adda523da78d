import { isDemonym, isTitle, type Name, type Word } from "../../text/index.ts";
import type { Finding } from "../../types.ts";
import { type Context, createFinding, quote } from "./context.ts";
import { type Evidence, positionsOf } from "./evidence.ts";
import { mostPositions } from "./passage.ts";
import type { Statement } from "./response.ts";
import { isFormOfName, isOmissible } from "./spellings.ts";

/** A name may have a few more words in between: a middle name, a nickname. */
const widestName = 3;

/** Every name in the response has to stand in the evidence or in the question. */
export function checkNames(context: Context): readonly Finding[] {
  const findings: Finding[] = [];
  for (const name of context.answer.names) {
    const finding = checkName(context, name);
    if (finding) findings.push(finding);
  }
  return findings;
}

function checkName(context: Context, name: Name): Finding | null {
  const { answer, evidence, subject } = context;
  const said = answer.words.slice(name.from, name.to).flatMap((_, at) => answer.statementAt.get(name.from + at) ?? []);
  const words = said.map(({ word }) => word);
  if (words.length === 0) return null;
  const range = { start: answer.words[name.from]?.start ?? 0, end: answer.words[name.to - 1]?.end ?? 0 };
  const text = answer.text.text.slice(range.start, range.end);
  // Of "Nineteen eighty-four", each word is where the number is, in whatever form the text has it.
  const isThere = ({ word, isInPassage, isAsked }: Statement): boolean =>
    isInPassage || isAsked || isKnown(evidence, word, answer.words, name);
  const unknown = said.filter((statement) => !isThere(statement)).map(({ word }) => word);
  if (unknown.length > 0) {
    if (!name.isSure || isCommon(context, name)) return null;
    if (words.length > unknown.length && unknown.every((word) => isOmissible(word) || isOpening(word, words)))
      return null;
    return createFinding("contradicted", range, `${subject} doesn't mention ${quote(text)}.`);
  }
  if (name.isSure && isScattered(context, words)) {
    return createFinding("contradicted", range, `${subject} doesn't mention ${quote(text)}, only its words apart.`);
  }
  return null;
}

/** Of a year, what goes without saying. */
const eras = /^(?:AD|CE)$/;

function isKnown(evidence: Evidence, word: Word, words: readonly Word[], name: Name): boolean {
  if (isTitle(word.norm) || eras.test(word.raw)) return true;
  if (word.raw.length === 1 || (word.raw.length === 2 && word.raw.endsWith(".")))
    return isInitial(evidence, word, words, name);
  if (evidence.acronyms.has(word.norm) || spellsOut(evidence, words, name)) return true;
  return isOtherFirstName(evidence, word, words, name);
}

/** "Ray Cusick" where the passage has "Raymond Cusick". */
function isOtherFirstName(evidence: Evidence, word: Word, words: readonly Word[], { to }: Name): boolean {
  const next = words.slice(words.indexOf(word) + 1, to).find(({ isCapital }) => isCapital);
  if (!next) return false;
  return positionsOf(evidence, next).some((at) =>
    [1, 2, 3].some((back) => {
      const other = evidence.words[at - back];
      return (
        other?.isCapital === true &&
        other.sentence === evidence.words[at]?.sentence &&
        isFormOfName(word.norm, other.norm)
      );
    }),
  );
}

/** "Mostly Bill Evans": an adverb that opens the sentence has its capital from there. */
function isOpening(word: Word, words: readonly Word[]): boolean {
  return word === words[0] && word.isFirst && word.norm.length > 5 && word.norm.endsWith("ly");
}

const pointers = new Set("these those both such".split(" "));
const asksOrigin =
  /^(nationality|nationalities|country|countries|nation|language|origin|citizen|citizenship|from|where|ethnic|state)/;

/** "At those Games" speaks of what the text describes; "a German version", of what it goes without saying, unless that is asked. */
function isCommon({ answer, question }: Context, { from, to }: Name): boolean {
  const [before, word, after] = [answer.words[from - 1], answer.words[from], answer.words[to]];
  if (!word || to - from > 1) return false;
  if (before && pointers.has(before.norm)) return true;
  if (!isDemonym(word.norm) || !after || after.isCapital || after.isFunction || after.start !== word.end + 1)
    return false;
  const isMore = answer.words.length > to + 2 || answer.words[to + 1]?.isCapital === true;
  return isMore && !question.words.some(({ norm }) => asksOrigin.test(norm));
}

/** An initial fits where the name's other words follow a word that starts with it. */
function isInitial(evidence: Evidence, word: Word, words: readonly Word[], name: Name): boolean {
  const rest = words.slice(name.from, name.to).filter((other) => other.raw.length > 1);
  return rest.some((other) =>
    positionsOf(evidence, other).some((at) =>
      [1, 2, 3].some((back) => evidence.words[at - back]?.norm.startsWith(word.norm) === true),
    ),
  );
}

/** "British Broadcasting Corporation" where the evidence has only "BBC". */
function spellsOut(evidence: Evidence, words: readonly Word[], { from, to }: Name): boolean {
  const letters = words
    .slice(from, to)
    .filter(({ isFunction }) => !isFunction)
    .map(({ norm }) => norm.charAt(0))
    .join("");
  return letters.length > 1 && (evidence.positions.has(letters) || evidence.asked.has(letters));
}

/** Whether the words of a name all stand in the evidence or in the question, but in neither near each other. */
function isScattered({ answer, evidence, question }: Context, words: readonly Word[]): boolean {
  for (let index = 1; index < words.length; index += 1) {
    const [a, b] = [words[index - 1], words[index]];
    if (!a || !b || a.raw.length === 1 || b.raw.length === 1 || isTitle(a.norm) || isDemonym(a.norm)) continue;
    // "At Rome the Tiber …", "Rome's Tiber": two names.
    if (/['’]s|\bthe\b/i.test(answer.text.text.slice(a.end, b.start))) continue;
    // "Ann Lee of the Larks": the name before the "of" is told whole, and so may be the one after it.
    if (
      index > 1 &&
      answer.text.text.slice(a.end, b.start) === " of " &&
      !words.slice(0, index).some(({ norm }) => isTitle(norm))
    )
      continue;
    // "JR Moss" of "J. R. Moss".
    if (a.raw.length < 4 && a.raw === a.raw.toUpperCase()) continue;
    if (!hasPlace(evidence, a) || !hasPlace(evidence, b)) continue;
    if (areNear(positionsOf(evidence, a), positionsOf(evidence, b)) || areInOneName(evidence, a, b)) continue;
    if (areNear(askedPositions(question.words, a), askedPositions(question.words, b))) continue;
    if ((a.isFirst && !isCapitalThere(evidence, a)) || evidence.acronyms.has(a.norm) || evidence.acronyms.has(b.norm))
      continue;
    return true;
  }
  return false;
}

/** Whether passage or question have the word as it is spelled. */
function hasPlace(evidence: Evidence, word: Word): boolean {
  return positionsOf(evidence, word).length > 0 || evidence.asked.has(word.key);
}

/** Whether a word that opens a sentence here has a capital in the passage, too. */
function isCapitalThere(evidence: Evidence, word: Word): boolean {
  return positionsOf(evidence, word).some((at) => evidence.words[at]?.isCapital === true);
}

function askedPositions(words: readonly Word[], { key }: Word): readonly number[] {
  return words.flatMap((word, at) => (word.key === key ? [at] : []));
}

/** In words: "António Maria de Oliveira Salazar". */
const longestName = 9;

/** Whether a name of the passage has one word further before the other. */
function areInOneName(evidence: Evidence, a: Word, b: Word): boolean {
  const ends = positionsOf(evidence, b);
  if (ends.length >= mostPositions) return true;
  return ends.some((end) => {
    for (let at = end - 1; at > end - longestName; at -= 1) {
      const word = evidence.words[at];
      if (!word || !(word.isCapital || joiners.has(word.norm)) || word.sentence !== evidence.words[end]?.sentence)
        return false;
      if (word.key === a.key) return true;
    }
    return false;
  });
}

const joiners = new Set("of the de da das dos di du del van von der den la le el al y e".split(" "));

function areNear(as: readonly number[], bs: readonly number[]): boolean {
  if (as.length >= mostPositions || bs.length >= mostPositions) return true;
  let at = 0;
  for (const a of as) {
    while (at < bs.length && (bs[at] ?? 0) < a - widestName) at += 1;
    const b = bs[at];
    if (b !== undefined && Math.abs(b - a) <= widestName) return true;
  }
  return false;
}
