import { countTokens } from "#main/requests";
import type { Random } from "../random.ts";

/** A sentence around a quotation: what comes before it, the mark right after it, and the rest. */
interface Opening {
  readonly head: string;
  readonly mark: string;
  readonly tail: string;
}

const openings: readonly [Opening, ...Opening[]] = [
  { head: "You asked about", mark: ",", tail: " so that is where this answer starts." },
  { head: "The part that decides it is", mark: ".", tail: "" },
  { head: "Your message comes down to", mark: ".", tail: "" },
  { head: "Taking", mark: "", tail: " as the task, I would begin with what is given." },
  { head: "For", mark: ",", tail: " the first step is to note what is known." },
  { head: "Let us look at", mark: "", tail: " first." },
  { head: "On", mark: ":", tail: " the message itself holds most of what is needed." },
  { head: "Reading", mark: ",", tail: " I take it word for word." },
];

const openingsAfterTool: readonly [Opening, ...Opening[]] = [
  { head: "The tool answered", mark: ".", tail: "" },
  { head: "With", mark: "", tail: " from the tool, the question can be answered." },
  { head: "According to the tool,", mark: "", tail: " is what there is to know." },
];

const openingsWithoutText: readonly [string, ...string[]] = [
  "The message has no text, so there is little to go by.",
  "There is no question in the message yet.",
  "The message came without any text to answer.",
];

/** What can be said of any task; in any number and any order. With the space before it, as it follows another. */
const remarks = [
  " The facts are taken in the order in which they appear.",
  " Each step follows from the one before it.",
  " A short check at the end shows whether the result fits the request.",
  " Where the wording allows two readings, the plainer one is used.",
  " Names and terms stay as you gave them.",
  " If a detail is missing, it is better to say so than to guess.",
  " It helps to write down what is known, and beside it what is wanted.",
  " Results on the way are worth keeping, because they make the last step easy to follow.",
  " One line that states the goal keeps the rest short.",
  " Nothing in it rules out the simple approach.",
  " The order of the steps matters less than leaving none of them out.",
  " What is not asked for can be left aside.",
  " A second pass over the wording is cheap and often finds the one word that matters.",
];

const closings: readonly [string, ...string[]] = [
  " This is a mock answer; a model would give its result here.",
  " As a mock answer, this stops short of a result.",
  " A model would now give the result; this is a mock answer.",
  " That is as far as a mock answer goes.",
  " The result itself is left to a model, since this is a mock answer.",
  " (Mock answer, written without a model.)",
];

const listNumbers = new Intl.ListFormat("en", { type: "conjunction" });

export interface Answer {
  readonly text: string;
  readonly tokens: number;
}

/** Who said what an answer refers to. */
type Speaker = "user" | "tool";

/** Writes a few sentences that refer to what was said, and say in passing that no model wrote them. */
export function composeAnswer(message: string, random: Random, speaker: Speaker = "user"): Answer {
  let text = "";
  let tokens = 0;
  const say = (part: string, count: number) => {
    text += part;
    tokens += count;
  };
  const sayNew = (part: string) => say(part, countTokens(part));
  const sayAgain = (part: string) => say(part, countOnce(part));

  const excerpt = pickExcerpt(message);
  if (excerpt === null) {
    sayAgain(random.pick(openingsWithoutText));
  } else {
    const { head, mark, tail } = random.pick(speaker === "tool" ? openingsAfterTool : openings);
    sayAgain(head);
    sayNew(` "${excerpt}"${mark}`);
    sayAgain(tail);
  }
  const numbers = pickNumbers(message, random.between(2, 4));
  if (numbers.length > 1) {
    sayAgain(" The numbers to work with are");
    sayNew(` ${listNumbers.format(numbers)}.`);
  }
  for (const remark of pickSome(remarks, random.between(1, 4), random)) sayAgain(remark);
  sayAgain(random.pick(closings));
  return { text, tokens };
}

/**
 * Parts that never change are counted once. That is exact: each part but the first starts with a space before a sign or
 * letter, there a new token always begins, and so the counts of the parts add up.
 */
