import { describe, expect, it } from "vitest";
import { checkReasons } from "./check-reasons.ts";
import { findWrongBy } from "./test-find-wrong.ts";

const passage = [
  "Pia Holm (3 February 1898 – 17 August 1924) was a Danish mathematician who is best known for her contributions to dimension theory.",
  "Ivan Lund (born 2 November 1948) is a Norwegian computer scientist. He plays football.",
].join(" ");
const question = "Were Pia Holm and Ivan Lund known for the same type of work?";

describe("checkReasons", () => {
  it.each([
    "Yes, both are magicians.",
    "Yes, both were philosophers.",
    "Yes, Holm was also a dancer.",
    "Yes, both worked as teachers.",
    "Yes, both made contributions to mechanics.",
    "No, Lund plays tennis.",
  ])("finds a trade or field that the text doesn't have: %s", (response) => {
    expect(findWrongBy(checkReasons, passage, question, response)).not.toContainEqual([]);
  });

  it.each([
    "No, one was in mathematics and the other is in computing.",
    "No, Holm worked on topology, and Lund is a programmer.",
    "No, they had different jobs.",
    "No, she died long before he got into his trade.",
    "No, her main matter was geometry.",
    "Holm",
  ])("leaves a reason that says what the text says: %s", (response) => {
    expect(findWrongBy(checkReasons, passage, question, response)).toEqual([[], []]);
  });

  it("takes a wider trade for right, and says nothing of fields where the text has none", () => {
    const passage = "Ann Vale is an American actress and singer. Bo Chen is an American poet and host.";
    const question = "Are Ann Vale and Bo Chen both Americans?";
    for (const response of ["Yes, both are performers and writers.", "Yes, she studied physics."])
      expect(findWrongBy(checkReasons, passage, question, response)).toEqual([[], []]);
  });
});
