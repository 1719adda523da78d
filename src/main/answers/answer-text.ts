/** An answer as graders, rules and judges read it: what follows the model's reasoning. */
export interface AnswerText {
  /** Without the reasoning before it, and the space between. */
  readonly text: string;
  /** Where it starts in the answer as it came, in UTF-16 units. */
  readonly start: number;
  /** The answer has reasoning, and nothing after it. */
  readonly isReasoningOnly: boolean;
}

const opening = /[\s\ufeff]*<(think|thinking|reasoning)>/iy;
const closings = /<\/(think|thinking|reasoning)>/gi;
const space = /[\s\ufeff]*/y;

/**
 * Takes the reasoning off an answer: blocks at its start, closed or not, and what stands before a closing tag that
 * nothing opened, as of models whose template opens it. Tags further on are text that the answer is about.
 */
export function readAnswerText(answer: string): AnswerText {
  let start = 0;
  for (let end = endOfReasoning(answer, 0); end !== null; end = endOfReasoning(answer, start)) start = end;
  if (start === 0 || isJson(answer)) return { text: answer, start: 0, isReasoningOnly: false };
  space.lastIndex = start;
  start += space.exec(answer)?.[0].length ?? 0;
  return { text: answer.slice(start), start, isReasoningOnly: start === answer.length };
}

/** Whether a text is JSON as a whole: tags are in its strings. */
function isJson(text: string): boolean {
  if (!/^\s*[[{"]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Where the reasoning that starts at `from` ends; null when there is none. */
function endOfReasoning(answer: string, from: number): number | null {
  opening.lastIndex = from;
  const opened = opening.exec(answer);
  if (opened === null && !answer.includes("</", from)) return null;
  const inside = opened === null ? from : opening.lastIndex;
  const name = opened?.[1]?.toLowerCase();
  let quoted: number | null = null;
  closings.lastIndex = inside;
  for (let found = closings.exec(answer); found !== null; found = closings.exec(answer)) {
    const closed = found[1]?.toLowerCase() ?? "";
    if (name !== undefined && closed !== name) continue;
    const end = closings.lastIndex;
    if (isQuoted(answer, found.index, end)) quoted ??= end;
    else if (name !== undefined || !answer.slice(from, found.index).toLowerCase().includes(`<${closed}>`)) return end;
    else return null;
  }
  return name === undefined ? null : (quoted ?? answer.length);
}

/** Whether a tag is written about: between quotes, or as code. */
function isQuoted(text: string, start: number, end: number): boolean {
  return /["'`“‘]/.test(text.charAt(start - 1)) && /["'`”’]/.test(text.charAt(end));
}

/** Characters that are not seen, and change no value. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu;
/** A character next to a mark that may be composed with it, so that most texts need no second look. */
const composable = /[^\p{M}][\p{M}\u1160-\u11ff]+|[\u0340-\u0343\u2126\u212a\u212b]/gu;

/** What folding leaves as it is. */
const plain = /^[\t\n\x20-\x7e]*$/;

/** What needs no composing, and is seen: Latin letters and the usual punctuation. */
const settled = /^[\t\r\n\x20-\x7e\u00a0-\u00ac\u00ae-\u02ff\u2010-\u2027\u202f-\u205e]*$/;
const unsettled = new RegExp(`${invisible.source}+|${composable.source}`, "gu");

/** Composes letters with their accents (NFC); superscripts, fractions and widths stay what they are. */
export function composeText(text: string): string {
  return text.normalize("NFC");
}

/**
 * A text as people compare it: composed, with one kind of space, line break and quotation mark each, and without what is not
 * seen. Superscripts and fractions keep their value.
 */
export function foldText(text: string): string {
  if (plain.test(text)) return text;
  return (
    composeText(text)
      .replaceAll(invisible, "")
      .replaceAll(/\r\n?|[\u0085\u2028\u2029]/g, "\n")
      // A tab stays, for which patterns have a word of their own.
      .replaceAll(/\p{Zs}/gu, " ")
      .replaceAll(/[‘’‚‛ʼ‹›]/g, "'")
      .replaceAll(/[“”„‟«»]/g, '"')
  );
}

/** A text without what can't be seen, composed, and where each of its places is in the original. */
export interface ComposedText {
  readonly text: string;
  /** @param at a place in `text`, in UTF-16 units; its end included */
  toOriginal(at: number): number;
}

/** Composes a text and drops what is not seen, for readers that point into the original. */
export function composeWithOffsets(original: string): ComposedText {
  if (settled.test(original)) return { text: original, toOriginal: (at) => at };
  const changes: { readonly at: number; readonly shift: number }[] = [];
  let text = "";
  let from = 0;
  let shift = 0;
  const copy = (start: number, end: number, replacement: string) => {
    text += original.slice(from, start) + replacement;
    from = end;
    if (replacement.length === end - start) return;
    shift += end - start - replacement.length;
    changes.push({ at: text.length, shift });
  };
  for (const { index, 0: found } of original.matchAll(unsettled)) {
    copy(index, index + found.length, found.normalize("NFC").replaceAll(invisible, ""));
  }
  text += original.slice(from);
  return {
    text,
    toOriginal(at) {
      let [low, high] = [0, changes.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((changes[middle]?.at ?? 0) <= at) low = middle + 1;
        else high = middle;
      }
      return at + (changes[low - 1]?.shift ?? 0);
    },
  };
}
