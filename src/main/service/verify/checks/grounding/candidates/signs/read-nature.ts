import { isDemonym, monthPattern, placeKind, type Word } from "../../../../text/index.ts";
import type { Context } from "../../context.ts";
import type { Sentence } from "../index-sentences.ts";
import { nameKindOf } from "../name-kinds.ts";
import type { Candidate } from "../read-candidates.ts";

/** What the passage and the word list say of what a candidate is. */
export interface Nature {
  /** How surely it is somebody: from 0 to 1. */
  readonly person: number;
  readonly gender: "male" | "female" | null;
  readonly isPlace: boolean;
  readonly isCountry: boolean;
  readonly isQuoted: boolean;
  /** "Salaam Bombay (1988)", "X is a 2004 …" */
  readonly isDated: boolean;
  readonly isAfterIn: boolean;
  readonly isDemonym: boolean;
}

const titles = /^(mr|mrs|ms|miss|dr|sir|dame|lady|lord|prof|professor|captain|king|queen|prince|princess)$/;
const life = new RegExp(`^ \\((born|b\\.|\\d|${monthPattern})`, "i");
const dated = /^[”"]?( (is|was) an? \d{4}| \(\d{4})/;

/** Reads what a candidate is from its names, from what stands beside them, and from the sentences about it. */
export function readNature({ evidence }: Context, { kind, mentions }: Candidate, about: readonly Sentence[]): Nature {
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
