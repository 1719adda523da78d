import { isNeutralWord, monthPattern, type NumberMention, wordsOf } from "../../text/index.ts";
import type { Source } from "./find-source.ts";
import { isYear } from "./numbers.ts";
import { indexPassage } from "./passage.ts";
import type { Question } from "./question.ts";

const calculates =
  /\b(each|rest|all|every|per|total|altogether|in all|left|remaining|remain|times|twice|thrice|half|third|quarter|double|triple|if|more than|less than|fewer|than|average|percent|percentage|degrees|minutes|hours|mph|faster|slower|both|more|added|mph|speed|while|spend|spent|gives?|gave|cost|costs|pays?|earns?|buys?|bought|sells?|sold|needs?|combined|sum|how much|how many)\b/i;
const quantities =
  /\bhow (many|much|long|far|old|tall|often|fast|load|high|heavy|big|late|early)\b|\bwhat('s|’s| is| was| are| were| will be)? (the |his |her |their |its )?([a-z'’]+ ){0,3}(total|percent|percentage|fraction|number|amount|cost|price|speed|time|age|distance|salary|profit|difference|average|area|perimeter|value|place|sum|depth|weight|length|height)\b|\bwhat (floor|score|grade|temperature)\b|\bwhat (is|are|was|were|will) (the|his|her|their|its|[a-z]+['’]s) (combined|final|annual|average|new|remaining)\b|\b(calculate|determine|in what|find the|probability|likelihood|measure of|final temperature)\b/i;
const equation = /\d[^\n=]{0,80}[=≈]\s*[-$€£<(]*\d/;
/** A text with so many names of two words and more tells of the world, and asks for what it tells. */
const fewestNames = 3;
const supposes = /\b(if|find|how many (more|fewer)|how much more|in all|altogether|left|combined|total)\b/i;
const labels = /^\s*(context|passage|knowledge|document|text|article|background)\s*:/im;

const dateBefore = new RegExp(
  `(\\b(in|since|from|until|to|of|by|early|late|around|the|a|and|between|after|before)\\s|[(–-]|${monthPattern}\\s|\\d,\\s|,\\s)$`,
  "i",
);

/**
 * Whether the prompt is a problem to be worked out: its answer follows from the numbers of the prompt and does not stand
 * in it. Labelled passages, documents, and texts with years are there to be read.
 */
export function isWordProblem(prompt: string, source: Source, question: Question, response: string): boolean {
  if (source.noun === "document") return false;
  if (equation.test(response)) return true;
  const passage = indexPassage(source);
  const { numbers } = passage;
  if (numbers.some((number) => isDatedYear(source.text.text, number)) || labels.test(prompt.slice(0, 2_000)))
    return false;
  if (numbers.length === 0) return false;
  const first = question.words[0];
  const asking = first ? prompt.slice(first.start, (question.words.at(-1)?.end ?? 0) + 1) : "";
  if (passage.acronyms.size >= fewestNames && !supposes.test(asking)) return false;
  return (
    quantities.test(asking) &&
    calculates.test(prompt.slice(0, 4_000)) &&
    (relates.test(prompt.slice(0, 4_000)) || !standsInSentence(source, question, numbers, asking))
  );
}

/** Amounts told by one another, as only problems do. */
const relates =
  /\b(the rest|twice as|times (as|more|less|the|older|younger)|half as|third as|fifth as|equal to|sum of|less than (twice|two|three|four|five) times|(increased|decreased|off) by \d+%|% (fewer|less|more) than)\b/i;
const shortQuestion = 5;
const sums =
  /\b(total|altogether|in all|left|remain\w*|more|fewer|less|if|each|average|percent\w*|together|combined|does|do|did|will|would|can|make|need|each|every)\b/i;

/** Whether a sentence with a number has all that the question asks about: "parking costs $15" for "how much is parking". */
function standsInSentence(
  { text }: Source,
  question: Question,
  numbers: readonly NumberMention[],
  asking: string,
): boolean {
  if (question.words.length > shortQuestion || sums.test(asking)) return false;
  const asked = question.words.filter(({ norm }) => !isNeutralWord(norm)).map(({ root }) => root);
  const inQuestion = new Set(question.words);
  return text.sentences.some((range) => {
    if (!numbers.some(({ start }) => start >= range.start && start < range.end)) return false;
    const here = wordsOf(text).filter(
      (word) => word.start >= range.start && word.end <= range.end && !inQuestion.has(word),
    );
    const roots = new Set(here.map(({ root }) => root));
    return asked.length > 0 && asked.every((root) => roots.has(root));
  });
}

/** A year as a date has it, not the count of "a 1000-piece puzzle". */
function isDatedYear(text: string, number: NumberMention): boolean {
  if (!isYear(number) || number.value < 1500) return false;
  return (
    dateBefore.test(text.slice(Math.max(0, number.start - 14), number.start)) &&
    /^([\s,.;:)\]–-]|$)/.test(text.slice(number.end, number.end + 1)) &&
    !/^-\p{L}/u.test(text.slice(number.end, number.end + 2))
  );
}
