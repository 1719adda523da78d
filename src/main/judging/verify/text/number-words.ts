import { isPlainLetter } from "./digits.ts";
import { findUnit } from "./units.ts";

/** A number written in words, from `start` on. */
export interface WordNumber {
  readonly end: number;
  readonly value: number;
  readonly kind: "cardinal" | "ordinal" | "fraction";
}

type Role = "small" | "ten" | "hundred" | "scale" | "ordinal" | "part" | "half" | "dozen";

interface NumberWord {
  readonly role: Role;
  readonly value: number;
  /** For ordinals: whether the word counts tens ("twentieth"), hundreds or above. */
  readonly of?: "ten" | "hundred" | "scale";
}

const smallNames =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const tenNames = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const scaleNames: readonly (readonly [string, number])[] = [
  ["thousand", 1e3],
  ["million", 1e6],
  ["billion", 1e9],
  ["trillion", 1e12],
];
const irregularOrdinals: ReadonlyMap<string, string> = new Map([
  ["one", "first"],
  ["two", "second"],
  ["three", "third"],
  ["five", "fifth"],
  ["eight", "eighth"],
  ["nine", "ninth"],
  ["twelve", "twelfth"],
]);

const words: ReadonlyMap<string, NumberWord> = gatherWords();

/** The ordinal of a cardinal in one word. */
function ordinalOf(name: string): string {
  return irregularOrdinals.get(name) ?? (name.endsWith("y") ? `${name.slice(0, -1)}ieth` : `${name}th`);
}

function gatherWords(): ReadonlyMap<string, NumberWord> {
  const found = new Map<string, NumberWord>([
    ["quarter", { role: "part", value: 4 }],
    ["quarters", { role: "part", value: 4 }],
    ["hundredths", { role: "part", value: 100 }],
    ["half", { role: "half", value: 0.5 }],
    ["halves", { role: "part", value: 2 }],
    ["hundred", { role: "hundred", value: 100 }],
    ["hundredth", { role: "ordinal", value: 100, of: "hundred" }],
    ["dozen", { role: "dozen", value: 12 }],
  ]);
  smallNames.forEach((name, value) => {
    const ordinal = ordinalOf(name);
    found.set(name, { role: "small", value }).set(ordinal, { role: "ordinal", value });
    if (value > 2 && value <= 10) found.set(`${ordinal}s`, { role: "part", value });
  });
  tenNames.forEach((name, at) => {
    const value = 20 + 10 * at;
    found.set(name, { role: "ten", value }).set(ordinalOf(name), { role: "ordinal", value, of: "ten" });
  });
  for (const [name, value] of scaleNames) {
    found.set(name, { role: "scale", value }).set(`${name}th`, { role: "ordinal", value, of: "scale" });
  }
  return found;
}

const longestWord = 11;
const hyphen = 45;

/** The factor of a word that scales digits before it: "1.5 million", "3 dozen". */
export function findScale(word: string): number | null {
  const found = lookUp(word);
  return found && (found.role === "scale" || found.role === "hundred" || found.role === "dozen") ? found.value : null;
}

/**
 * The number in words that begins at `start`, where a word begins: "twenty-one", "one hundred and five", "two and a
 * half", "three quarters", "half a million", "a dozen", "twenty-first". Null where none begins there. Reads each word
 * once and no further than the first that does not continue the number.
 */
export function readWordNumber(text: string, start: number): WordNumber | null {
  const first = wordAt(text, start);
  if (first === null) return null;
  if (isArticle(first.word)) return readAfterArticle(text, first.end);
  const found = lookUp(first.word);
  if (found === undefined) return null;
  if (found.role === "half") return readHalf(text, first.end);
  if (found.role === "part") return isQuarterOf(text, first) ? fraction(first.end, 0.25) : null;
  if (found.role === "ordinal") return { end: first.end, value: found.value, kind: "ordinal" };
  if (found.role === "scale" || found.role === "hundred") return null;
  if (found.role === "dozen") return { end: first.end, value: 12, kind: "cardinal" };
  return readCardinal(text, start);
}

/** By first and last letter, how long the words are that numbers begin with: a bit for each length. */
const lengths: Uint16Array = gatherLengths();

function gatherLengths(): Uint16Array {
  const found = new Uint16Array(32 * 32);
  for (const word of [...words.keys(), "a", "an"]) {
    const ends = endsOf(word.charCodeAt(0), word.charCodeAt(word.length - 1));
    found[ends] = (found[ends] ?? 0) | (1 << word.length);
  }
  return found;
}

/** The same for small letters and capitals. */
function endsOf(first: number, last: number): number {
  return ((first & 31) << 5) | (last & 31);
}

/** Whether the letters `[start, end)` may begin a number, judged by their ends and their count: a quick no to most words. */
export function mayBeginNumber(text: string, start: number, end: number): boolean {
  if (end === start || end - start > longestWord) return false;
  const known = lengths[endsOf(text.charCodeAt(start), text.charCodeAt(end - 1))] ?? 0;
  return (known & (1 << (end - start))) !== 0;
}

function readAfterArticle(text: string, end: number): WordNumber | null {
  const next = nextWord(text, end, false);
  const found = next && lookUp(next.word);
  if (!next || !found) return null;
  if (found.role === "half") return fraction(next.end, 0.5);
  if (found.role === "part") return isQuarterOf(text, next) ? fraction(next.end, 0.25) : null;
  if (found.role === "dozen") return { end: next.end, value: 12, kind: "cardinal" };
  if (found.role === "ordinal" && found.value === 3 && text.startsWith(" of ", next.end))
    return fraction(next.end, 1 / 3);
  if (found.role === "hundred" || found.role === "scale") return readCardinal(text, next.start);
  return null;
}

