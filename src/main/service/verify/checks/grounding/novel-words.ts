import { type Speech, tagSpeech, type Word } from "../../text/index.ts";
import { relationsOf } from "./candidates/index.ts";
import type { Context } from "./context.ts";
import type { Answer, Statement } from "./response.ts";
import { isOmissible } from "./spellings.ts";

/** How many words on each side tell a word's part of speech. */
const reach = 3;
const mostTagged = 12;

/** The words of no name that are neither in the text nor in the question. Those of names are the names' affair. */
export function findNovelWords({ names, statements }: Answer): readonly Statement[] {
  const unsure = new Set(names.flatMap(({ from, isSure }) => (isSure ? [] : [from])));
  return statements.filter(
    ({ word, at, isInPassage, isAsked }) =>
      !isInPassage &&
      !isAsked &&
      (!word.isCapital || unsure.has(at)) &&
      !word.isNumber &&
      !isOmissible(word) &&
      word.norm.length > 1,
  );
}

/** The part of speech of the first words, told by the few words around each: whole sentences would cost several times as much. */
export function tagWords({ text, words }: Answer, statements: readonly Statement[]): ReadonlyMap<number, Speech> {
  const speech = new Map<number, Speech>();
  for (const { word, at } of statements.slice(0, mostTagged)) {
    if (speech.has(word.start)) continue;
    const near = words
      .slice(Math.max(0, at - reach), at + reach + 1)
      .filter(({ sentence }) => sentence === word.sentence);
    const start = near[0]?.start ?? word.start;
    const tagged = tagSpeech(text.text.slice(start, near.at(-1)?.end ?? word.end));
    speech.set(word.start, tagged.get(word.start - start) ?? "other");
  }
  return speech;
}

/** Whether the text or the question speaks of the same in another part of speech: "pianist", where the text has a piano. */
export function speaksOfKnown({ evidence, question }: Context, word: Word): boolean {
  const own = relationsOf(word.root);
  if (own.size === 0) return false;
  const isSame = (root: string): boolean => !relationsOf(root).isDisjointFrom(own);
  return [...evidence.roots].some(isSame) || question.words.some(({ root }) => isSame(root));
}
