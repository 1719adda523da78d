import { memoize } from "../memoize.ts";
import type { Text } from "../types.ts";
import data from "./languages.json" with { type: "json" };
import { type Word, wordsOf } from "./words.ts";

/** The languages whose months and negations are known. Of these, English alone has number words that are read. */
export type Language = "en" | "de" | "fr" | "es" | "it" | "pt";

/** What texts in a language are known by, and what is known of it, without diacritics. */
const known: Readonly<Record<Language, Readonly<Record<"grammar" | "negations" | "numbers", string>>>> = data.known;
/** The commonest words of other languages, by which a text is known to be in none of the above. */
const others = data.others.map(toSet);

const languages = Object.keys(known) as readonly Language[];
const sets = Object.fromEntries(
  languages.map((language) => {
    const { grammar, negations, numbers } = known[language];
    return [language, { grammar: toSet(grammar), negations: toSet(negations), numbers: toSet(numbers) }];
  }),
) as Readonly<Record<Language, Readonly<Record<"grammar" | "negations" | "numbers", ReadonlySet<string>>>>>;

/** What words say of their language: one that is known, another one, or nothing. */
export type Detected = Language | "other" | null;

/** The languages that a word of grammar is one of, by their place: those that are known, then the others. */
const votes = new Map<string, number[]>();
[...languages.map((language) => sets[language].grammar), ...others].forEach((words, at) => {
  for (const word of words) votes.set(word, [...(votes.get(word) ?? []), at]);
});

/**
 * The language of some words, by those that carry grammar: the one that has most of them. Null where none has any, or two
 * have as many.
 */
export function detectLanguage(words: readonly Word[]): Detected {
  const counts = new Uint16Array(languages.length + others.length);
  let foreign = 0;
  for (const { norm, raw } of words) {
    if (!latin.test(raw)) foreign += 1;
    if (englishEnding.test(norm)) counts[0] = (counts[0] ?? 0) + 1;
    for (const at of votes.get(norm) ?? []) counts[at] = (counts[at] ?? 0) + 1;
  }
  if (foreign > words.length / 2) return "other";
  const most = Math.max(...counts);
  const first = counts.indexOf(most);
  if (most === 0) return null;
  // Which of the others it is does not matter.
  if (first >= languages.length) return "other";
  return counts.lastIndexOf(most) === first ? (languages[first] ?? null) : null;
}

/** "In 1905 they were defeated": short sentences have too few words of grammar. */
const englishEnding = /^\w{3,}(?:ed|ly)$/;
const latin = /^[\p{Script=Latin}\p{N}\p{M}\p{P}\p{Sc}]+$/u;
/** So many words of a text say what language it is in. */
const mostRead = 400;

/** The language of a text, by its first words. */
export const languageOf: (text: Text) => { readonly language: Detected } = memoize((text: Text) => ({
  language: detectLanguage(wordsOf(text).slice(0, mostRead)),
}));

/** Whether a word carries grammar alone in a language. */
export function isGrammar({ norm, isFunction }: Word, language: Language | null): boolean {
  return isFunction || (language !== null && language !== "en" && sets[language].grammar.has(norm));
}

/** Whether a word is a "not" or "never" of a language. */
export function isNegationWord({ norm }: Word, language: Language): boolean {
  return sets[language].negations.has(norm);
}

const germanCompound = /^(?:ein|zwei|drei|vier|funf|sechs|sieben|acht|neun)(?:und|hundert|tausend)/;

/** Whether a word is a number that is not read: those in words of another language than English. */
export function isUnreadNumber({ norm }: Word, language: Language | null): boolean {
  if (language === null) return false;
  return sets[language].numbers.has(norm) || (language === "de" && germanCompound.test(norm));
}

function toSet(words: string): ReadonlySet<string> {
  return new Set(words.split(" "));
}
