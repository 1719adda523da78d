import type { Word } from "../../../text/index.ts";
import { isCalling } from "./name-kinds.ts";

/** What sort of thing is asked for: a work by its title, a company or another body, where somebody is from. */
export type WantedKind = "person" | "place" | "year" | "number" | "title" | "body" | "origin" | "other";

const nouns: Readonly<Record<Exclude<WantedKind, "other">, string>> = {
  person: `actor actress singer director writer author player musician person man woman artist producer composer politician
    poet novelist screenwriter drummer guitarist rapper comedian model president king queen footballer quarterback coach
    driver wrestler dancer filmmaker architect philosopher scientist physicist chemist mathematician painter captain founder
    celebrity pianist bassist songwriter boxer swimmer athlete host journalist editor brother sister son daughter father
    mother wife husband senator governor mayor golfer pilot engineer designer explorer general admiral emperor bishop pope
    saint vocalist performer star striker goalkeeper manager chef physician doctor nurse surgeon lawyer judge professor
    teacher businessman entrepreneur executive ceo chairman leader hitman member widow cousin uncle aunt detective cellist
    violinist conductor sculptor photographer cartoonist illustrator astronaut astronomer botanist biologist geologist
    historian monk missionary character employee colleague tenant owner landlord candidate officer`,
  place: `city town village country state county province region district river lake mountain island territory continent
    nation kingdom neighborhood neighbourhood borough capital municipality place location street suburb sea ocean valley
    park port peninsula canton prefecture community settlement republic room station platform site venue
    building stadium arena ground hotel castle airport`,
  year: "year date day month decade century deadline",
  number: `population length height percentage number age amount size weight distance elevation area capacity price cost fee
    speed width depth rate total temperature limit percent salary rent deposit budget score`,
  title: `film movie book novel song album single game series show program programme play poem opera musical sitcom track
    magazine newspaper record comic cantata symphony drama documentary episode ballet painting soundtrack journal work`,
  body: `band group company organization organisation agency team club network university college school label party
    publisher manufacturer corporation brand airline studio retailer institution firm supplier department orchestra church
    charity society league regiment ministry`,
  origin: "nationality origin descent",
};

const kinds: ReadonlyMap<string, WantedKind> = new Map(
  Object.entries(nouns).flatMap(([kind, words]) =>
    words.split(/\s+/).map((word): [string, WantedKind] => [word, toKind(kind)]),
  ),
);

function toKind(kind: string): WantedKind {
  return kind in nouns ? (kind as keyof typeof nouns) : "other";
}

function kindOfNoun({ norm }: Word): WantedKind | undefined {
  const known = kinds.get(norm) ?? kinds.get(norm.replace(/s$/, "")) ?? kinds.get(norm.replace(/ies$/, "y"));
  return known ?? (isCalling(norm) ? "person" : undefined);
}

/** The noun that says what is asked for, with its kind: the last that is known, else the last small word. */
export function readHead(phrase: readonly Word[]): { readonly word: Word; readonly kind?: WantedKind } | null {
  const known = phrase.findLast((word) => kindOfNoun(word) !== undefined);
  if (known) return { word: known, kind: kindOfNoun(known) ?? "other" };
  const word =
    phrase.findLast(({ isCapital, isNeutral }) => !isCapital && !isNeutral) ??
    phrase.findLast(({ isNumber }) => !isNumber);
  return word ? { word } : null;
}
