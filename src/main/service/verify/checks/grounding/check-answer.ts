import { placeKind, type Word } from "../../text/index.ts";
import type { Finding } from "../../types.ts";
import { type Context, createFinding, quote } from "./context.ts";
import { isExtractive } from "./is-extractive.ts";
import { plainNegations } from "./negations.ts";
import { speaksOfKnown } from "./novel-words.ts";
import type { SaidNumber, Statement } from "./response.ts";

const negations: ReadonlySet<string> = new Set([...plainNegations, "nor", "none"]);

/** The answer to a question for something that stands in the text has to stand in the text, and to be an answer. */
export function checkAnswer(context: Context): readonly Finding[] {
  if (!isExtractive(context)) return [];
  const { question, answer } = context;
  const { statements } = answer;
  const fresh = statements.filter(({ isAsked }) => !isAsked);
  const novel = fresh.filter(({ isInPassage }) => !isInPassage);
  const isKnown = question.isOfDeed && novel.every(({ word }) => speaksOfKnown(context, word));
  if (novel.length > 0 && novel.length === fresh.length && !isKnown) return [reportUnknown(context, novel)];
  // What somebody agreed to may be not to do something.
  if (!question.isOfDeed && !fresh.some(({ word }) => word.isCapital || word.isNumber) && deniesQuestion(context))
    return [reportWhole(context, `${context.subject} takes what was asked for given, and this denies it.`)];
  return [];
}

/** An answer that only says the question again answers nothing. */
export function checkRepetition(context: Context): readonly Finding[] {
  if (!isExtractive(context) || context.answer.statements.some(({ isAsked }) => !isAsked)) return [];
  // "Two years" and "two brothers" answer how many: small numbers in words are no statements.
  const isCounted = ({ mention, isInPassage, isAsked }: SaidNumber): boolean =>
    mention.unit !== null || (isInPassage && !isAsked);
  if (context.answer.numbers.some(isCounted)) return [];
  return repeatsQuestion(context) ? [reportWhole(context, "This only repeats the question.")] : [];
}

function reportUnknown({ answer, subject }: Context, novel: readonly Statement[]): Finding {
  const range = { start: novel[0]?.word.start ?? 0, end: novel.at(-1)?.word.end ?? 0 };
  const text = answer.text.text.slice(range.start, range.end);
  return createFinding("contradicted", range, `${subject} doesn't mention ${quote(text)}.`);
}

function reportWhole({ answer }: Context, reason: string): Finding {
  const first = answer.statements[0]?.word.start ?? 0;
  const sentence = answer.text.sentences.find(({ end }) => end > first) ?? { start: 0, end: answer.text.text.length };
  return createFinding("contradicted", sentence, reason);
}

/** "Neither became king", where the question takes it that one did. */
function deniesQuestion({ question, answer }: Context): boolean {
  const isNegated = answer.words.some(({ norm }) => negations.has(norm));
  return isNegated && !question.words.some(({ norm }) => negations.has(norm));
}

/** "A famous musician", as an answer to who it was. */
function namesNobody({ answer }: Context): boolean {
  return answer.statements.at(-1)?.word.isCapital === false;
}

/** Shorter answers may well be a name that the question has, too. */
const fewestRepeated = 4;

/** A sentence all of whose words are the question's, without a place or a number that could be the answer; for a person, words without a name. */
function repeatsQuestion(context: Context): boolean {
  const { question, answer } = context;
  if (question.kind === "who" && answer.statements.length > 0 && namesNobody(context)) return true;
  if (answer.statements.length < fewestRepeated) return namesOnlyAsked(context);
  if (saysMore(context)) return false;
  if (question.kind === "who" || question.kind === "where" || question.kind === "what") {
    return !answer.statements.some(({ word }) => word.key.startsWith("place:"));
  }
  return !answer.statements.some(({ word }) => word.isNumber);
}

/**
 * "Of the owl and the hawk, the hawk hunts by day": one of those that the question names, a second time. "The Velm Lines are of the
 * Velm culture": one of its names, called as the type asked for.
 */
function saysMore({ question, answer }: Context): boolean {
  const isAmong = /^(of|among|between)$/.test(question.words[0]?.norm ?? "");
  const types = new Set(question.types.map(({ key }) => key));
  const counts = new Map<string, number>();
  for (const { key } of question.words) counts.set(key, (counts.get(key) ?? 0) + 1);
  return answer.statements.some(({ word, at }) => {
    const left = (counts.get(word.key) ?? -1) - 1;
    counts.set(word.key, left);
    return left === -1 && (isAmong || types.has(answer.words[at + 1]?.key ?? ""));
  });
}

/**
 * "The Halden", where the question has the Halden and asks for something else. A place may be the answer all the same, and so
 * may a part of a name ("Who founded Ford Motors?", "Ford"), and what is called as the type asked for ("which river": "the Alder River").
 */
function namesOnlyAsked({ question, answer, evidence }: Context): boolean {
  const { names, statements } = answer;
  if (question.kind !== "who" && question.kind !== "what") return false;
  const isNamed =
    names.some(({ isSure }) => isSure) || (names.length > 0 && statements.every(({ word }) => word.isCapital));
  if (!isNamed || statements.some(({ word }) => word.isNumber || isPlaceWord(word))) return false;
  const said = new Set(statements.map(({ word }) => word.key));
  if (question.types.some(({ key }) => said.has(key))) return false;
  if (
    !question.names.some((name) =>
      question.all.slice(name.from, name.to).every((word) => word.isFunction || said.has(word.key)),
    )
  )
    return false;
  return evidence.words.some(({ start, key }) => evidence.nameStarts.get(start) === true && !evidence.asked.has(key));
}

function isPlaceWord({ norm, key }: Word): boolean {
  return key.startsWith("place:") || placeKind(norm, key) !== undefined;
}
