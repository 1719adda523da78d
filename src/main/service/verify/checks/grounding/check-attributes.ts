import { isGeneralWord, type Speech, tagSpeech, type Word } from "../../text/index.ts";
import type { Finding } from "../../types.ts";
import { relationsOf } from "./candidates/index.ts";
import { isExtractive, longestAnswer } from "./check-answer.ts";
import { type Context, createFinding, quote } from "./context.ts";
import type { Statement } from "./response.ts";

/** How many words on each side tell a word's part of speech. */
const reach = 3;
const mostTagged = 12;

/**
 * What a short answer adds to what the text has: "narrow gauge track" where the text has a standard gauge track, "the
 * wife of" somebody. Verbs may be put in other words; a noun that the text doesn't have, and an adjective right before a
 * noun of the text, are claims.
 */
export function checkAttributes(context: Context): readonly Finding[] {
  const { answer, question } = context;
  const isShort = answer.words.length <= longestAnswer && !answer.isAbstaining;
  if (!isExtractive(context) && !(isShort && question.kind === "choice")) return [];
  const unsure = new Set(answer.names.flatMap(({ from, isSure }) => (isSure ? [] : [from])));
  const novel = answer.statements.filter((statement) => isNovelWord(statement, unsure));
  if (
    novel.length === 0 ||
    (isExtractive(context) && novel.length === answer.statements.filter(({ isAsked }) => !isAsked).length)
  )
    return [];
  const speech = tagWords(context, novel.slice(0, mostTagged));
  const found = novel.filter((statement) => isClaim(context, statement, speech.get(statement.word.start)));
  return found.map(({ word }) => {
    const text = answer.text.text.slice(word.start, word.end);
    return createFinding(
      "contradicted",
      { start: word.start, end: word.end },
      `${context.subject} doesn't mention ${quote(text)}.`,
    );
  });
}

/** A word of no name that is neither in the text nor in the question. Those of names are the names' affair. */
function isNovelWord({ word, at, isInPassage, isAsked }: Statement, unsure: ReadonlySet<number>): boolean {
  const isPlain = !word.isCapital || unsure.has(at);
  return !isInPassage && !isAsked && isPlain && !word.isNumber && word.norm.length > 1;
}

/** The part of speech of each word, told by the few words around it: whole sentences would cost several times as much. */
function tagWords({ answer }: Context, statements: readonly Statement[]): ReadonlyMap<number, Speech> {
  const speech = new Map<number, Speech>();
  for (const { word, at } of statements) {
    if (speech.has(word.start)) continue;
    const near = answer.words
      .slice(Math.max(0, at - reach), at + reach + 1)
      .filter(({ sentence }) => sentence === word.sentence);
    const start = near[0]?.start ?? word.start;
    const tagged = tagSpeech(answer.text.text.slice(start, near.at(-1)?.end ?? word.end));
    speech.set(word.start, tagged.get(word.start - start) ?? "other");
  }
  return speech;
}

function isClaim(context: Context, statement: Statement, speech: Speech | undefined): boolean {
  const { word, at } = statement;
  if (speech === undefined || speech === "other" || isGeneralWord(word.norm)) return false;
  if (speaksOfKnown(context, word)) return false;
  if (speech === "noun") return true;
  const next = context.answer.statementAt.get(at + 1);
  return next !== undefined && !next.word.isCapital && (next.isInPassage || next.isAsked);
}

/** Whether the text or the question speaks of the same in another part of speech: "pianist", where the text has a piano. */
function speaksOfKnown({ evidence, question }: Context, word: Word): boolean {
  const own = relationsOf(word.root);
  if (own.size === 0) return false;
  const isSame = (root: string): boolean => !relationsOf(root).isDisjointFrom(own);
  return [...evidence.roots].some(isSame) || question.words.some(({ root }) => isSame(root));
}
