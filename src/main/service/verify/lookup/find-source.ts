import { findMaterial } from "../text/find-material.ts";
import { numbersOf } from "../text/numbers.ts";
import type { Range, Reading, Text } from "../types.ts";

/** What the details of a response are looked up in: a document, or a passage that stands in the prompt. */
export interface Source {
  readonly text: Text;
  /** For reasons: "The document", "The passage". */
  readonly name: string;
  /** The sentences of the text that belong to it, by index. All of a document. */
  readonly passages: readonly number[];
}

const fewestWords = 40;
/** A labelled passage has at least a sentence. */
const fewestLabelled = 6;
const mostRead = 20_000;

/** What asks for something that need not stand in the passage. */
const isFree =
  /\b(?:translate|poem|story|song|lyrics|slogan|brainstorm|imagine|role-?play|pretend|joke|rewrite|paraphrase|continue the)\b/i;
/** What has to be worked out from the numbers of the text. */
const isProblem =
  /\bhow (?:many|much|long|far|old|tall|fast|often)\b|\b(?:what|find|calculate|compute) (?:is |was |will be |are )?(?:the )?(?:total|sum|average|mean|number|amount|cost|profit|percentage|ratio|difference)/i;

/** The document; else the passage of the prompt that is labelled as one, or has forty words and a question next to it. */
export function findSource({ prompt, document }: Reading): Source | null {
  if (document !== null && document.text.trim() !== "") {
    return { text: document, name: "The document", passages: document.sentences.map((_, index) => index) };
  }
  const material = findMaterial(prompt.text).filter((range) => countWords(prompt.text, range) >= fewestLabelled);
  const asked = withoutRanges(prompt.text.slice(0, mostRead), material);
  if (isFree.test(asked)) return null;
  const passages = material.length > 0 ? sentencesIn(prompt, material) : findUnlabelled(prompt);
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

/** The sentences next to a question, where there are enough of them and the answer need not be worked out. */
function findUnlabelled(prompt: Text): readonly number[] {
  const { text, sentences } = prompt;
  const isQuestion = ({ end }: Range) => text.charAt(end - 1) === "?";
  if (!sentences.some(isQuestion)) return [];
  const statements = sentences.flatMap((sentence, index) => (isQuestion(sentence) ? [] : [index]));
  const questions = sentences.filter(isQuestion).map(({ start, end }) => text.slice(start, end));
  const words = statements.reduce((sum, index) => sum + countWords(text, sentences[index] ?? { start: 0, end: 0 }), 0);
  if (words < fewestWords) return [];
  const isWorkedOut = numbersOf(prompt).length > 1 && questions.some((question) => isProblem.test(question));
  return isWorkedOut ? [] : statements;
}
