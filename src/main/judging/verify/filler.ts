import list from "./filler.json" with { type: "json" };

/** Openings, closings and manners of an answer, which claim nothing. Compared in lower case without punctuation at the end. */
const phrases: ReadonlySet<string> = new Set(list);

const longestFiller = 160;
const opening =
  /^(here (is|are|'s)|here’s|below (is|are)|sure,? here|certainly,? here|let me know if|feel free to|let's|let me)\b/;
const nothingSaid = /^[^\p{L}\p{N}]*$/u;
const heading = /^(#{1,6}\s|\*\*[^*]{1,120}\*\*:?$)/;
const codeFence = /^(```|~~~)/;
const listMarker = /^\(?(\d{1,3}|[a-zA-Z])[.)]$/;

/** Whether a sentence of a response claims nothing: greetings, headings, rules, "Here are the steps:". */
export function isFiller(sentence: string): boolean {
  if (sentence.length > longestFiller) return false;
  if (heading.test(sentence) || codeFence.test(sentence) || listMarker.test(sentence)) return true;
  const plain = sentence.toLowerCase().replaceAll("’", "'");
  if (phrases.has(trimPunctuation(plain))) return true;
  return opening.test(plain) && /[:!.]$/.test(plain) && (plain.endsWith(":") || !plain.startsWith("here"));
}

/** Whether a text has no letter and no digit. */
export function isWordless(text: string): boolean {
  return nothingSaid.test(text);
}

function trimPunctuation(text: string): string {
  let end = text.length;
  while (end > 0 && " .,!:;-".includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
