import { isNeutralWord, readNames, readText, type Word, wordsOf } from "../text/index.ts";
import type { Item } from "./items.ts";

/**
 * The shortest part of the wrong answer that is still wrong, as somebody cut it out; else "Yes" or "No"; of two that the question names, the one that
 * was chosen; else the run of words that neither the question nor the right answer has, words unknown to the text first. What is
 * wrong by a "not" can't be cut.
 */
export function cutWrongAnswer(item: Item): string {
  if (item.shortestWrong !== undefined) return item.shortestWrong;
  const polarity = /^(yes|no)\b/i.exec(item.wrong.trim());
  if (polarity?.[0] && /^(yes|no)\b/i.test(item.right.trim())) return polarity[0];
  return chosenOption(item) ?? worstRun(item) ?? item.wrong;
}

function chosenOption({ question, right, wrong }: Item): string | null {
  const found = /([^,?]+?)(?:,)? or (?:the )?([^,?]+)\??\s*$/i.exec(question.trim());
  if (!found) return null;
  const options = [found[1]?.trim() ?? "", found[2]?.trim() ?? ""].map(lastName);
  const wanted = options.find((option) => !sharesWord(option, right));
  return wanted !== undefined && wanted !== "" && wrong.includes(wanted) ? wanted : null;
}

const negations = new Set("not neither nor never no".split(" "));

/** The words with capitals at the end of "Which band has more members, Saint Motel". */
function lastName(text: string): string {
  return /(?:[A-Z0-9][^\s]*(?: (?:of|the|for|and|de))* ?)+$/.exec(text)?.[0]?.trim() ?? text;
}

function sharesWord(a: string, b: string): boolean {
  const words = new Set(b.toLowerCase().split(/\W+/));
  return a
    .toLowerCase()
    .split(/\W+/)
    .some((word) => word.length > 2 && word !== "the" && words.has(word));
}

interface Run {
  readonly from: number;
  readonly to: number;
  /** Whether the text lacks one of its words. */
  readonly isNovel: boolean;
  /** Whether it has a name or a number. */
  readonly isSpecific: boolean;
}

/** The run that is most surely wrong: unknown to the text, then a name or a number, then the last; a name stays whole. */
function worstRun({ knowledge, question, right, wrong }: Item): string | null {
  const read = (text: string): readonly Word[] => wordsOf(readText("response", text));
  const said = new Set([...read(question), ...read(right)].map(({ key }) => key));
  const known = new Set(read(knowledge).map(({ key }) => key));
  const words = read(wrong);
  if (words.some(({ norm }) => negations.has(norm))) return null;
  const runs: Run[] = [];
  words.forEach((word, at) => {
    if ((isNeutralWord(word.norm) && !word.isNumber) || said.has(word.key)) return;
    const last = runs.at(-1);
    const isNovel = !known.has(word.key);
    const isSpecific = word.isCapital || word.isNumber;
    if (last?.to === at) {
      runs[runs.length - 1] = {
        ...last,
        to: at + 1,
        isNovel: last.isNovel || isNovel,
        isSpecific: last.isSpecific || isSpecific,
      };
    } else runs.push({ from: at, to: at + 1, isNovel, isSpecific });
  });
  const [best] = runs.toSorted(
    (a, b) => Number(b.isNovel) - Number(a.isNovel) || Number(b.isSpecific) - Number(a.isSpecific) || b.from - a.from,
  );
  if (!best) return null;
  const names = readNames(readText("response", wrong), words).filter(
    ({ from, to }) => from < best.to && to > best.from,
  );
  const from = Math.min(best.from, ...names.map((name) => name.from));
  const to = Math.max(best.to, ...names.map((name) => name.to));
  return wrong.slice(words[from]?.start ?? 0, words[to - 1]?.end ?? 0);
}
