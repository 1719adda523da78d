import { kindsOf, type Word } from "../../../../../text/index.ts";
import type { Context } from "../../../context.ts";
import type { Candidate } from "../../read-candidates.ts";
import type { SignName, Signs } from "../sign-names.ts";
import { type AskedMeasure, readAskedMeasure } from "./asked-measure.ts";
import { foldPlaces } from "./fold-places.ts";
import { type NumberPlace, readNumberPlace } from "./number-places.ts";

const supporting: readonly SignName[] = ["measureSame", "countedSame"];
const opposing: readonly SignName[] = ["measureOther", "countedOther", "numberOfDate"];

/**
 * Whether a number is of what the question wants to have measured or counted. What speaks for it may stand at one of its
 * places; what speaks against it, at all.
 */
export function readNumberSigns({ evidence, question }: Context, { kind, mentions }: Candidate): Signs {
  if (kind === "name") return {};
  const asked = readAskedMeasure(question);
  if (asked.measures.size === 0 && asked.counted.length === 0) return {};
  const all = mentions.map((mention) => readSignsOf(asked, readNumberPlace(evidence.passage, mention)));
  return foldPlaces(all, supporting, opposing);
}

/** Of what is left out and read from the number before. */
const elliptic = 0.6;
/** There is hardly a choice: the day of a date counts nothing. */
const certain = 2;

function readSignsOf({ measures, counted }: AskedMeasure, place: NumberPlace): Signs {
  if (place.isDate) return { numberOfDate: certain };
  const signs: Signs = {};
  const share = place.isElliptic ? elliptic : 1;
  const measure = place.measure === "time" && measures.has("age") ? "age" : place.measure;
  if (measures.size > 0 && measure !== null)
    signs[measures.has(measure) && !place.isPart ? "measureSame" : "measureOther"] = share;
  else if (measures.size > 0 && place.noun.length > 0) signs.measureOther = share / 2;
  if (counted.length === 0) return signs;
  const isCounted = place.noun.some((word) => counted.some((other) => isSame(word, other)));
  if (isCounted) signs.countedSame = share;
  else if (!place.isElliptic && (place.noun.length > 0 || place.measure !== null)) signs.countedOther = 1;
  return signs;
}

function isSame(word: Word, other: Word): boolean {
  return word.key === other.key || word.root === other.root || kindsOf(word.key).includes(other.key);
}
