import { isNeutralWord, readText, type Word, wordsOf } from "../text/index.ts";
import type { Item } from "./items.ts";

/**
 * The shortest part of the wrong answer that is still wrong: "Yes" or "No"; of two that the question names, the one that
 * was chosen; else the run of words that neither the question nor the right answer has, words unknown to the text first.
 */
export function cutWrongAnswer(item: Item): string {
  const polarity = /^(yes|no)\b/i.exec(item.wrong.trim());
  if (polarity?.[0] && /^(yes|no)\b/i.test(item.right.trim())) return polarity[0];
  return chosenOption(item) ?? longestRun(item) ?? item.wrong;
}

function chosenOption({ question, right, wrong }: Item): string | null {
  const found = /([^,?]+?)(?:,)? or (?:the )?([^,?]+)\??\s*$/i.exec(question.trim());
  if (!found) return null;
  const options = [found[1]?.trim() ?? "", found[2]?.trim() ?? ""].map(lastName);
  const wanted = options.find((option) => !sharesWord(option, right));
  return wanted !== undefined && wanted !== "" && wrong.includes(wanted) ? wanted : null;
}

/** The words with capitals at the end of "Which band has more members, Saint Motel". */
function lastName(text: string): string {
  return /(?:[A-Z0-9][^\s]*(?: (?:of|the|for|and|de))* ?)+$/.exec(text)?.[0]?.trim() ?? text;
}

function sharesWord(a: string, b: string): boolean {
  const words = new Set(b.toLowerCase().split(/\W+/));
  return a
    .toLowerCase()
    .split(/\W+/)
    .some((word) => word.length > 3 && words.has(word));
}

function longestRun({ knowledge, question, right, wrong }: Item): string | null {
  const read = (text: string): readonly Word[] => wordsOf(readText("response", text));
  const said = new Set([...read(question), ...read(right)].map(({ key }) => key));
  const known = new Set(read(knowledge).map(({ key }) => key));
  const words = read(wrong);
  const runs: { from: number; to: number; novel: number }[] = [];
  words.forEach((word, at) => {
    if ((isNeutralWord(word.norm) && !word.isNumber) || said.has(word.key)) return;
    const last = runs.at(-1);
    const novel = known.has(word.key) ? 0 : 1;
    if (last && at - last.to <= 0) runs[runs.length - 1] = { ...last, to: at + 1, novel: last.novel + novel };
    else runs.push({ from: at, to: at + 1, novel });
  });
  const best = runs.toSorted((a, b) => b.novel - a.novel || b.to - b.from - (a.to - a.from))[0];
  return best ? wrong.slice(words[best.from]?.start ?? 0, words[best.to - 1]?.end ?? 0) : null;
}
