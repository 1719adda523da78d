import { isNeutralWord, oppositesOf, type Word } from "../../text/index.ts";
import type { Finding } from "../../types.ts";
import { readPolarity } from "./check-yes-no.ts";
import { type Clause, readClauses } from "./clauses.ts";
import { type Context, createFinding } from "./context.ts";
import { sentenceSpan } from "./evidence.ts";

/** What is not allowed with one of these may be allowed otherwise. */
const exceptions = new Set("with without unless except if only other than".split(" "));
const fewestKeys = 2;
/** In clauses. */
const widestBrackets = 6;
/** Where two are compared, or a deed is asked about, the same words may say something else. */
const unclear = new Set("than more less both same either neither or only ever still yet first last born".split(" "));

/**
 * "Is the lid stiff?", "Was she a chemist?", "May the tenant keep dogs?": yes or no has to be what the passage says where one
 * clause of it has all the words of the question. Only what something is or may do: with a deed, the same words may say who
 * did it to whom.
 */
export function checkCopula(context: Context): readonly Finding[] {
  const { question, evidence } = context;
  const [first] = question.words;
  if (question.kind !== "yes-no" || !first || !/^(is|are|was|were|may|can|must)$/.test(first.norm)) return [];
  if (question.words.some(({ norm, isNumber }) => unclear.has(norm) || isNumber || /..ing$/.test(norm))) return [];
  const said = readPolarity(context);
  const asked = question.words.slice(1).filter(({ norm }) => !isNeutralWord(norm));
  if (said === null || asked.length < fewestKeys) return [];
  const isModal = /^(may|can|must)$/.test(first.norm);
  const clauses = readClauses(evidence.source.text.text, evidence.words).filter((clause, index, all) => {
    if (!evidence.sentences.has(evidence.words[clause.from]?.sentence ?? -1)) return false;
    const words = wordsAround(context, clause, index, all);
    if (isMixed(words, asked) || (isModal && words.some(({ norm }) => exceptions.has(norm)))) return false;
    return isModal ? isAllowedOrNot(words, asked, first) : hasAll(words, asked);
  });
  const [clause] = clauses;
  if (!clause || clauses.some(({ isNegated }) => isNegated !== clause.isNegated)) return [];
  const isRight = said.isYes !== clause.isNegated;
  const reason = `${context.subject} says that it is${clause.isNegated ? " not" : ""} so.`;
  const range = { start: said.word.start, end: said.word.end };
  return [createFinding(isRight ? "supported" : "contradicted", range, reason, [sentenceSpan(evidence, clause.from)])];
}

/** "Closed on Mondays and open in summer" says both of what is asked and of its opposite. */
function isMixed(words: readonly Word[], asked: readonly Word[]): boolean {
  return asked.some(({ key }) => words.some((word) => oppositesOf(key).has(word.key)));
}

/** The words of a clause; after brackets, with those before them: "Ann Lee (1904–1980) was a chemist". */
function wordsAround(
  { evidence }: Context,
  { from, to }: Clause,
  index: number,
  all: readonly Clause[],
): readonly Word[] {
  const { text } = evidence.source.text;
  const gap = (at: number): string => text.slice(evidence.words[at - 1]?.end ?? 0, evidence.words[at]?.start ?? 0);
  let first = index;
  if (gap(from).includes(")")) {
    while (first > Math.max(0, index - widestBrackets) && !gap(all[first]?.from ?? 0).includes("(")) first -= 1;
    first = Math.max(0, first - 1);
  }
  const start = all[first]?.from ?? from;
  const isSame = evidence.words[start]?.sentence === evidence.words[from]?.sentence;
  return evidence.words.slice(isSame ? start : from, to);
}

function hasAll(words: readonly Word[], asked: readonly Word[]): boolean {
  const roots = new Set(words.flatMap(({ key, root }) => [key, root]));
  return asked.every(({ key, root }) => roots.has(key) || roots.has(root));
}

/** Whether a clause says of the same, in the same order, that it may, must, or must not be. */
function isAllowedOrNot(words: readonly Word[], asked: readonly Word[], { norm }: Word): boolean {
  const modal = words.findIndex((word) =>
    (norm === "must" ? /^(must|shall)$/ : /^(may|can|must|shall)$/).test(word.norm),
  );
  if (modal === -1) return false;
  let at = -1;
  return asked.every(({ root }) => {
    at = words.findIndex((word, index) => index > at && word.root === root);
    return at !== -1;
  });
}
