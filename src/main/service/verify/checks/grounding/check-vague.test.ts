import { describe, expect, test } from "vitest";
import { checkVague } from "./check-vague.ts";
import { findWrongBy } from "./test-find-wrong.ts";

const hymn =
  "The Velm Hymn was written by Ann Lund, a farmer from Halden in Norway. Otto Brandt was a famous musician and set it to music. Its score was found by a shepherd in a cave near Tarn. It was printed by the firm of Prow.";

describe("one of a sort, where a name was asked for", () => {
  test.each([
    ["Who wrote the Velm Hymn?", "a farmer"],
    ["Who set the Velm Hymn to music?", "A famous musician."],
    ["Who set the Velm Hymn to music?", "It was a famous Norwegian musician."],
    ["Which town is Ann Lund from?", "a town in Norway"],
    ["Which firm printed the Velm Hymn?", "some local firm"],
  ])("is no answer: %s %s", (question, response) => {
    for (const [reason = ""] of findWrongBy(checkVague, hymn, question, response))
      expect(reason).toContain("doesn't say which one");
  });

  test.each([
    ["Who found the score of the Velm Hymn?", "a shepherd"],
    ["Who wrote the Velm Hymn?", "a farmer called Ann Lund"],
    ["Who wrote the Velm Hymn?", "ann lund, a farmer"],
    ["What was Otto Brandt?", "a musician"],
    ["Where was the score found?", "in a cave"],
    ["Which town is Ann Lund from?", "a town called halden"],
  ])("may be all there is to say: %s %s", (question, response) => {
    expect(findWrongBy(checkVague, hymn, question, response)).toEqual([[], []]);
  });
});
