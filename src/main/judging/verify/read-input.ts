import type { VerifyInput } from "#contract";
import { readText } from "./text/sentences.ts";
import type { Reading, Text } from "./types.ts";

/** Most characters of a response that are checked: the work that one verification may cost, whatever it is given. */
export const longestChecked = 100_000;

/** The texts of a verification, read once for all checks. A response over the limit is cut at a space before it. */
export function readInput({ prompt, response, document }: VerifyInput): Reading & { readonly wasCut: boolean } {
  const checked = cutAtSpace(response, longestChecked);
  return {
    prompt: readText("prompt", prompt),
    response: readText("response", checked),
    document: document === null ? null : readDocument(document),
    wasCut: checked.length < response.length,
  };
}

/** The lines of a batch often have one document, and what checks read from a text they memoize by its `Text`. */
let lastDocument: Text | null = null;

function readDocument(text: string): Text {
  if (lastDocument?.text !== text) lastDocument = readText("document", text);
  return lastDocument;
}

function cutAtSpace(text: string, most: number): string {
  if (text.length <= most) return text;
  const space = Math.max(text.lastIndexOf(" ", most), text.lastIndexOf("\n", most));
  return text.slice(0, space > most / 2 ? space : most);
}
