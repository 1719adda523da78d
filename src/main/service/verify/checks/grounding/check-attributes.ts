import { isGeneralWord, type Speech, tagWords } from "../../text/index.ts";
import type { Finding, Range } from "../../types.ts";
import { isExtractive, longestAnswer } from "./check-answer.ts";
import { type Context, createFinding, quote } from "./context.ts";
import type { Statement } from "./response.ts";

const longestSentence = 400;

/**
 * What a short answer adds to what the text has: "narrow gauge track" where the text has a standard gauge track, "the
 * wife of" somebody. Verbs may be put in other words; a noun that the text doesn't have, and an adjective right before a
 * noun of the text, are claims.
 */
export function checkAttributes(context: Context): readonly Finding[] {
  const { answer, question } = context;
  const isShort = answer.words.length <= longestAnswer && !answer.isAbstaining;
  if (!isExtractive(context) && !(isShort && (question.kind === "choice" || question.kind === "yes-no"))) return [];
  const unsure = new Set(answer.names.flatMap(({ from, isSure }) => (isSure ? [] : [from])));
  const novel = answer.statements.filter((statement) => isNovelWord(statement, unsure));
  if (
    novel.length === 0 ||
    (isExtractive(context) && novel.length === answer.statements.filter(({ isAsked }) => !isAsked).length)
  )
    return [];
  const speech = tagSentences(context, novel);
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

function tagSentences({ answer }: Context, statements: readonly Statement[]): ReadonlyMap<number, Speech> {
  const speech = new Map<number, Speech>();
  for (const sentence of new Set(statements.map(({ word }) => word.sentence))) {
    const range: Range = answer.text.sentences[sentence] ?? { start: 0, end: 0 };
    const text = answer.text.text.slice(range.start, Math.min(range.end, range.start + longestSentence));
    for (const [start, tag] of tagWords(text)) speech.set(range.start + start, tag);
  }
  return speech;
}

function isClaim(context: Context, statement: Statement, speech: Speech | undefined): boolean {
  const { word, at } = statement;
  if (speech === undefined || speech === "other" || isGeneralWord(word.norm)) return false;
  if (speech === "noun") return true;
  const next = context.answer.statementAt.get(at + 1);
  return next !== undefined && !next.word.isCapital && (next.isInPassage || next.isAsked);
}
