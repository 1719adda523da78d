import { readNames, readText, type Word, wordsOf } from "../text/index.ts";
import type { Item } from "./items.ts";

/**
 * Wrong answers made of the text's own words: where the right answer is a name or a number, the other names or numbers of
 * its kind in the text that neither the question nor the right answer has. A few of them happen to be right (another
 * name of the same person), so that not all can be found.
 */
export function swapAnswers({ knowledge, question, right }: Item): readonly string[] {
  const text = readText("response", knowledge);
  const words = wordsOf(text);
  const taken = new Set([...read(question), ...read(right)].map(({ key }) => key));
  const rightWords = read(right);
  if (rightWords.length > 0 && rightWords.every(({ isNumber }) => isNumber)) {
    const isYear = /^[12]\d{3}$/.test(right.trim());
    const numbers = words.filter(
      ({ norm, isNumber, key }) => isNumber && !taken.has(key) && /^[12]\d{3}$/.test(norm) === isYear,
    );
    return [...new Set(numbers.map(({ raw }) => raw))];
  }
  if (!rightWords.some(({ isCapital }) => isCapital)) return [];
  const names = readNames(text, words).filter(({ from, to, isSure }) => {
    return isSure && !words.slice(from, to).some(({ key }) => taken.has(key));
  });
  return [...new Set(names.map(({ from, to }) => knowledge.slice(words[from]?.start ?? 0, words[to - 1]?.end ?? 0)))];
}

function read(text: string): readonly Word[] {
  return wordsOf(readText("response", text));
}
