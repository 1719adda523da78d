import type { Context } from "../../context.ts";
import { isAsked } from "../../evidence.ts";
import type { Passage } from "../../passage.ts";
import type { Asked } from "../read-asked.ts";
import type { Candidate, Mention } from "../read-candidates.ts";
import type { Wanted } from "../read-wanted.ts";
import { readNumberPlace } from "./numbers/number-places.ts";
import type { Nature } from "./read-nature.ts";
import { type Signs, strengthen } from "./sign-names.ts";

/** There is hardly a choice: a year is no person. */
const certain = 3;

/** Whether a candidate is of the kind that the question asks for. */
export function readKindSigns(context: Context, { wanted }: Asked, candidate: Candidate, nature: Nature): Signs {
  const signs: Signs = {};
  const isName = candidate.kind === "name";
  strengthen(signs, "wrongKind", measureWrongKind(context, wanted, candidate));
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

/** Years and dates for "when", numbers for "how many", names for the rest; where the question doesn't say, a number is only unlikely. */
function measureWrongKind({ evidence }: Context, { kind }: Wanted, candidate: Candidate): number {
  if (kind === "other") return candidate.kind === "name" ? 0 : 1;
  const wanted = kind === "year" || kind === "number" ? kind : "name";
  if (candidate.kind === wanted) return 0;
  const isTime =
    wanted === "year" &&
    candidate.kind === "number" &&
    candidate.mentions.some((mention) => isTimeAt(evidence.passage, mention));
  return isTime ? 0 : certain;
}

/** "1 December", "07:58", "15th century" */
function isTimeAt(passage: Passage, mention: Mention): boolean {
  const { isDate, isOrder, noun } = readNumberPlace(passage, mention);
  return isDate || (isOrder && noun[0]?.norm === "century");
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

function genderOf({ phrase }: Wanted): Nature["gender"] {
  const has = (pattern: RegExp): boolean => phrase.some(({ norm }) => pattern.test(norm));
  if (has(/^(actress|actresses|woman|wife|mother|sister|daughter|queen|aunt|girl|lady|widow|princess|heroine)$/))
    return "female";
  return has(/^(man|husband|father|brother|son|king|uncle|boy|prince)$/) ? "male" : null;
}
