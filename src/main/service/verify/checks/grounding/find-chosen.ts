import type { Word } from "../../text/index.ts";
import type { Context } from "./context.ts";
import { type Direction, directionOf, findDirection } from "./directions.ts";
import { keysOfOptions } from "./question-options.ts";

const shortAnswer = 14;
const opposite: Readonly<Record<Direction, Direction>> = {
  earliest: "latest",
  latest: "earliest",
  most: "least",
  least: "most",
};

/** Which option a response chooses, and where it says so. */
export interface Chosen {
  readonly option: 0 | 1 | "both";
  readonly from: number;
  readonly to: number;
}

interface Mention {
  readonly option: 0 | 1;
  readonly at: number;
}

/** Which option the response chooses; null where that is not clear. */
export function findChosen({ question, answer }: Context): Chosen | null {
  if (question.options === null) return null;
  const keys = keysOfOptions(question.all, question.options);
  const named: Mention[] = [];
  answer.words.forEach(({ key }, at) => {
    if (answer.ignored.has(at)) return;
    if (keys[0].has(key)) named.push({ option: 0, at });
    else if (keys[1].has(key)) named.push({ option: 1, at });
  });
  const mentions = dropRepeatedOptions(answer.words, named);
  const first = mentions[0];
  if (!first) return null;
  const isBothNamed = mentions.some(({ option }) => option !== first.option);
  if (!isBothNamed)
    return isDenied(answer.words, first.at) ? null : chooseAlone(question.words, answer.words, mentions);
  if (answer.words.slice(0, first.at).some(({ norm }) => norm === "both"))
    return { ...choose(mentions, first.option), option: "both" };
  return chooseByComparison(answer.text.text, question.words, answer.words, mentions);
}

/** "Not Bergen." */
function isDenied(words: readonly Word[], at: number): boolean {
  return words.slice(Math.max(0, at - 2), at).some(({ norm }) => norm === "not");
}

/** "Bergen is younger", asked for the older, chooses the other. */
function chooseAlone(asked: readonly Word[], said: readonly Word[], mentions: readonly Mention[]): Chosen {
  const option = mentions[0]?.option ?? 0;
  const wanted = findDirection(asked)?.direction;
  const isOther =
    wanted !== undefined &&
    said.some(({ norm }, at) => directionOf(norm) === opposite[wanted] && isComparison(said, at)) &&
    !said.some(({ norm }) => directionOf(norm) === wanted);
  return choose(mentions, isOther ? otherThan(option) : option);
}

/** "Younger", "more than": not "it was later renamed". */
function isComparison(words: readonly Word[], at: number): boolean {
  return /^(?!later|earlier|sooner)\p{L}+er$/u.test(words[at]?.norm ?? "") || words[at + 1]?.norm === "than";
}

/** "A or B" names both and chooses neither: what comes after it counts. */
function dropRepeatedOptions(words: readonly Word[], mentions: readonly Mention[]): readonly Mention[] {
  const or = words.findLastIndex(({ norm }) => norm === "or");
  if (or === -1 || !mentions.some(({ at }) => at < or) || !mentions.some(({ at }) => at > or)) return mentions;
  let end = or;
  for (const { at } of mentions) if (at > end && at <= end + 3) end = at;
  return mentions.filter(({ at }) => at > end);
}

function chooseByComparison(
  text: string,
  asked: readonly Word[],
  said: readonly Word[],
  mentions: readonly Mention[],
): Chosen | null {
  const place = said.findIndex(({ norm }) => norm === "former" || norm === "latter");
  if (place !== -1) return choosePlace(said[place]?.norm === "former", place, mentions);
  const wanted = findDirection(asked)?.direction;
  const at = said.findIndex(({ norm }, index) => {
    const direction = directionOf(norm);
    if (direction === undefined || wanted === undefined) return false;
    return direction === wanted || (direction === opposite[wanted] && isComparison(said, index));
  });
  if (at !== -1) {
    const before = mentions.findLast((mention) => mention.at < at);
    const subject = before ?? mentions[0];
    if (!subject || (before && !isOneClause(text, said.slice(before.at, at + 1)))) return null;
    const isSame = findDirection(said.slice(at))?.direction === wanted;
    return choose(mentions, isSame ? subject.option : otherThan(subject.option));
  }
  const first = mentions[0];
  return first && said.length <= shortAnswer ? choose(mentions, first.option) : null;
}

function otherThan(option: 0 | 1): 0 | 1 {
  return option === 0 ? 1 : 0;
}

/** "The former" is the one that the response names first. */
function choosePlace(isFormer: boolean, at: number, mentions: readonly Mention[]): Chosen | null {
  const order = [...new Set(mentions.filter((mention) => mention.at < at).map(({ option }) => option))];
  const option = order[isFormer ? 0 : 1];
  return option === undefined ? null : choose(mentions, option);
}

/** "Ann is older", not "Bo was born in 1950, which makes the Swede older". */
function isOneClause(text: string, words: readonly Word[]): boolean {
  return words.every((word, index) => {
    const previous = words[index - 1];
    if (!previous) return true;
    return (
      !/[,;:.()–—]/.test(text.slice(previous.end, word.start)) && !/^(and|which|while|whereas|so)$/.test(word.norm)
    );
  });
}

/** The first run of words that names an option. */
function choose(mentions: readonly Mention[], option: 0 | 1): Chosen {
  const own = mentions.filter((mention) => mention.option === option);
  const from = own[0]?.at ?? mentions[0]?.at ?? 0;
  let to = from + 1;
  for (const { at } of own) if (at <= to + 1 && at >= to) to = at + 1;
  return { option, from, to };
}
