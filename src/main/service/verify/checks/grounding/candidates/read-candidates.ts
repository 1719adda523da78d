import { remember } from "../../../remember.ts";
import { isCalendarWord, type Name, readQuotations, type Word } from "../../../text/index.ts";
import type { NumberMention } from "../../../text/numbers.ts";
import type { Passage } from "../passage.ts";
import { findAliases } from "./find-aliases.ts";
import { indexNumbers } from "./index-numbers.ts";
import { nameKindOf } from "./name-kinds.ts";

/** One place where a candidate stands: `[from, to)` of the words of the evidence. */
export interface Mention {
  readonly from: number;
  readonly to: number;
  readonly sentence: number;
}

/** Somebody or something of the passage that could be asked for. */
export interface Candidate {
  readonly kind: "name" | "year" | "number";
  /** What its words are compared by, in each form that the passage has: "carl, orff", and "orff" alone is part of it. */
  readonly forms: readonly ReadonlySet<string>[];
  /** In order. */
  readonly mentions: readonly Mention[];
}

interface Draft {
  readonly kind: Candidate["kind"];
  readonly forms: ReadonlySet<string>[];
  readonly mentions: Mention[];
}

/** All words that a candidate is called by. */
export function ownKeys({ forms }: Candidate): ReadonlySet<string> {
  return new Set(forms.flatMap((form) => [...form]));
}

/** From a text with more names than this nothing can be told by what stands beside what. */
const mostCandidates = 80;
/** Of what stands everywhere, so many places are looked at. */
const mostMentions = 12;

/** What a passage has that could be an answer: its names, with other names of the same, its years and its numbers. */
export const readCandidates = remember((passage: Passage): readonly Candidate[] => {
  const { text, words, sentences } = passage;
  const currencies = readCurrencies(passage);
  const names = withTitles(text.text, words, passage.names).filter(
    ({ from }) => sentences.has(words[from]?.sentence ?? -1) && !currencies.has(words[from]?.raw ?? ""),
  );
  if (names.length > mostCandidates * 2) return [];
  const found = [...readNamed(text.text, words, names), ...readNumbers(passage, names)];
  if (found.length > mostCandidates) return [];
  return found.map(({ kind, forms, mentions }) => ({
    kind,
    forms,
    mentions: mentions.toSorted((a, b) => a.from - b.from).slice(0, mostMentions),
  }));
});

/** "EUR" is no name where a sum is in EUR. */
function readCurrencies({ numbers }: Passage): ReadonlySet<string> {
  return new Set(numbers.flatMap(({ currency }) => currency ?? []));
}

/** In characters. What is quoted at more length is said, not called. */
const longestTitle = 80;

/** A title in quotation marks is one name, whatever words it has: "Sex and the City", "Snow on Sunday". */
function withTitles(text: string, words: readonly Word[], names: readonly Name[]): readonly Name[] {
  const titles: Name[] = [];
  let at = 0;
  for (const { start, end } of readQuotations(text)) {
    if (end - start > longestTitle) continue;
    while (at < words.length && (words[at]?.start ?? 0) < start) at += 1;
    const from = at;
    while (at < words.length && (words[at]?.end ?? 0) <= end) at += 1;
    if (at > from && words[from]?.isCapital) titles.push({ from, to: at, isSure: true });
  }
  const inTitles = indexesOf(titles);
  return [...titles, ...names.filter(({ from }) => !inTitles.has(from))].toSorted((a, b) => a.from - b.from);
}

/** The words of some names, by their indexes. */
function indexesOf(names: readonly Name[]): ReadonlySet<number> {
  return new Set(names.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, step) => from + step)));
}

/** What numbers are compared by, however they are written. */
export function numberKey({ value }: NumberMention): string {
  return `#${value}`;
}

/** The longest names first: those that are a part of one stand for the same. */
function readNamed(text: string, words: readonly Word[], names: readonly Name[]): readonly Draft[] {
  const byName = new Map<Name, Draft>();
  for (const name of names.toSorted((a, b) => b.to - b.from - (a.to - a.from))) {
    const form = formOf(words, name);
    if (form.size === 0 || !isNamed(text, words, name)) continue;
    const same = [...new Set(byName.values())].find(({ forms }) => forms.some((other) => isSameName(other, form)));
    const draft: Draft = same ?? { kind: "name", forms: [], mentions: [] };
    if (!draft.forms.some((other) => other.isSupersetOf(form))) draft.forms.push(form);
    draft.mentions.push({ from: name.from, to: name.to, sentence: words[name.from]?.sentence ?? -1 });
    byName.set(name, draft);
  }
  for (const [name, alias] of findAliases(text, words, names)) {
    const [draft, other] = [byName.get(name), byName.get(alias)];
    if (!draft || !other || draft === other) continue;
    draft.forms.push(...other.forms);
    draft.mentions.push(...other.mentions);
    for (const [each, held] of byName) if (held === other) byName.set(each, draft);
  }
  return [...new Set(byName.values())];
}

