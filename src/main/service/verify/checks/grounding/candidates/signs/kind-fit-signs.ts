import { remember } from "../../../../remember.ts";
import type { Word } from "../../../../text/index.ts";
import type { Context } from "../../context.ts";
import type { Candidate, Mention } from "../read-candidates.ts";
import { readWanted, type Wanted } from "../read-wanted.ts";
import type { Nature } from "./read-nature.ts";
import type { Signs } from "./sign-names.ts";

/** What ends the name of a company, a body, a prize or an event, and begins some. */
const endings =
  /^(company|inc|ltd|llc|university|school|college|party|club|records|corporation|group|association|society|publishing|airlines|agency|institute|foundation|league|band|orchestra|limited|gmbh|plc|network|museum|library|church|council|press|magazine|times|post|news|films|pictures|studios|entertainment|academy|committee|commission|department|ministry|games|awards?|prize|championship|cup|olympics|festival|act|war|battle)$/;
const openings = /^(university|academy|department|ministry|institute|house)$/;

/** The words of names that tell what they are of: the first words of a line ask, those after the colon stand in names. */
const types: readonly string[] = [
  "company firm manufacturer corporation brand airline supplier business producer: company inc ltd llc corporation corp group limited gmbh plc co airlines airways motors industries holdings bros brothers sons technologies systems studios pictures publishing records entertainment brewery",
  "label: records recordings music label entertainment",
  "publisher: press publishing books publishers comics house magazine",
  "university college school institution: university college institute academy school",
  "party: party democratic republican conservative labour liberal socialist communist democrats republicans alliance union front",
  "newspaper paper magazine: times post herald tribune gazette journal guardian telegraph news chronicle observer daily star globe mail express independent mirror sun",
  "network channel: abc nbc cbs bbc fox hbo cnn itv mtv channel tv television network showtime netflix pbs radio",
  "award prize: award awards prize medal trophy oscar emmy grammy cup championship order",
];

const typeWords: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  types.flatMap((line) => {
    const [asking = "", inNames = ""] = line.split(": ");
    const words = new Set(inNames.split(" "));
    return asking.split(" ").map((noun) => [noun, words] as const);
  }),
);

/** What lies around other places. */
const wide = /^(state|province|region|country|nation|county|prefecture|canton|district|continent|territory)$/;

/** Whether a name fits what is asked for, by its words and by what stands right beside it. */
export function readKindFitSigns(context: Context, candidate: Candidate, nature: Nature): Signs {
  if (candidate.kind !== "name") return {};
  const { words } = context.evidence;
  const wanted = readWanted(context.question);
  const signs: Signs = {};
  const names = candidate.mentions.map(({ from, to }) => words.slice(from, to));
  const { inNames, isWide } = readType(wanted);
  if (names.some((name) => name.some(({ norm }) => inNames.has(norm)))) signs.nameOfType = 1;
  if (wanted.kind !== "place" && wanted.kind !== "body") return signs;
  const isBody = names.some(isBodyName);
  if (wanted.kind === "body" && nature.isQuoted) signs.bodyAsTitle = 1;
  if (wanted.kind === "body" && nature.isPlace && !isBody) signs.bodyAsPlace = 1;
  if (wanted.kind !== "place") return signs;
  if (isBody) signs.placeAsBody = 1;
  if (nature.isQuoted) signs.placeAsTitle = 1;
  for (const mention of candidate.mentions) {
    const { isWithin, isAround } = readContainment(context, mention);
    if (isWide ? isAround : isWithin) signs.placeOfSize = 1;
    else if (isWide ? isWithin : isAround) signs.placeOtherSize = 1;
  }
  return signs;
}

const readType = remember(({ head }: Wanted): { readonly inNames: ReadonlySet<string>; readonly isWide: boolean } => {
  const norm = (head?.norm ?? "").replace(/ies$/, "y").replace(/([^s])s$/, "$1");
  return { inNames: typeWords.get(norm) ?? new Set(), isWide: wide.test(norm) };
});

function isBodyName(name: readonly Word[]): boolean {
  return endings.test(name.at(-1)?.norm ?? "") || openings.test(name[0]?.norm ?? "");
}

/** "Noda, Chiba Prefecture, Japan", "Chiba in Japan": Noda lies within, Japan around, and Chiba both. */
function readContainment(
  { evidence: { words, source } }: Context,
  { from, to, sentence }: Mention,
): { readonly isWithin: boolean; readonly isAround: boolean } {
  const gap = (left: Word | undefined, right: Word | undefined): string =>
    source.text.text.slice(left?.end, right?.start);
  const isName = (word: Word | undefined): boolean => word?.sentence === sentence && word.isCapital;
  const [earlier, before, after, later] = [words[from - 2], words[from - 1], words[to], words[to + 1]];
  const isWithin =
    (isName(after) && gap(words[to - 1], after) === ", ") ||
    (after?.norm === "in" && isName(later) && gap(words[to - 1], after) === " ");
  const isAround =
    (isName(before) && gap(before, words[from]) === ", ") ||
    (before?.norm === "in" && isName(earlier) && gap(earlier, before) === " ");
  return { isWithin, isAround };
}