const counted = new Map<string, number>();
function countOnce(part: string): number {
  const known = counted.get(part);
  if (known !== undefined) return known;
  const tokens = countTokens(part);
  counted.set(part, tokens);
  return tokens;
}

function pickSome(from: readonly string[], count: number, random: Random): string[] {
  const left = [...from];
  const picked: string[] = [];
  while (picked.length < count) picked.push(...left.splice(random.between(0, left.length - 1), 1));
  return picked;
}

const thoughtOpenings = ["Okay, the user writes", "So the message is", "Let me see. I am given"] as const;
const thoughts = [
  "First I note what is given, then what is wanted.",
  "Wait, is there a second way to read this? The plain one fits better.",
  "Let me check that again from the start.",
  "Each part follows from the one before, so the order is clear.",
  "If something were missing I would have to say so.",
  "That holds. Nothing speaks against it.",
] as const;
const thoughtClosing = "Now the answer; it is a mock one.";

/** What a reasoning model thinks to itself before it answers: a few lines, one thought in each. */
export function composeReasoning(message: string, random: Random): string {
  const excerpt = pickExcerpt(message);
  const opening =
    excerpt === null ? "Okay, there is no text to go by." : `${random.pick(thoughtOpenings)} "${excerpt}".`;
  const start = random.between(0, thoughts.length - 1);
  const count = random.between(2, 4);
  const chosen = Array.from({ length: count }, (_, at) => thoughts[(start + at) % thoughts.length] ?? thoughtClosing);
  return [opening, ...chosen, thoughtClosing].join("\n");
}

/** How much of a long message is looked at, from its start and from its end. */
const lookAt = 2_000;
const longestExcerpt = 100;
const shortestQuestion = 15;
/** In ASCII: what answers a question in plain ASCII is then plain, too, and costs half as much to send. */
const cutMark = "...";

/** Control characters and marks that turn the direction of text would leak out of a quotation. */
const unquotable = /[\s\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu;
/** Words of visible ASCII with single spaces between them: there is nothing to replace. */
const tidyAlready = /^(?:[!-~]| (?=[!-~]))*$/;
const sentenceEnds = /(?<=[.!?…؟।])\s+|(?<=[。！？])|\n+/u;
const question = /[?？؟]["'”’»)]*$/u;

/** A piece of the text that stands for it: the last question, else the first sentence; null when there is nothing to quote. */
function pickExcerpt(text: string): string | null {
  if (text.length <= longestExcerpt) return tidy(text) || null;
  const asked = splitSentences(text.slice(-lookAt)).findLast((sentence) => question.test(sentence));
  const excerpt = asked !== undefined && asked.length >= shortestQuestion ? asked : firstSentence(text);
  return shorten(tidy(excerpt)) || null;
}

/** The first few different numbers of the text, as they are there. */
function pickNumbers(text: string, most: number): string[] {
  const found = text.slice(0, lookAt).match(/(?<![\p{L}\p{N}])\p{Nd}{1,9}(?:[.,]\p{Nd}{1,9})*(?![\p{L}\p{N}])/gu) ?? [];
  return [...new Set(found)].slice(0, most);
}

function firstSentence(text: string): string {
  const start = text.trimStart().slice(0, lookAt);
  return splitSentences(start).find((sentence) => tidy(sentence) !== "") ?? "";
}

function splitSentences(text: string): string[] {
  return text.split(sentenceEnds).map((sentence) => sentence.trim());
}

function tidy(text: string): string {
  const trimmed = text.trim();
  return tidyAlready.test(trimmed) ? trimmed : trimmed.toWellFormed().replace(unquotable, " ").trim();
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Cuts at a space where there is one in the second half, else between two characters as a reader sees them. */
function shorten(text: string): string {
  if (text.length <= longestExcerpt) return text;
  const space = text.lastIndexOf(" ", longestExcerpt);
  if (space > longestExcerpt / 2) return `${text.slice(0, space)}${cutMark}`;
  let start = "";
  for (const { segment } of graphemes.segment(text.slice(0, longestExcerpt * 2))) {
    if (start.length + segment.length > longestExcerpt) break;
    start += segment;
  }
  return `${start}${cutMark}`;
}
