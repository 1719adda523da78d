import type { Word } from "../../text/index.ts";
import type { Finding } from "../../types.ts";
import { compareOptions, type Direction, directionOf } from "./compare-options.ts";
import { type Context, createFinding } from "./context.ts";
import { distinctKeys } from "./question.ts";

const shortAnswer = 14;
const opposite: Readonly<Record<Direction, Direction>> = {
  earliest: "latest",
  latest: "earliest",
  most: "least",
  least: "most",
};

/** Of two that a question names, the response has to choose the one that the passage speaks for. */
export function checkChoice(context: Context): readonly Finding[] {
  const { question, answer } = context;
  if (question.options === null || question.kind === "yes-no" || answer.isAbstaining) return [];
  const chosen = findChosen(context);
  if (chosen === null) return [];
  const decision = compareOptions(context);
  if (decision === null) return [];
  const range = { start: answer.words[chosen.from]?.start ?? 0, end: answer.words[chosen.to - 1]?.end ?? 0 };
  const isRight = chosen.option === decision.winner;
  return [createFinding(isRight ? "supported" : "contradicted", range, decision.reason, decision.evidence)];
}

interface Chosen {
  readonly option: 0 | 1 | "both";
  readonly from: number;
  readonly to: number;
}

interface Mention {
  readonly option: 0 | 1;
  readonly at: number;
}

/** Which option the response chooses; null where that is not clear. */
function findChosen({ question, answer }: Context): Chosen | null {
  if (question.options === null) return null;
  const [left, right] = question.options;
  const keys = [distinctKeys(question.all, left, right), distinctKeys(question.all, right, left)] as const;
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
  if (!isBothNamed) return choose(mentions, first.option);
  if (answer.words.slice(0, first.at).some(({ norm }) => norm === "both"))
    return { ...choose(mentions, first.option), option: "both" };
  return chooseByComparison(
    question.words.map(({ norm }) => norm),
    answer.words.map(({ norm }) => norm),
    mentions,
  );
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
  asked: readonly string[],
  said: readonly string[],
  mentions: readonly Mention[],
): Chosen | null {
  const wanted = asked.map(directionOf).find((direction) => direction !== undefined);
  const at = said.findIndex((norm) => {
    const direction = directionOf(norm);
    return direction !== undefined && wanted !== undefined && (direction === wanted || direction === opposite[wanted]);
  });
  if (at !== -1) {
    const subject = mentions.findLast((mention) => mention.at < at) ?? mentions[0];
    if (!subject) return null;
    const isSame = directionOf(said[at] ?? "") === wanted;
    const option = isSame ? subject.option : subject.option === 0 ? 1 : 0;
    return choose(mentions, option);
  }
  const first = mentions[0];
  return first && said.length <= shortAnswer ? choose(mentions, first.option) : null;
}

/** The first run of words that names an option. */
function choose(mentions: readonly Mention[], option: 0 | 1): Chosen {
  const own = mentions.filter((mention) => mention.option === option);
  const from = own[0]?.at ?? mentions[0]?.at ?? 0;
  let to = from + 1;
  for (const { at } of own) if (at <= to + 1 && at >= to) to = at + 1;
  return { option, from, to };
}
