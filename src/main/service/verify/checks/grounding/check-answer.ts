import type { Finding } from "../../types.ts";
import { type Context, createFinding, quote } from "./context.ts";
import type { Statement } from "./response.ts";

const longestAnswer = 60;

/** The answer to a question for something that stands in the text has to stand in the text. */
export function checkAnswer(context: Context): readonly Finding[] {
  const { question, answer } = context;
  if (question.kind === "open" || question.kind === "yes-no" || question.kind === "choice") return [];
  if (answer.isAbstaining || answer.words.length > longestAnswer) return [];
  const fresh = answer.statements.filter(({ isAsked }) => !isAsked);
  const novel = fresh.filter(({ isInPassage }) => !isInPassage);
  if (novel.length > 0 && novel.length === fresh.length) return [reportUnknown(context, novel)];
  return [];
}

function reportUnknown({ answer, subject }: Context, novel: readonly Statement[]): Finding {
  const range = { start: novel[0]?.word.start ?? 0, end: novel.at(-1)?.word.end ?? 0 };
  const text = answer.text.text.slice(range.start, range.end);
  return createFinding("contradicted", range, `${subject} doesn't mention ${quote(text)}.`);
}
