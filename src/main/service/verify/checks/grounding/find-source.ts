import { wordsOf } from "../../text/index.ts";
import type { Range, Reading, Text } from "../../types.ts";

/** What a response is held against, and what was asked about it. */
export interface Source {
  readonly text: Text;
  /** The sentences of `text` that are evidence, by their indexes. */
  readonly passage: readonly number[];
  /** The sentences of the prompt that ask or instruct. */
  readonly question: readonly number[];
  /** What the evidence is called in a reason. */
  readonly noun: "document" | "passage";
}

const fewestWords = 5;
const questionLabel = /^[\s#>*_-]*(question|q|query|task|instructions?|user question|prompt)\s*\d*\s*[:.)\]]/i;
const passageLabel =
  /^[\s#>*_-]*(context|passage|knowledge|document|text|article|background|reference|source|information|facts?|excerpt|content|review|contract|report|e-?mail|transcript|paragraph)\s*\d*\s*[:\]]/i;
const asks =
  /^["'“(*_\s]*(who|whom|whose|what|when|where|which|why|how|is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|in (what|which|whose)|on (what|which)|at (what|which)|by (whom|what)|for (what|which|whom)|to (what|which|whom)|from (what|which|where)|of (what|which))\b/i;
const instructs =
  /^["'“(*_\s-]*(please\s+)?(answer|summari[sz]e|using|use|based on|from the|according to|given the|read|list|give|tell|explain|describe|identify|extract|find|name|write|translate|classify|state|return|respond|reply|provide|output|decide|determine|choose|select|say|quote|you are|your task|fix|debug|refactor|implement|compose|draft|rewrite|create|generate|design|reply|suggest|continue|brainstorm|convert|correct|proofread|edit)\b/i;

const asksWithin = /\b(who|whom|whose|what|when|where|which|why|how)\b[^.!]*$/i;

/** The document, or the passage that stands in the prompt; null where there is neither. */
export function findSource(reading: Reading): Source | null {
  const { prompt, document } = reading;
  if (document !== null) {
    const passage = document.sentences.map((_, index) => index);
    if (passage.length === 0) return null;
    return { text: document, passage, question: prompt.sentences.map((_, index) => index), noun: "document" };
  }
  const { passage, question } = splitPrompt(prompt);
  if (question.length === 0 || !hasSubstance(prompt, passage)) return null;
  return { text: prompt, passage, question, noun: "passage" };
}

/** Splits a prompt into the sentences that ask and those that are there to be read. A label counts until the next one. */
function splitPrompt(prompt: Text): { readonly passage: readonly number[]; readonly question: readonly number[] } {
  const passage: number[] = [];
  const question: number[] = [];
  let label: "passage" | "question" | null = null;
  let paragraphEnd = 0;
  prompt.sentences.forEach((range, index) => {
    const sentence = prompt.text.slice(range.start, Math.min(range.end, range.start + 400));
    if (label === "question" && index > 0 && isNewParagraph(prompt.text, paragraphEnd, range)) label = null;
    paragraphEnd = range.end;
    if (questionLabel.test(sentence)) label = "question";
    else if (passageLabel.test(sentence)) label = "passage";
    const isAsking = label === "question" || (label !== "passage" && isRequest(prompt.text, range, sentence));
    (isAsking || (label === "passage" && isLastQuestion(prompt, index)) ? question : passage).push(index);
  });
  if (question.length > 0) return { passage, question };
  const unmarked = findUnmarkedQuestion(prompt, passage);
  return unmarked === null
    ? { passage, question }
    : { passage: passage.filter((index) => index !== unmarked), question: [unmarked] };
}

/** A question without its mark, at the end or the beginning: "…formed in 1999. The band formed in what city". */
function findUnmarkedQuestion({ text, sentences }: Text, passage: readonly number[]): number | null {
  const textOf = (index: number | undefined): string => {
    const range = index === undefined ? undefined : sentences[index];
    return range ? text.slice(range.start, range.end).replace(/[.!\s]+$/, "") : "";
  };
  const [first, last] = [passage[0], passage.at(-1)];
  if (last !== undefined && (asks.test(textOf(last)) || asksWithin.test(textOf(last)))) return last;
  // "When the bridge opened, …" begins a text as often as a question.
  return first !== undefined && /^(who|whose|what|which|how)\b/i.test(textOf(first)) ? first : null;
}

function isRequest(text: string, range: Range, sentence: string): boolean {
  const isQuestion = text.charAt(range.end - 1) === "?" || text.slice(range.start, range.end).trimEnd().endsWith("?");
  return isQuestion || instructs.test(sentence) || (asks.test(sentence) && !/[.!]$/.test(sentence));
}

function isLastQuestion({ text, sentences }: Text, index: number): boolean {
  const range = sentences[index];
  return index === sentences.length - 1 && range !== undefined && text.charAt(range.end - 1) === "?";
}

function isNewParagraph(text: string, from: number, { start }: Range): boolean {
  const gap = text.slice(from, start);
  return gap.indexOf("\n") !== gap.lastIndexOf("\n");
}

/** A prompt without a passage is a question alone: a greeting or a few words around it are nothing to go by. */
function hasSubstance(prompt: Text, passage: readonly number[]): boolean {
  const sentences = new Set(passage);
  let count = 0;
  for (const word of wordsOf(prompt)) {
    if (sentences.has(word.sentence) && !word.isNeutral) count += 1;
    if (count >= fewestWords) return true;
  }
  return false;
}
