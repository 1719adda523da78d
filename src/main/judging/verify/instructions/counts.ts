import { isFiller } from "../filler.ts";
import { spacelessLetter } from "../text/scripts.ts";
import type { Reading, Text } from "../types.ts";
import {
  broken,
  countPattern,
  followed,
  type Instruction,
  isConditional,
  type Rule,
  readCount,
} from "./instruction.ts";

const bound =
  "(exactly|precisely|at most|at least|no more than|not more than|up to|under|below|over|no fewer than|no less than|fewer than|less than|more than|a maximum of|maximum|max\\.?|a minimum of|minimum|about|around|approximately|roughly|or so|no longer than)";
const unit =
  "(?:\\s+|-)(?:(?:short|long|complete|full|concise|brief|simple|english|single|plain)\\s+)?(words?|sentences?|characters?|letters?|paragraphs?)";
const range = `(?:between\\s+)?(${countPattern})(?:\\s*(?:-|–|to|and)\\s*(${countPattern}))?`;
const more = "(?:\\s+(or fewer|or less|or more|at most|at least|max(?:imum)?|minimum|max\\.))?";
const length = new RegExp(`\\b(?:${bound}\\s+)?\\b${range}${unit}\\b${more}`, "i");

/** What a length must be introduced by, or stand at the start of the sentence. */
const introduced =
  /(?:^|\b(?:in|with|within|using|use|to|of|contain|be|keep (?:it|(?:(?:your|the|all) )?\w+)|than|that is|that's|is|have|has|only|a|into)\s+(?:only |just |a |the )?|[(,;]\s*(?:only |just )?)$/i;
/** Other things than the whole answer: parts of it, or something that is spoken of. */
const aboutParts =
  /\b(?:each|every|per|then|followed by|title|heading|first|second|last|final|opening|closing|respectively|names?d?|who|that|which|whose|titled|called|list of|bullets?|points?|items?|examples|synonyms|password|passwords|slogans?|keywords?|key|ideas|words? (?:that|which|for|from|in|of|with|starting|beginning|ending|rhym\w+)|plus|step|subject|table|json|code|function|program|script)\b/i;
const whole =
  /^(?:only |just |simply |always |briefly )?(?:answer|respond|reply|output|return|provide|give|write|produce|generate|tell|say|state|summari[sz]e|describe|explain|define|outline|justify|compose|keep|limit|use|in |using|with|within|at most|at least|max|up to|no |exactly|only|one |do not|don't|never|there (?:must|should|has to|have to|are to) be|(?:your|the) (?:\w+ )?(?:answer|response|reply|output|summary|explanation|text|description|message|email|poem|story|essay|letter) (?:must|should|has to|needs to|is to|shall|may|can))/i;

/** Bare numbers ("in 50 words") are meant so closely: the share that the response may be off. */
const slackOfBare = 0.25;
const slackOfAbout = 0.5;
/** Up to this many sentences or paragraphs, a bare number is meant exactly. */
const exactUpTo = 5;

interface Limits {
  readonly least: number;
  readonly most: number;
}

/** "In one sentence", "at most 50 words", "between 100 and 150 characters", about the whole answer. */
export const checkLength: Rule = (instruction, reading) => {
  const { text } = instruction;
  const found = length.exec(text);
  if (found === null || !whole.test(text) || aboutParts.test(text)) return [];
  const before = text.slice(0, found.index);
  if (!introduced.test(before) || isConditional(text, found.index, found[0].length)) return [];
  const unitName = (found[4] ?? "").toLowerCase().replace(/s$/, "");
  const limits = readLimits(found, unitName);
  if (limits === null) return [];
  const counted = countUnits(unitName, reading);
  if (counted === null || counted.most === 0) return [];
  const { least, most } = limits;
  if (counted.least > most) return [broken(instruction, reading, describeLength(unitName, found[0], counted.least))];
  if (counted.most < least) return [broken(instruction, reading, describeLength(unitName, found[0], counted.most))];
  return [followed(instruction, reading, `The response is as long as the prompt asks (${found[0].trim()}).`)];
};

function describeLength(unitName: string, asked: string, count: number): string {
  const units = `${count.toLocaleString("en")} ${unitName}${count === 1 ? "" : "s"}`;
  return `The prompt asks for ${asked.trim()}, and the response has ${units}.`;
}

function readLimits([whole, first, low, high, , last]: RegExpExecArray, unitName: string): Limits | null {
  const from = readCount(low ?? "");
  const to = high === undefined ? from : readCount(high);
  if (Number.isNaN(from) || Number.isNaN(to) || from === 0) return null;
  const word = (first ?? last ?? "").toLowerCase();
  // "A word" and "a sentence" are often no counts: "give a sentence about …".
  if (/^a /i.test(whole.trim()) && word === "" && unitName !== "sentence") return null;
  if (/^(?:about|around|approximately|roughly|or so)$/.test(word)) {
    return { least: from * (1 - slackOfAbout), most: to * (1 + slackOfAbout) };
  }
  if (/^(?:under|below|fewer than|less than)$/.test(word)) return { least: 0, most: to - 1 };
  if (/^(?:over|more than)$/.test(word)) return { least: from + 1, most: Number.POSITIVE_INFINITY };
  if (/least|min|no fewer|no less|or more/.test(word)) return { least: from, most: Number.POSITIVE_INFINITY };
  if (/exactly|precisely/.test(word)) return { least: from, most: from };
  if (word !== "") return { least: 0, most: to };
  return readBare(from, to, unitName);
}

function readBare(from: number, to: number, unitName: string): Limits {
  const isExact = to <= exactUpTo && unitName !== "character" && unitName !== "letter";
  // A name may have two words where one word was asked for.
  if (isExact && unitName === "word") return { least: from, most: to === 1 ? 1 : to };
  return isExact ? { least: from, most: to } : { least: from * (1 - slackOfBare), most: to * (1 + slackOfBare) };
}

function countUnits(unitName: string, { prompt, response }: Reading): Counted | null {
  switch (unitName) {
    case "word":
      return countWords(response);
    case "sentence":
      return countSentences(response);
    case "character":
      return countCharacters(response);
    case "paragraph":
      return namesDivider(prompt) ? null : countParagraphs(response);
    default:
      return null;
  }
}

/** How many units a text has, by the reading that counts the fewest and by the one that counts the most. */
interface Counted {
  readonly least: number;
  readonly most: number;
}

const inSpacelessScript = new RegExp(spacelessLetter, "u");

/**
 * Words between spaces; at most, those between hyphens and strokes too. A name ("New York") may count as one. Where words
 * have no spaces between them, those of the dictionary; at most, characters.
 */
function countWords(response: Text): Counted {
  const words = contentOf(response).split(/\s+/).filter(hasWord);
  const parts = response.text.split(/[\s\-–—/]+/).filter(hasWord);
  const isName = words.length <= 4 && words.every((word) => /^[^\p{L}]*\p{Lu}/u.test(word));
  const least = isName ? Math.min(1, words.length) : sum(words, (word) => listSpaceless(word).length || 1);
  return { least, most: sum(parts, (part) => (inSpacelessScript.test(part) ? [...part].filter(hasWord).length : 1)) };
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

/** The words of a piece in a script without spaces; none for any other. */
function listSpaceless(piece: string): string[] {
  if (!inSpacelessScript.test(piece)) return [];
  return Array.from(segmenter.segment(piece)).flatMap(({ segment, isWordLike }) => (isWordLike ? [segment] : []));
}

function sum<T>(items: readonly T[], count: (item: T) => number): number {
  return items.reduce((total, item) => total + count(item), 0);
}

/** Those that end in a mark; at most, lines count too. */
function countSentences(response: Text): Counted {
  const { text, sentences } = response;
  const parts = sentences.map(({ start, end }) => text.slice(start, end)).filter(hasWord);
  const ended = parts.filter((part) => !isFiller(part) && /[.!?…。！？]["'”’)\]*_]{0,4}$/.test(part)).length;
  return { least: Math.min(Math.max(ended, 1), parts.length), most: parts.length };
}

/** Code points; at least, those that are no spaces. */
function countCharacters({ text }: Text): Counted {
  const trimmed = text.trim();
  return { least: [...trimmed.replaceAll(/\s+/g, "")].length, most: trimmed.length };
}

/** "Paragraphs are separated with the markdown divider: ***": blank lines then say nothing about them. */
function namesDivider({ text }: Text): boolean {
  return /\*{3}|-{3}|_{3}/.test(text) && /\b(?:divid|separat)/i.test(text);
}

/** Blocks between blank lines; at most, lines. Lists and headings can be read either way. */
function countParagraphs({ text }: Text): Counted {
  const blocks = text
    .split(/\n\s*?\n/)
    .filter((block) => !isFiller(block.trim()) && !/^\s*(?:[-*•]|\d+[.)]|#)/.test(block) && /[.!?:]/.test(block));
  const lines = text.split("\n").filter(hasWord);
  return { least: Math.min(blocks.length, lines.length), most: lines.length };
}

function contentOf({ text, sentences }: Text): string {
  return sentences
    .map(({ start, end }) => text.slice(start, end))
    .filter((sentence) => !isFiller(sentence))
    .join("\n");
}

function hasWord(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

const askedItems = new RegExp(
  `^(?:list|name|give|provide|suggest|mention|identify|propose|write|generate|tell|show|output|return)(?: me| us)?(?: only| just)?(?: the)?(?: top)? (?:(exactly|at least|at most|up to|no more than) )?(${countPattern})((?: [\\p{L}-]+){0,3}? [\\p{L}-]{2,}s)\\b`,
  "iu",
);
const noItems =
  /\b(?:words|sentences|characters|paragraphs|lines|digits|letters|letras|stanzas|verses|pages|minutes|hours|days|weeks|months|years|percent|times|dollars|euros|points|stars|sections|dates|decimals|places|less|responses|replies|versions|this|is|was|has|us)$/i;
const severalLists =
  /\b(?:each|every|per|both|and (?:\d|one|two|three|four|five|six|seven|eight|nine|ten)|then|for the|respectively|pairs?|sets?|categories|groups)\b/i;

/** "List three …", "Give me exactly 5 …": how many items the response's list has. What is no plain list is not counted. */
export const checkItems: Rule = (instruction, reading) => {
  const { text } = instruction;
  const found = askedItems.exec(text);
  if (found === null) return [];
  const [, bound = "", count = "", noun = ""] = found;
  if (noItems.test(noun) || severalLists.test(text)) return [];
  const wanted = readCount(count);
  if (Number.isNaN(wanted) || wanted < 2 || /^a$/i.test(count)) return [];
  const counts = countListed(reading.response.text);
  if (counts === null || isConditional(text, text.length, 0)) return [];
  const fits = counts.some((n) => isEnough(n, wanted, bound.toLowerCase()));
  if (fits)
    return [followed(instruction, reading, `The response lists as many items as the prompt asks for (${count}).`)];
  return [
    broken(
      instruction,
      reading,
      `The prompt asks for ${`${bound} ${count}${noun}`.trim()}, and the response lists ${counts[0]}.`,
    ),
  ];
};

function isEnough(count: number, wanted: number, bound: string): boolean {
  if (bound === "at least") return count >= wanted;
  if (bound === "at most" || bound === "up to" || bound === "no more than") return count <= wanted;
  return count === wanted;
}

const numbered = /^\s{0,3}(?:\*\*)?\(?\d{1,3}[.):]/;
const bulleted = /^(?:[-*•–]|\+)\s+\S/;
const heading = /^\s{0,3}(?:#{1,6}\s|\*\*[^*]{1,120}\*\*:?\s*$)/;

/** The numbers of items that a list can be read to have; null when there is no list of at least two lines. */
function countListed(response: string): number[] | null {
  const lines = response.split("\n").filter((line) => line.trim() !== "");
  const counts = [numbered, bulleted].map((mark) => lines.filter((line) => mark.test(line)).length);
  const most = counts.find((count) => count >= 2);
  if (most === undefined) return null;
  const headings = lines.filter((line) => heading.test(line)).length;
  return [most, ...counts.filter((count) => count > 0), ...(headings > 0 ? [headings] : [])];
}

const askedResponses = new RegExp(
  `\\b(${countPattern}) (?:(?:different|distinct|separate|alternative|possible|unique),? )+(?:responses|answers|replies|versions)\\b`,
  "i",
);

/** Whether the answer is to be several responses: what is asked of a response then holds for each of them. */
export function asksForSeveral({ text }: Instruction): boolean {
  return askedResponses.test(text);
}
