import type { Finding } from "../../types.ts";
import { type Context, createFinding, quote } from "./context.ts";
import { fieldsOf, readFields } from "./fields.ts";
import { longestAnswer } from "./is-extractive.ts";
import { isClaimedTrade } from "./novel-traits.ts";
import { findNovelWords, speaksOfKnown } from "./novel-words.ts";
import type { Statement } from "./response.ts";

/**
 * What an answer of yes or no gives as its reason: a trade or a field that the text has for nobody is none, as in "Yes, both are
 * magicians". Most other words may well put what the text says in another way.
 */
export function checkReasons(context: Context): readonly Finding[] {
  const { answer, question, subject } = context;
  if (question.kind !== "yes-no" || answer.isAbstaining || answer.words.length > longestAnswer) return [];
  const claimed = findNovelWords(answer).filter(
    (statement) =>
      (isClaimedTrade(context, statement) || isOtherField(context, statement)) &&
      !speaksOfKnown(context, statement.word),
  );
  return claimed.map(({ word: { start, end, raw } }) =>
    createFinding("contradicted", { start, end }, `${subject} doesn't mention ${quote(raw)}.`),
  );
}

/** Whether the text speaks of fields of the same sort as a word's, and not of this one. */
function isOtherField({ evidence, question }: Context, { word }: Statement): boolean {
  const own = fieldsOf(word.norm);
  const known = [...readFields(evidence.passage), ...question.words.flatMap(({ norm }) => fieldsOf(norm))];
  return (
    own.some(({ sort }) => known.some((other) => other.sort === sort)) && !own.some((field) => known.includes(field))
  );
}
