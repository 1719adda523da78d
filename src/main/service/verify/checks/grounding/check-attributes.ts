import { isGeneralWord, type Speech } from "../../text/index.ts";
import type { Finding } from "../../types.ts";
import { type Context, createFinding, quote } from "./context.ts";
import { isExtractive, longestAnswer } from "./is-extractive.ts";
import { findNovelWords, speaksOfKnown, tagWords } from "./novel-words.ts";
import type { Statement } from "./response.ts";

/** What was done may be told in other words: of an answer to that, so much has to be new. */
const leastShare = 0.5;

/**
 * What a short answer adds to what the text has: "narrow gauge track" where the text has a standard gauge track, "the
 * wife of" somebody. Verbs may be put in other words; a noun that the text doesn't have, and an adjective right before a
 * noun of the text, are claims.
 */
export function checkAttributes(context: Context): readonly Finding[] {
  const { answer, question } = context;
  const isShort = answer.words.length <= longestAnswer && !answer.isAbstaining;
  if (!isExtractive(context) && !(isShort && question.kind === "choice")) return [];
  const novel = findNovelWords(answer);
  if (
    novel.length === 0 ||
    (isExtractive(context) && novel.length === answer.statements.filter(({ isAsked }) => !isAsked).length)
  )
    return [];
  const speech = tagWords(answer, novel);
  const found = novel.filter((statement) => isClaim(context, statement, speech.get(statement.word.start)));
  const fresh = answer.statements.filter(({ isAsked }) => !isAsked);
  if (question.isOfDeed && found.length < leastShare * fresh.length) return [];
  return found.map(({ word }) => {
    const text = answer.text.text.slice(word.start, word.end);
    return createFinding(
      "contradicted",
      { start: word.start, end: word.end },
      `${context.subject} doesn't mention ${quote(text)}.`,
    );
  });
}

function isClaim(context: Context, statement: Statement, speech: Speech | undefined): boolean {
  const { word, at } = statement;
  if (speech === undefined || speech === "other" || isGeneralWord(word.norm)) return false;
  if (speaksOfKnown(context, word)) return false;
  if (speech === "noun") return true;
  const next = context.answer.statementAt.get(at + 1);
  return next !== undefined && !next.word.isCapital && (next.isInPassage || next.isAsked);
}
