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
export function pickExcerpt(text: string): string | null {
  if (text.length <= longestExcerpt) return tidy(text) || null;
  const asked = splitSentences(text.slice(-lookAt)).findLast((sentence) => question.test(sentence));
  const excerpt = asked !== undefined && asked.length >= shortestQuestion ? asked : firstSentence(text);
  return shorten(tidy(excerpt)) || null;
}

/** The first few different numbers of the text, as they stand there. */
export function pickNumbers(text: string, most: number): string[] {
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
  let kept = "";
  for (const { segment } of graphemes.segment(text.slice(0, longestExcerpt * 2))) {
    if (kept.length + segment.length > longestExcerpt) break;
    kept += segment;
  }
  return `${kept}${cutMark}`;
}
