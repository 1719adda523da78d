import { isNeutralWord, rootOf, type Word } from "../../text/index.ts";
import type { Finding } from "../../types.ts";
import { readPolarity } from "./check-yes-no.ts";
import { type Clause, readClauses } from "./clauses.ts";
import { type Context, createFinding } from "./context.ts";
import { sentenceSpan } from "./evidence.ts";

const fewestKeys = 2;
const compares = new Set("than more less both same either neither or only ever still yet first last".split(" "));

/**
 * "Is the lid stiff?", "Was she a chemist?": yes or no has to be what the passage says where one clause of it has all the
 * words of the question. Only what something is: with a deed, the same words may say who did it to whom.
 */
export function checkCopula(context: Context): readonly Finding[] {
  const { question, evidence } = context;
  const [first] = question.words;
  if (question.kind !== "yes-no" || !first || !/^(is|are|was|were)$/.test(first.norm)) return [];
  if (question.words.some(({ norm, isNumber }) => compares.has(norm) || isNumber || /..ing$/.test(norm))) return [];
  const said = readPolarity(context);
  const asked = question.words.slice(1).filter(({ norm }) => !isNeutralWord(norm));
  if (said === null || asked.length < fewestKeys) return [];
  const clauses = readClauses(evidence.source.text.text, evidence.words).filter((clause) =>
    hasAll(context, clause, asked),
  );
  const [clause] = clauses;
  if (!clause || clauses.some(({ isNegated }) => isNegated !== clause.isNegated)) return [];
  const isRight = said.isYes !== clause.isNegated;
  const reason = `${context.subject} says that it is${clause.isNegated ? " not" : ""} so.`;
  const range = { start: said.word.start, end: said.word.end };
  return [createFinding(isRight ? "supported" : "contradicted", range, reason, [sentenceSpan(evidence, clause.from)])];
}

function hasAll({ evidence }: Context, { from, to }: Clause, asked: readonly Word[]): boolean {
  const words = evidence.words.slice(from, to);
  if (!evidence.sentences.has(words[0]?.sentence ?? -1)) return false;
  const roots = new Set(words.flatMap(({ key }) => [key, rootOf(key)]));
  return asked.every(({ key }) => roots.has(key) || roots.has(rootOf(key)));
}
