import { lazy } from "../../lazy.ts";
import { remember, rememberWord } from "../../remember.ts";
import { isFunctionWord, type Word } from "../../text/index.ts";
import { placeKey } from "../../text/places.ts";
import type { Evidence } from "./evidence.ts";
import type { Passage } from "./passage.ts";

/** Of words that begin alike, so many are compared. */
const mostAlike = 60;
const fewestLetters = 4;

/** The words of a passage with a capital, by what their spellings share. */
interface Spellings {
  readonly folded: () => ReadonlySet<string>;
  /** By the first four letters, and by the first. */
  readonly byStart: () => ReadonlyMap<string, readonly string[]>;
  readonly byLetter: () => ReadonlyMap<string, readonly string[]>;
  /** Several checks ask of the same word, as it is written, whether it is spelled otherwise. */
  readonly answers: Map<string, boolean>;
}

/**
 * Whether the passage has a word of a name in another spelling: "Dinamo" for "Dynamo", "Muenster" for "Münster", "Bolivian" for
 * "Bolivia", "GA" for "Georgia", "Fifth" for "V".
 */
export function isSpelledOtherwise(evidence: Evidence, word: Word): boolean {
  const { answers } = spellingsOf(evidence.passage);
  const answer = answers.get(word.raw) ?? findSpelling(evidence, word);
  answers.set(word.raw, answer);
  return answer;
}

function findSpelling(evidence: Evidence, word: Word): boolean {
  const { norm, raw, key } = word;
  if (key === "place:england" && evidence.positions.has("place:united-kingdom")) return true;
  const place = placeKey(norm.replace(/s$/, ""));
  if (place !== undefined && evidence.positions.has(place)) return true;
  const numeral = numerals.get(norm) ?? wordsOfNumerals.get(norm);
  if (numeral !== undefined && evidence.positions.has(numeral)) return true;
  const long = shortForms.get(norm);
  if (long?.some((form) => evidence.positions.has(form) || evidence.forms.has(form))) return true;
  const spellings = spellingsOf(evidence.passage);
  if (norm.length >= fewestLetters && spellings.folded().has(foldSpelling(norm))) return true;
  const alike = spellings.byStart().get(norm.slice(0, fewestLetters)) ?? [];
  if (norm.length >= fewestLetters && alike.some((other) => isDerived(norm, other))) return true;
  if (raw !== raw.toUpperCase() || norm.length < 2 || norm.length > 3) return false;
  return (spellings.byLetter().get(norm.charAt(0)) ?? []).some((other) => isAbbreviation(norm, other));
}

/** Whether the passage has an ordinal in words as a numeral: "V" for "the Fifth". */
export function hasNumeral({ positions }: Evidence, word: string): boolean {
  const numeral = numerals.get(word.toLowerCase());
  return numeral !== undefined && positions.has(numeral);
}

/** Whether a first name is a short or a long form of another: "Ray" of "Raymond", "Bill" of "William". */
export function isFormOfName(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (short.length >= 3 && long.startsWith(short)) return true;
  return nicknames.get(a)?.includes(b) === true || nicknames.get(b)?.includes(a) === true;
}

const spellingsOf = remember(readSpellings);

function readSpellings({ sentences }: Passage): Spellings {
  const norms = new Set<string>();
  for (const sentence of sentences.values()) {
    for (const { norm, isCapital } of sentence) if (isCapital && norm.length > 3) norms.add(norm);
  }
  return {
    folded: lazy(() => new Set([...norms].map(foldSpelling))),
    byStart: lazy(() => groupByStart(norms, fewestLetters)),
    byLetter: lazy(() => groupByStart(norms, 1)),
    answers: new Map(),
  };
}

function groupByStart(norms: Iterable<string>, length: number): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const norm of norms) {
    const start = norm.slice(0, length);
    const others = groups.get(start);
    if (others === undefined) groups.set(start, [norm]);
    else if (others.length < mostAlike) others.push(norm);
  }
  return groups;
}

const respellings: ReadonlyMap<string, string> = new Map(
  "þ:t ð:d ł:l ø:o œ:o oe:o æ:a ae:a ue:u ph:f th:t ck:k c:k q:k y:i j:i w:v"
    .split(" ")
    .map((pair) => pair.split(":") as [string, string]),
);
const respelled = /[þðłøœæqyjw]|[oau]e|[pt]h|ck?/g;
const doubled = /(.)\1/g;

/** What spellings of one name in several languages and alphabets share. */
const foldSpelling = rememberWord((norm) => {
  return norm.replace(respelled, (found) => respellings.get(found) ?? found).replace(doubled, "$1");
});

const peoples = new Set(["", "s", "n", "an", "ns", "ans", "ian", "ians", "ish", "ese", "er", "ers", "i", "ic", "ean"]);

/** "Bolivian" and "Bolivia", "Zulus" and "Zulu". */
function isDerived(a: string, b: string): boolean {
  let same = 0;
  while (same < a.length && a.charAt(same) === b.charAt(same)) same += 1;
  return same >= fewestLetters && peoples.has(a.slice(same)) && peoples.has(b.slice(same));
}

/** "LUX" of "Luxembourg"; of two letters, the first and a later one: "GA" of "Georgia". */
function isAbbreviation(short: string, long: string): boolean {
  if (long.startsWith(short)) return true;
  return short.length === 2 && long.startsWith(short.charAt(0)) && long.slice(1).includes(short.charAt(1));
}

const romans = "i ii iii iv v vi vii viii ix x xi xii".split(" ");
const ordinals = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(" ");
const numerals: ReadonlyMap<string, string> = new Map(ordinals.map((word, at) => [word, romans[at] ?? ""]));
const wordsOfNumerals: ReadonlyMap<string, string> = new Map(romans.map((roman, at) => [roman, ordinals[at] ?? ""]));

const shortForms: ReadonlyMap<string, readonly string[]> = toMap(`
ussr soviet
soviet ussr
nyc york
ww world
wwi world
wwii world
co county company
county co
corp corporation
inc incorporated
ltd limited
bros brothers
mt mount mountain
mount mt
ft fort
dept department
univ university
uni university
jr junior
sr senior
ave avenue
rd road
dr doctor drive
football futbol fc
`);

const nicknames: ReadonlyMap<string, readonly string[]> = toMap(`
bill william
will william
billy william
bob robert
bobby robert
rob robert
dick richard
rick richard
jim james
jimmy james
jack john
johnny john
mike michael
mick michael
tony anthony
ted edward theodore
ned edward
liz elizabeth
beth elizabeth
betty elizabeth
kate katherine catherine
kathy katherine catherine
peggy margaret
maggie margaret
meg margaret
molly mary
polly mary
harry henry harold
hank henry
chuck charles
charlie charles
joe joseph
jerry gerald jerome
larry lawrence
andy andrew
sasha alexander
bill wilhelm
hans johannes
`);

/** Each line: a word, then what it may stand for. */
function toMap(lines: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const line of lines.trim().split("\n")) {
    const [short = "", ...long] = line.split(" ");
    found.set(short, [...(found.get(short) ?? []), ...long]);
  }
  return found;
}

const omissible = new Set(
  "oclock fc afc cf sc ac fk sk co corp inc ltd llc plc gmbh ag sa bv jr sr esq phd md".split(" "),
);

/** What belongs to the name of a club or a firm, or stands after a person's or a time, and is often left out. */
export function isOmissible({ norm }: Word): boolean {
  return omissible.has(norm) || isFunctionWord(norm);
}
