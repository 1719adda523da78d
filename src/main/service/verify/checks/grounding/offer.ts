import type { Name, Word } from "../../text/index.ts";
import { directionOf } from "./directions.ts";
import type { Question } from "./question.ts";

const asks = new Set("which who whom what".split(" "));
/** These ask for something else than one of those that a question names, or for something beside it. */
const asksOther = new Set("whose where when how why".split(" "));
const mostOffered = 12;
const article = /\b(the|a|an)$/i;

/**
 * The names that a question offers to choose from, in its order: only where they are plainly set off ("Which is older, A or B?",
 * "Which singer, A or B, …", "A and B: who …", "Is A or B …"), so that nothing else can be asked for. "Which singer, known as A
 * or B, …" offers nothing. Empty where it is not plain.
 */
export function readOffer(text: string, question: Question): readonly Name[] {
  const { options, words, all } = question;
  const [first] = words;
  if (options === null || !first || !asksOnce(words) || asksOfCompared(words)) return [];
  const [left, right] = options;
  const start = all[left.from]?.start ?? 0;
  const ask = words.find(({ norm }) => asks.has(norm));
  const offered = readSeries(text, question, left, right);
  const [opening] = offered;
  if (!opening) return [];
  const before = text.slice(first.start, all[opening.from]?.start ?? 0);
  if (ask === undefined) return isOnlyVerb(before) ? offered : [];
  if (ask.start > start) return isOnlyListed(before) ? offered : [];
  if (!isSetOff(before.slice(-widestGap))) return [];
  return endsThere(question, right) || isWithin(question, ask, opening) ? offered : [];
}

/** "A, B or C": the two and what is listed right before them. */
function readSeries(text: string, { names, all }: Question, left: Name, right: Name): readonly Name[] {
  const series = [left, right];
  let next = left;
  for (const name of names.toReversed()) {
    if (name.to > next.from || series.length === mostOffered) continue;
    const gap = text.slice(all[name.to - 1]?.end ?? 0, all[next.from]?.start ?? 0);
    if (!/^["”’']?,\s*(the\s+)?["“‘']?$/i.test(gap)) break;
    series.unshift(name);
    next = name;
  }
  const opening = text.slice(0, all[series[0]?.from ?? 0]?.start ?? 0);
  // "Which club is from Leith, A or B?": what stands before the comma is no part of a list.
  return isSetOff(opening.slice(-widestGap)) ? series : [left, right];
}

const widestGap = 60;

function asksOnce(words: readonly Word[]): boolean {
  return words.filter(({ norm }) => asks.has(norm)).length <= 1 && !words.some(({ norm }) => asksOther.has(norm));
}

/** "Who is the father of the older of the two", "Who founded the older firm": one who has to do with it is asked for. */
function asksOfCompared(words: readonly Word[]): boolean {
  const isWhich = words.some(({ norm }) => norm === "which");
  return words.some(({ norm }, at) => {
    if (directionOf(norm) === undefined || words[at - 1]?.norm !== "the") return false;
    const before = words[at - 2]?.norm ?? "";
    return /^(of|by|for)$/.test(before) || (!isWhich && norm.endsWith("er") && !states.has(before));
  });
}

const states = new Set("is was are were has have had came".split(" "));

/** "Is A or B the largest?" */
function isOnlyVerb(before: string): boolean {
  return /^(is|are|was|were|did|does|do|has|have)\s+(the\s+)?["“‘']?$/i.test(before);
}

/** "A and B, who …", "Of the two cities A and B, which …". */
function isOnlyListed(before: string): boolean {
  return /^\W*((out of|of|between|among|from)\s+)?([a-z]+\s+){0,4}["“‘']?$/i.test(before);
}

/** Whether a mark, or a comparing word, stands right before what is offered. */
function isSetOff(before: string): boolean {
  const trimmed = before
    .replace(/["“‘'\s]+$/, "")
    .replace(article, "")
    .trimEnd();
  if (/[,:;–—(-]$/.test(trimmed)) return true;
  const word = /[a-z]+$/i.exec(trimmed.slice(-20))?.[0]?.toLowerCase() ?? "";
  return /^(between|either)$/.test(word) || directionOf(word) !== undefined;
}

/** Whether the question goes on with nothing that says something. */
function endsThere({ words, all }: Question, { to }: Name): boolean {
  const end = all[to - 1]?.end ?? 0;
  return words.every(
    ({ start, isFunction, isNeutral, isNumber }) => start < end || isFunction || isNeutral || isNumber,
  );
}

/** "Which singer, A or B, …", "Which of the two firms, A or B, …": nothing is said before what is offered but what it is. */
function isWithin({ words, types, all }: Question, ask: Word, { from }: Name): boolean {
  const start = all[from]?.start ?? 0;
  const between = words.filter((word) => word.start > ask.start && word.start < start);
  return between.every((word) => types.includes(word) || /^(of|the|these|those|two|one)$/.test(word.norm));
}
