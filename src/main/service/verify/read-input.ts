import type { TextSource, VerifyInput } from "#contract";
import type { Range, Reading, Text } from "./types.ts";

/** Most characters of a response that are checked: the work that one verification may cost, whatever it is given. */
export const longestChecked = 200_000;

const sentenceEnd = /[.!?…。！？]["'”’)\]]*(?=\s)|[。！？]|\n/g;

/** The texts of a verification, read once for all checks. A response over the limit is cut at a space before it. */
export function readInput({ prompt, response, document }: VerifyInput): Reading & { readonly wasCut: boolean } {
  const checked = cutAtSpace(response, longestChecked);
  return {
    prompt: readText("prompt", prompt),
    response: readText("response", checked),
    document: document === null ? null : readText("document", document),
    wasCut: checked.length < response.length,
  };
}

function readText(source: TextSource, text: string): Text {
  return { source, text, sentences: splitSentences(text) };
}

function splitSentences(text: string): readonly Range[] {
  const ranges: Range[] = [];
  let start = 0;
  for (const { index, 0: found } of text.matchAll(sentenceEnd)) {
    const end = index + found.length;
    pushTrimmed(ranges, text, start, end);
    start = end;
  }
  pushTrimmed(ranges, text, start, text.length);
  return ranges;
}

function pushTrimmed(ranges: Range[], text: string, start: number, end: number): void {
  const part = text.slice(start, end);
  const trimmed = part.trim();
  if (trimmed === "") return;
  const from = start + part.indexOf(trimmed);
  ranges.push({ start: from, end: from + trimmed.length });
}

function cutAtSpace(text: string, most: number): string {
  if (text.length <= most) return text;
  const space = Math.max(text.lastIndexOf(" ", most), text.lastIndexOf("\n", most));
  return text.slice(0, space > most / 2 ? space : most);
}
