import nlp from "compromise/two";

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

/** Compromise's own word list: tagging a text with it would cost a thousand times as much as a look-up. */
const lexicon = lexiconOf(nlp.model());

/** Checked word by word, when one is asked for: all of the 25,000 at the start would take longer than a hundred verifications. */
function lexiconOf(model: unknown): Readonly<Record<string, unknown>> {
  const lexicon = isRecord(model) && isRecord(model.one) ? model.one.lexicon : undefined;
  if (!isRecord(lexicon)) throw new TypeError("compromise has no lexicon where it is looked for.");
  return lexicon;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function tagsOf(norm: string): readonly string[] {
  const tags = Object.hasOwn(lexicon, norm) ? [lexicon[norm]].flat() : [];
  return tags.filter((tag) => typeof tag === "string");
}

/** Whether a word says what somebody does or is: a narrator, a goalkeeper. In lower case. */
export function isCalling(norm: string): boolean {
  return tagsOf(norm).includes("Actor");
}

/** What a name or one of its words is known as: a first name, a city, a company. In lower case. */
export function nameKindOf(norm: string): NameKind | undefined {
  return tagsOf(norm).flatMap((tag) => kinds[tag] ?? [])[0];
}
