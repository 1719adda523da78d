import { isDemonym, placeKind, type Word } from "../../../../text/index.ts";
import type { Context } from "../../context.ts";
import { isAsked } from "../../evidence.ts";
import type { Sentence } from "../index-passage.ts";
import { nameKindOf } from "../name-kinds.ts";
import type { Asked } from "../read-asked.ts";
import type { Candidate } from "../read-candidates.ts";
import type { Wanted } from "../read-wanted.ts";
import { type Signs, strengthen } from "./sign-names.ts";

/** There is hardly a choice: a year is no person. */
const certain = 3;

/** What the passage and the word list say of what a candidate is. */
interface Nature {
  /** How surely it is somebody: from 0 to 1. */
  readonly person: number;
  readonly gender: "male" | "female" | null;
  readonly isPlace: boolean;
  readonly isCountry: boolean;
  readonly isBody: boolean;
  readonly isQuoted: boolean;
  /** "Salaam Bombay (1988)", "X is a 2004 …" */
  readonly isDated: boolean;
  readonly isAfterIn: boolean;
  readonly isDemonym: boolean;
}

/** Whether a candidate is of the kind that the question asks for. */
export function readKindSigns(
  context: Context,
  { wanted }: Asked,
  candidate: Candidate,
  about: readonly Sentence[],
): Signs {
  const signs: Signs = {};
  const nature = readNature(context, candidate, about);
  const isName = candidate.kind === "name";
  strengthen(signs, "wrongKind", measureWrongKind(wanted, candidate));
  const share = shareAsked(context, candidate);
  if (share === 1) signs.asked = 2;
  else if (share > 0) signs.partlyAsked = share;
  const gender = genderOf(wanted);
  if (gender !== null && nature.gender !== null && nature.gender !== gender) signs.genderOther = 2;
  if (isName && nature.isDemonym) signs.demonym = 1;
  switch (wanted.kind) {
    case "person":
      strengthen(signs, "person", nature.person);
      if (isName && nature.person === 0) signs.personUnknown = 1;
      if (nature.isPlace) signs.personAsPlace = 1;
      if (nature.isQuoted) signs.personAsTitle = 1;
      break;
    case "place":
      if (nature.isPlace) signs.placeKnown = 1;
      if (nature.isAfterIn) signs.placeAfterIn = 1;
      strengthen(signs, "placeAsPerson", nature.person);
      readPlaceType(wanted, nature, signs);
      break;
    case "title":
      if (nature.isQuoted) signs.titleQuoted = 1;
      if (nature.isDated) signs.titleDated = 1;
      strengthen(signs, "titleAsPerson", nature.person);
      if (nature.isPlace) signs.titleAsPlace = 1;
      break;
    case "body":
      if (nature.isBody) signs.bodyNamed = 1;
      strengthen(signs, "bodyAsPerson", nature.person);
      break;
    case "origin":
      if (!nature.isDemonym) signs.notOrigin = certain;
      break;
    default:
  }
  return signs;
}

/** "Which country" is answered by one, "which city" by none. */
function readPlaceType({ head }: Wanted, nature: Nature, signs: Signs): void {
  const asksCountry = /^(country|nation|land|countries)$/.test(head?.norm ?? "");
  if (!asksCountry && !/^(city|town|village|state|region|county|island)$/.test(head?.norm ?? "")) return;
  if (nature.isCountry === asksCountry && (nature.isPlace || (nature.isAfterIn && nature.person === 0)))
    signs.placeOfType = 1;
  if (nature.isPlace && nature.isCountry !== asksCountry) signs.placeOtherType = 1;
}

/** Years for "when", numbers for "how many", names for the rest; where the question doesn't say, a number is only unlikely. */
function measureWrongKind({ kind }: Wanted, candidate: Candidate): number {
  if (kind === "other") return candidate.kind === "name" ? 0 : 1;
  const wanted = kind === "year" || kind === "number" ? kind : "name";
  return candidate.kind === wanted ? 0 : certain;
}

/** How much of its name the question has. That "Canadian" is asked about does not make "Canada" a part of the question. */
function shareAsked({ evidence }: Context, { kind, mentions, forms }: Candidate): number {
  if (kind !== "name") return forms.some((form) => [...form].some((key) => evidence.asked.has(key))) ? 1 : 0;
  const shares = mentions.map(({ from, to }) => {
    const words = evidence.words.slice(from, to).filter(({ isFunction }) => !isFunction);
    return words.filter((word) => isAsked(evidence, word)).length / Math.max(1, words.length);
  });
  return Math.max(...shares);
}

const bodies =
  /^(company|inc|ltd|llc|university|school|college|party|club|records|corporation|group|association|society|publishing|airlines|agency|institute|foundation|league|band|orchestra|limited|gmbh|plc|network|museum|library|church|council)$/;
