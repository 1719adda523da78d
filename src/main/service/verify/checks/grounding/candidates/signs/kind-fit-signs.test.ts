import { describe, expect, test } from "vitest";
import { readKindFitSigns } from "./kind-fit-signs.ts";
import { readPartSigns } from "./part-signs.ts";
import { readNature } from "./read-nature.ts";
import { findCandidate } from "./test-find-candidate.ts";

/** The signs of the candidate that has a word, for a question about a passage. */
function signsOf(passage: string, question: string, word: string): Readonly<Record<string, number>> {
  const { context, candidate } = findCandidate(passage, question, word);
  return {
    ...readKindFitSigns(context, candidate, readNature(context, candidate, [])),
    ...readPartSigns(context, candidate),
  };
}

const office =
  'Lindgate Bakeries Ltd was founded in Tarn, Oster Province, by the owner of Halden University Press. Its song "Brekka" was sung at the Lindgate Festival.';
const series =
  'The Quay is a series starring Eva Lunde as the baker Runa Falk. Per Aasen plays Odd Myhre. Aasen, nicknamed "Bruno", was born in Tarn.';

describe("whether a name fits what is asked for", () => {
  test.each([
    ["a smaller place for a town", "In which town was the bakery founded?", "Tarn", { placeOfSize: 1 }],
    ["a larger place for a town", "In which town was the bakery founded?", "Oster", { placeOtherSize: 1 }],
    ["a larger place for a province", "In which province was the bakery founded?", "Oster", { placeOfSize: 1 }],
    ["a smaller place for a province", "In which province was the bakery founded?", "Tarn", { placeOtherSize: 1 }],
    ["a title for a place", "In which town was the song sung?", "Brekka", { placeAsTitle: 1 }],
    ["a title for a company", "Which company had a song?", "Brekka", { bodyAsTitle: 1 }],
    ["a company by its name", "Which company had a song?", "Lindgate", { nameOfType: 1 }],
  ])("%s: %s %s", (_, question, word, expected) => {
    expect(signsOf(office, question, word)).toEqual(expected);
  });
});

describe("parts, those who play them, and other names", () => {
  test.each([
    ["the part", "Which role does Eva Lunde have?", "Runa", { partNamed: 1 }],
    ["the part", "Aasen played who in The Quay?", "Odd", { partNamed: 1 }],
    ["the part for the actor", "Which actor played in The Quay?", "Odd", { actorAsPart: 1 }],
    ["the actor", "Which actor played in The Quay?", "Eva", {}],
    ["another name", "What was the nickname of Aasen?", "Bruno", { aliasBeside: 1 }],
  ])("%s: %s %s", (_, question, word, expected) => {
    expect(signsOf(series, question, word)).toEqual(expected);
  });
});
