import { findMaterial } from "../text/find-material.ts";
import type { Range, Reading, Text } from "../types.ts";

/** What the details of a response are looked up in: a document, or a passage that is in the prompt. */
export interface Source {
  readonly text: Text;
  /** For reasons: "The document", "The passage". */
  readonly name: string;
  /** The sentences of the text that belong to it, by index. All of a document. */
  readonly passages: readonly number[];
}

/** A labelled passage has at least a sentence. */
const fewestLabelled = 6;
const mostRead = 20_000;

/** What asks for something that need not stand in the passage. */
const isFree =
  /\b(?:translate|poem|story|song|lyrics|slogan|brainstorm|imagine|role-?play|pretend|joke|rewrite|paraphrase|continue the)\b/i;
/** What begins with these is given to work on or to follow, but nothing that an answer has to agree with. */
const isExample =
  /^\W*(?:\w+ )?(?:examples?|code|snippet|script|log|input|output|answer|response|assistant|user|bot|ai|model|[qa]|claim|hypothesis|statement|title|format)\b\s?\d{0,3}\W|\b(?:example|code|format)s?\b.*:\s*$|^\s*```(?!te?xt|md|markdown)\w/i;
const longestLead = 80;

/** The beginning of the line in which a part of a prompt starts: its label, tag or fence, or a line that ends in a colon before it. */
function leadOf(text: string, start: number): string {
  const from = text.lastIndexOf("\n", start - 1) + 1;
  return text.slice(from, Math.max(start, from + longestLead)).split("\n", 1)[0] ?? "";
}

/** The document; else what is marked as one in the prompt: labelled, quoted as a block, fenced, or between tags. */
export function findSource({ prompt, document }: Reading): Source | null {
  if (document !== null && document.text.trim() !== "") {
    return { text: document, name: "The document", passages: document.sentences.map((_, index) => index) };
  }
  const material = findMaterial(prompt.text).filter((range) => countWords(prompt.text, range) >= fewestLabelled);
  const asked = withoutRanges(prompt.text.slice(0, mostRead), material);
  if (isFree.test(asked)) return null;
  const passages = sentencesIn(
    prompt,
    material.filter(({ start }) => !isExample.test(leadOf(prompt.text, start))),
  );
  return passages.length === 0 ? null : { text: prompt, name: "The passage", passages };
}

function countWords(text: string, { start, end }: Range): number {
  return text.slice(start, Math.min(end, start + mostRead)).split(/\s+/).length;
}

function withoutRanges(text: string, ranges: readonly Range[]): string {
  let rest = "";
  let at = 0;
  for (const { start, end } of ranges) {
    rest += text.slice(at, Math.max(at, start));
    at = Math.max(at, end);
  }
  return rest + text.slice(at);
}

function sentencesIn({ sentences }: Text, ranges: readonly Range[]): readonly number[] {
  const found: number[] = [];
  let next = 0;
  sentences.forEach(({ start, end }, index) => {
    while ((ranges[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next += 1;
    const range = ranges[next];
    if (range !== undefined && range.start < end) found.push(index);
  });
  return found;
}