const titles = /^(mr|mrs|ms|miss|dr|sir|dame|lady|lord|prof|professor|captain|king|queen|prince|princess)$/;
const life = /^ \((born|b\.|\d|january|february|march|april|may|june|july|august|september|october|november|december)/i;
const dated = /^[”"]?( (is|was) an? \d{4}| \(\d{4})/;

function readNature({ evidence }: Context, { kind, mentions }: Candidate, about: readonly Sentence[]): Nature {
  const { words, source } = evidence;
  const names = mentions.map(({ from, to }) => words.slice(from, to));
  const firsts = names.map(([first]) => nameKindOf(first?.norm ?? ""));
  const isLong = names.some((name) => name.length > 1);
  const after = mentions.map(({ to }) =>
    source.text.text.slice(words[to - 1]?.end ?? 0, (words[to - 1]?.end ?? 0) + 16),
  );
  const pronoun = about
    .map((sentence) => sentence.words[0]?.norm ?? "")
    .find((norm) => /^(he|she|his|her)$/.test(norm));
  const isKnown =
    kind === "name" && firsts.some((known) => known === "male" || known === "female" || known === "person");
  const isLikely =
    names.some((name) => name.length > 1 && titles.test(name[0]?.norm ?? "")) ||
    names.some((name) => name.length > 1 && nameKindOf(name.at(-1)?.norm ?? "") === "surname");
  const isSaid = pronoun !== undefined || after.some((text) => life.test(text)) || about.some(callsPerson);
  const before = mentions.map(({ from, sentence }) =>
    words[from - 1]?.sentence === sentence ? words[from - 1] : null,
  );
  const isAfterIn = before.some((word) => /^(in|at|near|from|to)$/.test(word?.norm ?? ""));
  const isActing = before.some((word) => /^(by|starring|actor|actress|director|singer)$/.test(word?.norm ?? ""));
  return {
    person: Math.max(isSaid ? 1 : 0, isKnown ? (isLong ? 1 : 0.6) : 0, isLikely ? 0.8 : 0, isActing ? 0.7 : 0),
    gender: readGender(firsts, pronoun),
    isPlace: names.some(isPlaceName),
    isCountry: names.some(isCountryName),
    isBody: names.some((name) => bodies.test(name.at(-1)?.norm ?? "")),
    isQuoted: mentions.some(({ from }) => /["“]/.test(gapBefore(evidence, from))),
    isDated: after.some((text) => dated.test(text)),
    isAfterIn,
    isDemonym: names.some((name) => name.some(({ norm }) => isDemonym(norm))),
  };
}

function gapBefore({ words, source }: Context["evidence"], from: number): string {
  return source.text.text.slice(words[from - 1]?.end ?? 0, words[from]?.start ?? 0);
}

function isPlaceName(name: readonly Word[]): boolean {
  const known = nameKindOf(name.map(({ norm }) => norm).join(" "));
  if (known === "place" || known === "country") return true;
  return name.some(({ norm, key }) => placeKind(norm, key) !== undefined || key.startsWith("place:"));
}

function isCountryName(name: readonly Word[]): boolean {
  return (
    nameKindOf(name.map(({ norm }) => norm).join(" ")) === "country" ||
    name.every(({ norm, key }) => placeKind(norm, key) === "country" && !isDemonym(norm))
  );
}

const persons =
  /^(actor|actress|singer|director|writer|author|player|musician|artist|producer|composer|politician|poet|novelist|screenwriter|drummer|guitarist|rapper|comedian|footballer|wrestler|dancer|filmmaker|architect|philosopher|scientist|physicist|chemist|mathematician|painter|journalist|engineer|lawyer|businessman|entrepreneur|explorer|historian|professor)$/;

/** "X is an American chemist" */
function callsPerson({ words }: Sentence): boolean {
  const is = words.findIndex(({ norm }) => norm === "is" || norm === "was");
  return is !== -1 && words.slice(is + 1, is + 10).some(({ norm }) => persons.test(norm));
}

function readGender(firsts: readonly (string | undefined)[], pronoun: string | undefined): Nature["gender"] {
  const [isMale, isFemale] = [firsts.includes("male"), firsts.includes("female")];
  if (isMale !== isFemale) return isMale ? "male" : "female";
  if (pronoun === undefined) return null;
  return pronoun.startsWith("h") && pronoun !== "her" ? "male" : "female";
}

function genderOf({ phrase }: Wanted): Nature["gender"] {
  const has = (pattern: RegExp): boolean => phrase.some(({ norm }) => pattern.test(norm));
  if (has(/^(actress|actresses|woman|wife|mother|sister|daughter|queen|aunt|girl|lady|widow|princess|heroine)$/))
    return "female";
  return has(/^(man|husband|father|brother|son|king|uncle|boy|prince)$/) ? "male" : null;
}
