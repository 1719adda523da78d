import { isGeneralWord, type Speech } from "../../text/index.ts";
import type { Finding } from "../../types.ts";
import { type Context, createFinding, quote } from "./context.ts";
import { findNovelWords, speaksOfKnown, tagWords } from "./novel-words.ts";
import type { Statement } from "./response.ts";

/** An answer to a question for a fact is a sentence; a longer one explains. In words. */
const longestAnswer = 30;
/** From so much on, what is new is no longer the same in other words. */
const leastClaimed = 4;
const leastShare = 0.55;

/**
 * An answer to a question for a deed or a cause that is mostly of words which the text doesn't have: that a pipe burst, where it
 * tells of scanners. A new word or two may say the same as the text.
 */
export function checkNovelty(context: Context): readonly Finding[] {
  const { answer, subject } = context;
  if (!asksForFact(context) || answer.isAbstaining || answer.words.length > longestAnswer) return [];
  const fresh = answer.statements.filter(({ isAsked }) => !isAsked);
  const novel = findNovelWords(answer).filter(({ word }) => !isShortened(word.raw) && !speaksOfKnown(context, word));
  if (novel.length === 0) return [];
  const speech = tagWords(answer, novel);
  const claimed = novel.reduce((sum, statement) => sum + weigh(statement, speech), 0);
  const isNew = claimed >= leastClaimed && claimed >= leastShare * fresh.length;
  if (!isNew && !(novel.length > 1 && claimed >= 2 && claimed >= fresh.length)) return [];
  const [first, last] = [novel[0], novel.at(-1)];
  if (!first || !last) return [];
  const range = { start: first.word.start, end: last.word.end };
  const text = answer.text.text.slice(range.start, range.end);
  return [createFinding("contradicted", range, `${subject} says nothing of ${quote(text)}.`)];
}

/** How much a new word claims: a noun more than a verb or an adjective, which say the same in many ways. */
function weigh({ word }: Statement, speech: ReadonlyMap<number, Speech>): number {
  if (isGeneralWord(word.norm)) return 0.5;
  return speech.get(word.start) === "noun" ? 2 : 1;
}

function isShortened(raw: string): boolean {
  return /['’](?:t|ll|ve|re|d|s)$/i.test(raw);
}

const opinions =
  /^(you|we|i|author|writer|narrator|passage|text|poem|story|article|document|mean|means|imply|suggest|convey|symbolize|symbolise|represent|say|think|feel|best|summary)$/;

/** "What did she borrow the money for?", "Why was it put off?": asks for what the text tells, and for nobody's view of it. */
function asksForFact({ question }: Context): boolean {
  if (question.kind !== "open" && !question.isOfDeed) return false;
  const norms = question.words.map(({ norm }) => norm);
  const at = norms.findIndex((norm) => norm === "what" || norm === "why");
  if (at === -1 || at > 2 || norms.some((norm) => opinions.test(norm))) return false;
  return /^(did|was|were|does|do|has|had)$/.test(norms[at + 1] ?? "");
}
