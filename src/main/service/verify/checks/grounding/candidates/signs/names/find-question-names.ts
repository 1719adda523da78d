import type { Word } from "../../../../../text/index.ts";
import type { Context } from "../../../context.ts";
import type { Candidate } from "../../read-candidates.ts";
import { wordsOfQuestion } from "../../read-wanted.ts";

/** Which candidates the names of a question mean, each name taken as a whole. */
export interface QuestionNames {
  /** They are a name of the question: in the same form, in a shorter or a longer one, or as an acronym. */
  readonly own: ReadonlySet<number>;
  /** They share a word with one and are another: the Sea Fencibles, where the River Fencibles are asked about. */
  readonly alike: ReadonlySet<number>;
}

/** `[from, to)` of the words of a question. */
interface Span {
  readonly from: number;
  readonly to: number;
}

interface Found extends Span {
  readonly candidate: number;
}

/** Between the words of a name a question may have so many others: "J. Smith" and "John Smith". */
const slack = 2;

/** Finds whom the names of a question mean in the passage. */
export function findQuestionNames(context: Context, candidates: readonly Candidate[]): QuestionNames {
  const words = wordsOfQuestion(context.question);
  const whole = findWhole(words, candidates);
  const taken = new Set(whole.flatMap(indexesOf));
  const others = readNamed(context, words).filter((span) => indexesOf(span).every((at) => !taken.has(at)));
  const own = new Set([
    ...whole.map(({ candidate }) => candidate),
    ...others.flatMap((span) => findPartly(context, candidates, words.slice(span.from, span.to))),
  ]);
  const keys = new Set(
    [...whole, ...others]
      .flatMap(({ from, to }) => words.slice(from, to))
      .flatMap(({ key, isFunction }) => (isFunction ? [] : [key])),
  );
  const alike = candidates.flatMap(({ kind, forms }, index) =>
    kind === "name" && !own.has(index) && forms.some((form) => !keys.isDisjointFrom(form)) ? [index] : [],
  );
  return { own, alike: new Set(alike) };
}

function indexesOf({ from, to }: Span): readonly number[] {
  return Array.from({ length: to - from }, (_, step) => from + step);
}

/** Where the question has all words of a form of a candidate close together; of those that overlap, the longest. */
function findWhole(words: readonly Word[], candidates: readonly Candidate[]): readonly Found[] {
  const places = Map.groupBy(words.keys(), (at) => words[at]?.key ?? "");
  const isLower = words.slice(1).every(({ isCapital }) => !isCapital);
  const found = candidates.flatMap(({ kind, forms }, candidate): Found[] =>
    kind === "name"
      ? forms.flatMap((form) => findForm(words, places, form, isLower).map((span) => ({ ...span, candidate })))
      : [],
  );
  const taken = new Map<number, string>();
  return found
    .toSorted((a, b) => b.to - b.from - (a.to - a.from))
    .filter((each) => {
      const own = `${each.from}-${each.to}`;
      const indexes = indexesOf(each);
      if (indexes.some((at) => (taken.get(at) ?? own) !== own)) return false;
      for (const at of indexes) taken.set(at, own);
      return true;
    });
}

/** A question in small letters has its names so, too. */
function findForm(
  words: readonly Word[],
  places: ReadonlyMap<string, readonly number[]>,
  form: ReadonlySet<string>,
  isLower: boolean,
): readonly Span[] {
  const [first, ...rest] = [...form].map((key) => places.get(key) ?? []);
  if (!first || rest.some((each) => each.length === 0)) return [];
  return first.flatMap((start): Span[] => {
    const all = [start, ...rest.map((each) => nearestOf(each, start))];
    const [from, to] = [Math.min(...all), Math.max(...all) + 1];
    const isNamed = isLower || words.slice(from, to).some(({ isCapital }) => isCapital);
    return to - from <= form.size + slack && isNamed ? [{ from, to }] : [];
  });
}

function nearestOf(places: readonly number[], start: number): number {
  return places.reduce((best, at) => (Math.abs(at - start) < Math.abs(best - start) ? at : best), places[0] ?? start);
}

function readNamed({ question }: Context, words: readonly Word[]): readonly Span[] {
  const at = new Map(words.map((word, index) => [word, index]));
  return question.names.flatMap(({ from, to }): Span[] => {
    const [first, last] = [question.all[from], question.all[to - 1]];
    const [start, end] = [first && at.get(first), last && at.get(last)];
    return start === undefined || end === undefined ? [] : [{ from: start, to: end + 1 }];
  });
}

/** Who has all words of a name, preferably with the same last one; else whose first letters it is. */
function findPartly({ evidence }: Context, candidates: readonly Candidate[], name: readonly Word[]): readonly number[] {
  const keys = name.flatMap(({ key, isFunction }) => (isFunction ? [] : [key]));
  const [first, last] = [keys[0], keys.at(-1)];
  if (first === undefined || last === undefined) return [];
  const having = (has: (form: ReadonlySet<string>) => boolean): readonly number[] =>
    candidates.flatMap(({ kind, forms }, index) => (kind === "name" && forms.some(has) ? [index] : []));
  const all = having((form) => keys.every((key) => form.has(key)));
  const same = all.filter((index) => candidates[index]?.forms.some((form) => [...form].at(-1) === last));
  if (same.length > 0) return same;
  if (all.length > 0) return all;
  if (keys.length > 1) return having((form) => form.has(first) && form.has(last));
  const letters = name[0]?.norm ?? "";
  return candidates.flatMap(({ kind, mentions }, index) =>
    kind === "name" && mentions.some((mention) => lettersOf(evidence.words, mention) === letters) ? [index] : [],
  );
}

function lettersOf(words: readonly Word[], { from, to }: Span): string | null {
  if (to - from < 2) return null;
  return words
    .slice(from, to)
    .flatMap(({ norm, isFunction }) => (isFunction ? [] : [norm.charAt(0)]))
    .join("");
}
