import { remember } from "../../../remember.ts";
import type { Finding } from "../../../types.ts";
import { type Context, createFinding, quote } from "../context.ts";
import { sentenceSpan } from "../evidence.ts";
import { isExtractive } from "../is-extractive.ts";
import { chooseAnswer } from "./choose-answer.ts";

/** So far behind are about one of a hundred right answers: bench/learn-weights.ts prints how many. */
const leastMargin = 3.4;

/** What the question seems to ask for, looked at once however many parts want to know. */
const lookUp = remember((context: Context) => ({ choice: isExtractive(context) ? chooseAnswer(context) : null }));

/** A name or number of the passage has to be the one that was asked for, where another one clearly is. */
export function checkCandidates(context: Context): readonly Finding[] {
  const { choice } = lookUp(context);
  const mention = choice?.best.mentions[0];
  if (!choice || !mention || choice.margin < leastMargin) return [];
  const { answer, evidence } = context;
  const { words, source } = evidence;
  const best = source.text.text.slice(words[mention.from]?.start ?? 0, words[mention.to - 1]?.end ?? 0);
  const fresh = answer.statements.filter(({ isAsked }) => !isAsked);
  const said = fresh.length > 0 ? fresh : answer.statements;
  const range = { start: said[0]?.word.start ?? 0, end: said.at(-1)?.word.end ?? answer.text.text.length };
  const reason = `What is asked for seems to be ${quote(best)} in the ${source.noun}.`;
  return [createFinding("contradicted", range, reason, [sentenceSpan(evidence, mention.from)])];
}

/** Whether the response gives what the question seems to ask for, or something that is hardly behind it. */
export function isLikelyAnswer(context: Context, margin: number): boolean {
  const { choice } = lookUp(context);
  return choice !== null && choice.margin < margin;
}