/** "Quarter" is a fourth before what it is a part of: "a quarter of them", "a quarter mile". That of a year is none. */
function isQuarterOf(text: string, { word, end }: Word): boolean {
  if (!/^quarter$/i.test(word)) return false;
  const next = nextWord(text, end, true)?.word.toLowerCase() ?? "";
  return next === "of"
    ? !/^ of (?:the year|\d{4})\b/.test(text.slice(end, end + 12))
    : next !== "past" && findUnit(next) !== null;
}

/** "half", "half a dozen", "half a million". */
function readHalf(text: string, end: number): WordNumber {
  const article = nextWord(text, end, true);
  const next = article && isArticle(article.word) ? nextWord(text, article.end, false) : null;
  const scale = next && findScale(next.word);
  return next && scale ? { end: next.end, value: scale / 2, kind: "cardinal" } : fraction(end, 0.5);
}

function readCardinal(text: string, start: number): WordNumber {
  let total = 0;
  let group = 0;
  let end = start;
  let last: Role | null = null;
  let lastScale = Number.POSITIVE_INFINITY;
  for (let next = wordAt(text, start); next !== null; next = nextWord(text, end, true)) {
    const found = lookUp(next.word);
    if (found === undefined) {
      const joined = next.word.toLowerCase() === "and" ? readAfterAnd(text, next.end, last, total + group) : null;
      if (joined === null) break;
      if (joined.kind === "fraction") return joined;
      end = joined.end;
      continue;
    }
    if (found.role === "small" && (last === null || last === "ten" || last === "hundred" || last === "scale")) {
      if (last === "ten" && (found.value === 0 || found.value > 9)) break;
      group += found.value;
    } else if (found.role === "ten" && (last === null || last === "hundred" || last === "scale")) {
      group += found.value;
    } else if (found.role === "hundred" && last !== "hundred" && group < 100) {
      group = Math.max(group, 1) * 100;
    } else if (found.role === "scale" && found.value < lastScale) {
      total += Math.max(group, 1) * found.value;
      group = 0;
      lastScale = found.value;
    } else if (found.role === "dozen" && last !== null) {
      return { end: next.end, value: (total + group) * 12, kind: "cardinal" };
    } else if (found.role === "ordinal" || found.role === "part" || found.role === "half") {
      return endCardinal(text, { end, value: total + group, last }, found, next);
    } else break;
    last = found.role;
    end = next.end;
  }
  return { end, value: total + group, kind: "cardinal" };
}

/** "twenty-first", "three quarters", "one half": what the last word makes of the number before it. */
function endCardinal(
  text: string,
  before: { readonly end: number; readonly value: number; readonly last: Role | null },
  found: NumberWord,
  next: Word,
): WordNumber {
  const { end, value, last } = before;
  if (found.role === "part") {
    const isPart = next.word.endsWith("s") || (value === 1 && isQuarterOf(text, next));
    return isPart ? fraction(next.end, value / found.value) : { end, value, kind: "cardinal" };
  }
  if (found.role === "half") return value === 1 ? fraction(next.end, 0.5) : { end, value, kind: "cardinal" };
  if (found.of === "hundred" || found.of === "scale")
    return { end: next.end, value: value * found.value, kind: "ordinal" };
  if (last === "hundred" || last === "scale" || (last === "ten" && found.value < 10)) {
    return { end: next.end, value: value + found.value, kind: "ordinal" };
  }
  // "One third" is a fraction; "one second" is a time.
  if (value === 1 && found.value > 2) return fraction(next.end, 1 / found.value);
  return { end, value, kind: "cardinal" };
}

/** "hundred and five" continues; "two and a half" ends with a fraction; "three and five" are two numbers. */
function readAfterAnd(text: string, end: number, last: Role | null, before: number): WordNumber | null {
  const next = nextWord(text, end, false);
  if (next === null) return null;
  if (isArticle(next.word)) {
    const part = readAfterArticle(text, next.end);
    return part?.kind === "fraction" ? fraction(part.end, before + part.value) : null;
  }
  const found = lookUp(next.word);
  const continues = (last === "hundred" || last === "scale") && (found?.role === "small" || found?.role === "ten");
  return continues ? { end: next.start, value: 0, kind: "cardinal" } : null;
}

interface Word {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

function wordAt(text: string, start: number): Word | null {
  let end = start;
  while (end < text.length && isPlainLetter(text.charCodeAt(end)) && end - start <= longestWord) end += 1;
  return end === start || end - start > longestWord ? null : { word: text.slice(start, end), start, end };
}

/** Where the plain letters end that are at a place. */
export function endOfLetters(text: string, start: number): number {
  let end = start;
  while (isPlainLetter(text.charCodeAt(end))) end += 1;
  return end;
}

/** The word after a single space, or after a hyphen where one may stand, or right here. */
function nextWord(text: string, end: number, mayHyphen: boolean): Word | null {
  const code = text.charCodeAt(end);
  if (code === 32 || code === 160 || (mayHyphen && code === hyphen)) return wordAt(text, end + 1);
  return isPlainLetter(code) ? wordAt(text, end) : null;
}

function isArticle(word: string): boolean {
  return word === "a" || word === "A" || word === "an" || word === "An";
}

function lookUp(word: string): NumberWord | undefined {
  return word.length < 3 || word.length > longestWord ? undefined : words.get(word.toLowerCase());
}

function fraction(end: number, value: number): WordNumber {
  return { end, value, kind: "fraction" };
}
