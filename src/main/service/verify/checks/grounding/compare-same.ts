import type { Word } from "../../text/index.ts";
import type { Range } from "../../types.ts";
import type { Context } from "./context.ts";
import { objectOf, placesOf, rolesOf, shareRole, yearOf } from "./same-traits.ts";
import type { Section } from "./sections.ts";

const measures = new Set("length height width depth weight size distance age duration area".split(" "));
const origins = new Set("nationality nationalities country countries nation nations citizenship origin".split(" "));
const continents = new Set(["place:europe", "place:africa", "place:asia"]);
const british = new Set(["place:england", "place:scotland", "place:wales", "place:united-kingdom"]);

/** Whether two have the same nationality, length or "university", as asked; null where the passage doesn't tell. */
export function haveSame(context: Context, left: Section, right: Section): boolean | null {
  const norms = context.question.words.map(({ norm }) => norm);
  if (norms.some((norm) => measures.has(norm)))
    return shareAny(measuresOf(context, left, right), measuresOf(context, right, left));
  if (norms.some((norm) => origins.has(norm)))
    return shareCountry(countriesOf(context, left), countriesOf(context, right));
  const asked = findAsked(context.question.words, norms.indexOf("same"));
  if (!asked) return null;
  if (professions.has(asked.norm)) return shareRole(rolesOf(context, left), rolesOf(context, right));
  if (towns.has(asked.norm) || regions.has(asked.norm))
    return sharePlace(placesOf(context, left), placesOf(context, right), towns.has(asked.norm));
  const deed = context.question.words.find((word) => isDeed(word, asked));
  if (deed) {
    const read = asked.norm === "year" ? yearOf : objectOf;
    const isShared = shareAny(read(context, left, deed), read(context, right, deed));
    if (isShared === true || (isShared === false && single.has(asked.norm))) return isShared;
  }
  const [a, b] = [namesWith(context, left, asked.key), namesWith(context, right, asked.key)];
  // Of more than one, another may be meant.
  return a.size === 1 && b.size === 1 ? shareAny(a, b) : null;
}

const professions = new Set("profession professions occupation occupations job career work".split(" "));
const towns = new Set("city town village municipality".split(" "));
const regions = new Set("state county province region department district".split(" "));

/** These seldom go by two names, as schools and firms do. */
const single = new Set(
  "year person man woman director author composer actor actress writer planet star river".split(" "),
);

/** "University" of "the same university", "work" of "the same type of work". */
function findAsked(words: readonly Word[], same: number): Word | null {
  const [next, of, then] = words.slice(same + 1, same + 4);
  const asked = of?.norm === "of" && /^(type|kind|sort|line)s?$/.test(next?.norm ?? "") ? then : next;
  return asked && !asked.isFunction ? asked : null;
}

/** "Directed" of "directed by the same person", "orbit" of "orbit the same planet". */
function isDeed(word: Word, asked: Word): boolean {
  return !word.isCapital && !word.isFunction && !word.isNeutral && word !== asked;
}

/** Towns are the same by their own names, and what they lie in by what comes after it. */
function sharePlace(a: readonly string[], b: readonly string[], isTown: boolean): boolean | null {
  const [left, right] = isTown ? [a.slice(0, 1), b.slice(0, 1)] : [a.slice(1), b.slice(1)];
  return shareAny(new Set(left), new Set(right));
}

function shareAny(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean | null {
  return a.size === 0 || b.size === 0 ? null : [...a].some((trait) => b.has(trait));
}

/** Who is English may be called British elsewhere. */
function shareCountry(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean | null {
  const isShared = shareAny(a, b);
  const areBritish = [a, b].every((own) => [...own].some((country) => british.has(country)));
  return isShared === false && areBritish ? null : isShared;
}

/** Of what is said of both in one sentence, nothing tells whose it is. */
function measuresOf({ evidence, numbers }: Context, section: Section, other: Section): ReadonlySet<string> {
  const { sentences } = evidence.source.text;
  const own = numbers.filter(
    ({ start, unit }) =>
      unit !== null &&
      [...section.sentences].some((index) => !other.sentences.has(index) && isWithin(start, sentences[index])),
  );
  return new Set(own.map(({ value, unit }) => `${value} ${unit?.unit.name}`));
}

/** The countries of a section's first sentence. */
function countriesOf({ evidence }: Context, { first }: Section): ReadonlySet<string> {
  const words = first === null ? [] : (evidence.sentences.get(first) ?? []);
  return new Set(words.map(({ key }) => key).filter((key) => key.startsWith("place:") && !continents.has(key)));
}

/** "Halden University", asked for a university: the words before what was asked for, in names. */
function namesWith({ evidence }: Context, { sentences }: Section, key: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const at of evidence.positions.get(key) ?? []) {
    const [before, word] = [evidence.words[at - 1], evidence.words[at]];
    if (!word?.isCapital || !sentences.has(word.sentence)) continue;
    const next = evidence.words[at + 1]?.norm === "of" ? evidence.words[at + 2] : undefined;
    const name = next?.isCapital ? next : before;
    if (name?.isCapital && name.sentence === word.sentence) found.add(name.key);
  }
  return found;
}

function isWithin(at: number, range: Range | undefined): boolean {
  return range !== undefined && at >= range.start && at < range.end;
}
