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
  "bodyNamed",
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
  "countedNext",
  // What stands right beside it
  "window",
  "windowNear",
  "windowRelation",
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
  "about",
  "aboutRare",
  // Whom its sentences are about
  "topicItself",
  "topicAsked",
  "topicOther",
  "topicProfile",
  "topicHop",
  // How it is put
  "inBrackets",
  "inList",
  "afterBy",
  "mentions",
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
