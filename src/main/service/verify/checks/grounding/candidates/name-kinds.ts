import nlp from "compromise/two";
import { z } from "zod";

/** What a word of a name is known as. */
export type NameKind = "male" | "female" | "person" | "surname" | "place" | "country" | "body";

const kinds: Readonly<Record<string, NameKind>> = {
  MaleName: "male",
  FemaleName: "female",
  FirstName: "person",
  Person: "person",
  LastName: "surname",
  City: "place",
  Region: "place",
  Place: "place",
  Country: "country",
  Organization: "body",
  SportsTeam: "body",
};

const modelSchema = z.object({
  one: z.object({ lexicon: z.record(z.string(), z.union([z.string(), z.array(z.string())])) }),
});

/** Compromise's own word list, read once: tagging a text with it would cost a thousand times as much as a look-up. */
const { lexicon, callings } = readLexicon(nlp.model());

function readLexicon(model: unknown): {
  readonly lexicon: ReadonlyMap<string, NameKind>;
  readonly callings: ReadonlySet<string>;
} {
  const lexicon = new Map<string, NameKind>();
  const callings = new Set<string>();
  for (const [word, tags] of Object.entries(modelSchema.parse(model).one.lexicon)) {
    const all = [tags].flat();
    const kind = all.flatMap((tag) => kinds[tag] ?? [])[0];
    if (kind !== undefined) lexicon.set(word, kind);
    if (all.includes("Actor")) callings.add(word);
  }
  return { lexicon, callings };
}

/** Whether a word says what somebody does or is: a narrator, a goalkeeper. In lower case. */
export function isCalling(norm: string): boolean {
  return callings.has(norm);
}

/** What a name or one of its words is known as: a first name, a city, a company. In lower case. */
export function nameKindOf(norm: string): NameKind | undefined {
  return lexicon.get(norm);
}