function formOf(words: readonly Word[], { from, to }: Name): ReadonlySet<string> {
  return new Set(
    words.slice(from, to).flatMap(({ key, norm, isFunction }) => (isFunction || isCalendarWord(norm) ? [] : [key])),
  );
}

/** "Orff" and "Carl Orff", "Sarah J. Maas" and "Sarah Janet Maas". */
function isSameName(known: ReadonlySet<string>, form: ReadonlySet<string>): boolean {
  if (known.isSupersetOf(form)) return true;
  const [a, b] = [[...known], [...form]];
  return a.length > 1 && b.length > 1 && a[0] === b[0] && a.at(-1) === b.at(-1);
}

/** A single word that opens a sentence is a name where it is known as one, or what follows treats it as one. */
function isNamed(text: string, words: readonly Word[], { from, to, isSure }: Name): boolean {
  const [word, next] = [words[from], words[to]];
  if (!word || !/\p{Script=Latin}|\d/u.test(text.slice(word.start, words[to - 1]?.end))) return false;
  if (isSure || to - from > 1) return true;
  if (word.isNeutral || /(ed|ing|ly)$/.test(word.norm)) return false;
  if (words.some(({ norm, isCapital }) => norm === word.norm && !isCapital)) return false;
  if (nameKindOf(word.norm) !== undefined) return true;
  return next?.sentence === word.sentence && /^(is|was|are|were|has|had|will|born|and|also)$|(ed|s)$/.test(next.norm);
}

function readNumbers({ text, words, sentences, numbers }: Passage, names: readonly Name[]): readonly Draft[] {
  const inNames = indexesOf(names);
  const byStart = indexNumbers(numbers);
  const found = new Map<string, Draft>();
  const hold = (kind: Draft["kind"], key: string): Draft => {
    const draft = found.get(key) ?? { kind, forms: [], mentions: [] };
    found.set(key, draft);
    return draft;
  };
  let before: Draft | null = null;
  for (const [at, word] of words.entries()) {
    const number = byStart.get(word.start);
    if (inNames.has(at) || !sentences.has(word.sentence) || !isAmount(word, number)) continue;
    const key = number?.kind === "cardinal" ? numberKey(number) : word.key;
    const form = new Set([key, word.key]);
    const year = findYearOfDay(words, at);
    if (year !== null) {
      addForm(hold("year", `#${year.raw}`), form);
      continue;
    }
    // "9:30" is one, called by its hour or by both.
    if (
      before !== null &&
      words[at - 1]?.isNumber &&
      text.text.slice((words[at - 1] ?? word).end, word.start) === ":"
    ) {
      addForm(before, form);
      const hour = before.mentions.pop();
      if (hour) before.mentions.push({ ...hour, to: at + 1 });
      continue;
    }
    before = hold(isYear(word, number) ? "year" : "number", key);
    if (before.mentions.length === 0) before.forms.push(form);
    before.mentions.push({ from: at, to: at + 1, sentence: word.sentence });
  }
  return [...found.values()].filter(({ mentions }) => mentions.length > 0);
}

/** Of a year with all its days, some are enough. */
function addForm({ forms }: Draft, form: ReadonlySet<string>): void {
  if (forms.length < mostMentions) forms.push(form);
}

/** The year of "14 May 1984" and "May 14, 1984": the day is a part of one date with it. */
function findYearOfDay(words: readonly Word[], at: number): Word | null {
  const [before, day, after, later] = [words[at - 1], words[at], words[at + 1], words[at + 2]];
  if (day === undefined || !/^\d{1,2}$/.test(day.norm)) return null;
  const isMonth = (word: Word | undefined): boolean =>
    word?.sentence === day.sentence && word.isCapital && isCalendarWord(word.norm);
  const year = isMonth(after) ? later : isMonth(before) ? after : undefined;
  return year?.sentence === day.sentence && /^[12]\d{3}$/.test(year.raw) ? year : null;
}

/** "2,450 years" and "1200 m" are none. */
function isYear({ raw }: Word, number: NumberMention | undefined): boolean {
  if (!/^[12]\d{3}$/.test(raw)) return false;
  return number === undefined || (number.unit === null && number.currency === null && !number.isPercent);
}

/** "One" is seldom a number, but "one dollar" is. */
function isAmount(word: Word, number: NumberMention | undefined): boolean {
  if (word.isNumber) return true;
  return number?.kind === "cardinal" && (number.value >= 2 || number.unit !== null || number.currency !== null);
}
