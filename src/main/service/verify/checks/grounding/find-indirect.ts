import { isDemonym, type Word } from "../../text/index.ts";
import { readPair, tells } from "./compare-options.ts";
import type { Context } from "./context.ts";
import { directionOf, findDirection } from "./directions.ts";
import type { Chosen } from "./find-chosen.ts";
import { freshNames } from "./fresh-name.ts";

/** In words. */
const longestPointer = 8;
const longestBoth = 20;
const longestDescription = 10;
const mostTold = 4;

/** Which option a response chooses without its name: "the latter", "both are", "the Danish actress", "1844". */
export function findIndirect(context: Context): Chosen | null {
  const { question, answer } = context;
  if (question.options === null) return null;
  const named = new Set(question.options.flatMap(({ from, to }) => question.all.slice(from, to).map(({ key }) => key)));
  const isDirect = answer.words.some(({ norm, key, isFunction }) => norm === "not" || (!isFunction && named.has(key)));
  if (isDirect) return null;
  return findPointer(answer.words) ?? findBoth(context) ?? findDescribed(context);
}

/** The former is the one that the question names first. */
function findPointer(words: readonly Word[]): Chosen | null {
  const at = words.findIndex(({ norm }) => norm === "former" || norm === "latter");
  if (at === -1 || words.length > longestPointer || words.some(({ norm }) => norm === "than")) return null;
  return { option: words[at]?.norm === "former" ? 0 : 1, from: at, to: at + 1 };
}

/** "Both were introduced at the same time", "neither", "they are equally old". */
function findBoth({ answer }: Context): Chosen | null {
  const { words } = answer;
  if (words.length > longestBoth) return null;
  const at = words.findIndex(({ norm }) => /^(both|neither|equally|same|tied)$/.test(norm));
  const isCompared = words.some(({ norm }) => directionOf(norm) !== undefined) && words[at]?.norm !== "neither";
  return at === -1 || isCompared ? null : { option: "both", from: at, to: at + 1 };
}

/** "The Danish actress", "the one founded in 1844": what the passage says of one of the two alone. */
function findDescribed(context: Context): Chosen | null {
  const { question, answer, evidence } = context;
  if (question.options === null || answer.words.length > longestDescription) return null;
  const names = freshNames(context).filter(
    ({ from, to }) => !answer.words.slice(from, to).every(({ norm }) => isDemonym(norm)),
  );
  const told = answer.statements.filter(({ isAsked, isInPassage }) => !isAsked && isInPassage);
  const isOther = answer.words.some(({ norm }) => directionOf(norm) !== undefined && !isAskedDirection(context, norm));
  if (names.length > 0 || isOther || told.length === 0 || told.length > mostTold) return null;
  if (answer.numbers.some(({ mention }) => mention.unit !== null)) return null;
  const pair = readPair(context, question.options);
  const sides = told.map(({ word }) => pair.map(({ section }) => tells(evidence, section, word.key)));
  const [isLeft, isRight] = [0, 1].map((index) =>
    sides.some((side) => side[index] === true && side[1 - index] === false),
  );
  if (isLeft === isRight || !sides.every((side) => side[isLeft ? 0 : 1])) return null;
  const [from, to] = [told[0]?.at ?? 0, (told.at(-1)?.at ?? 0) + 1];
  return { option: isLeft ? 0 : 1, from, to };
}

function isAskedDirection({ question }: Context, norm: string): boolean {
  return findDirection(question.words)?.direction === directionOf(norm);
}
