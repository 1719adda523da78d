import type { Context } from "./context.ts";
import type { QuestionKind } from "./question.ts";

/** Longer responses say more than the answer to one question. In words. */
export const longestAnswer = 60;

const extractive: ReadonlySet<QuestionKind> = new Set(["who", "when", "where", "how-many", "what"]);

/** Whether the response is an answer to a question for something that stands in the text. */
export function isExtractive({ question, answer }: Context): boolean {
  return extractive.has(question.kind) && !answer.isAbstaining && answer.words.length <= longestAnswer;
}
