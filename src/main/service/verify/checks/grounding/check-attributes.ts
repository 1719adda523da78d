import { isGeneralWord, type Speech, tagWords } from "../../text/index.ts";
import type { Finding, Range } from "../../types.ts";
import { isExtractive } from "./check-answer.ts";
import { type Context, createFinding, quote } from "./context.ts";
import type { Statement } from "./response.ts";

const longestSentence = 400;

/**
 * What a short answer adds to what the text has: "narrow gauge track" where the text has a standard gauge track, "the
 * wife of" somebody. Verbs may be put in other words; a noun that the text doesn't have, and an adjective right before a
 * noun of the text, are claims.
 */
export function checkAttributes(context: Context): readonly Finding[] {
  if (!isExtractive(context) && context.question.kind !== "choice") return [];
  const { answer } = context;
  const novel = answer.statements.filter(isNovelWord);
  if (novel.length === 0 || novel.length === answer.statements.filter(({ isAsked }) => !isAsked).length) return [];
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

function isNovelWord({ word, isInPassage, isAsked }: Statement): boolean {
  return !isInPassage && !isAsked && !word.isCapital && !word.isNumber && word.norm.length > 2;
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
