/**
 * What speaks for or against a candidate as the answer to a question. Most lie between 0 and 1; what hardly leaves a
 * choice is 2 or 3. How much each counts is in weights.ts.
 */
export const signNames = [
  // What it is
  "wrongKind",
  "asked",
  "partlyAsked",
  "person",
  "personUnknown",
  "personAsPlace",
  "personAsTitle",
  "placeKnown",
  "placeOfType",
  "placeOtherType",
  "placeAfterIn",
  "placeAsPerson",
  "titleQuoted",
  "titleDated",
  "titleAsPerson",
  "titleAsPlace",
  "bodyAsPerson",
  "notOrigin",
  "demonym",
  "genderOther",
  // Whether it is called as the question calls it
  "headInName",
  "headBefore",
  "headOfSubject",
  "headInSentence",
  "headElsewhere",
  "describedAs",
  // What stands right beside it
  "window",
  "windowNear",
  "clauseNear",
  "clauseRare",
  "slotLeft",
  "slotRight",
  "prepositionSame",
  "prepositionOther",
  "verbBefore",
  "verbAfter",
  "otherVerbAfter",
  "nearest",
  // What its sentences say
  "sentence",
  "sentenceRare",
  "sentenceRelation",
  "sentenceBest",
  "sentenceFirst",
  "sentenceNames",
  "profile",
  "profileNames",
  // Whom its sentences are about
  "topicProfile",
  "topicHop",
  // Names of the question as wholes: it is one; it shares a word with one, as the Sea Fencibles do with the River Fencibles; so
  // does what a sentence of it is about
  "ownName",
  "alikeName",
  "alikeTopic",
  // Where the question describes what it asks of, what its own words point to is a step on the way: it stands in the sentence
  // that has most of the question; opens a paragraph; stands in several; in one, or in a sentence, about a name of the
  // question; in a sentence without a known subject
  "describedMentions",
  "describedBest",
  "describedTitle",
  "describedAcross",
  "describedUnderName",
  "describedOfName",
  "describedOfNone",
  // Two steps of reading: the asked part of the question stands beside it; the describing part does; what fits the
  // description stands with it; its sentence is about that
  "hopAsked",
  "hopDescribed",
  "hopDescribedNear",
  "hopChain",
  "hopAbout",
  // Who did what to whom: it stands to the asked deed as the question asks; beside the deed; the nearest to do so
  "roleSame",
  "roleBeside",
  "roleNearest",
  // What a number measures or counts
  "measureSame",
  "measureOther",
  "countedSame",
  "countedOther",
  "numberOfDate",
  // What happened in a year, or in the year beside a name
  "lifeSame",
  "lifeOther",
  "lifeUnasked",
  "eventSame",
  "eventOther",
  "askedYearAfter",
  "otherYearAfter",
  // Whether it fits what is asked for by its words and what stands beside it
  "nameOfType",
  "placeOfSize",
  "placeOtherSize",
  "placeAsTitle",
  "placeAsBody",
  "bodyAsTitle",
  "bodyAsPlace",
  // "Treasurer: Ann Lee": whether the question has of the label before it, or nothing
  "labelSame",
  "labelOther",
  // Parts, actors, and other names
  "partNamed",
  "actorAsPart",
  "aliasBeside",
  // How it is put
  "inBrackets",
  "inList",
  "afterBy",
] as const;

export type SignName = (typeof signNames)[number];

/** The signs of one candidate; what isn't there is 0. */
export type Signs = Partial<Record<SignName, number>>;

/** Of several places the strongest counts. */
export function strengthen(signs: Signs, name: SignName, value: number): void {
  if (value > (signs[name] ?? 0)) signs[name] = value;
}

/** The same for all signs of a place. */
export function strengthenAll(signs: Signs, others: Signs): void {
  for (const name of signNames) strengthen(signs, name, others[name] ?? 0);
}
