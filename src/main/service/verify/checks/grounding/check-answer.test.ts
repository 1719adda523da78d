import { describe, expect, test } from "vitest";
import { checkRepetition } from "./check-answer.ts";
import { findWrongBy } from "./test-find-wrong.ts";

const text =
  "The Velm Lines were drawn in the Velm Desert by the Velm culture of Tarnmark. Motifs of the Halden culture are alike. The hawk hunts by day, the owl by night. Ida Velm had two brothers.";

describe("an answer that says only what the question says", () => {
  test("gives nothing", () => {
    const reason = ["This only repeats the question."];
    expect(
      findWrongBy(
        checkRepetition,
        text,
        "The Velm Lines were drawn by which culture?",
        "The Velm Lines were drawn by a culture, and the lines are Velm lines.",
      ),
    ).toEqual([reason, reason]);
  });

  test.each([
    [
      "one of its names, called as it asks",
      "The Velm Lines were drawn by which culture?",
      "The Velm Lines were drawn by the Velm culture.",
    ],
    [
      "one of those it names, again",
      "Of the owl and the hawk, which one hunts by day?",
      "Of the owl and the hawk, the hawk hunts by day.",
    ],
    ["a small number in words", "How many brothers did Ida Velm have?", "Ida Velm did have two brothers."],
  ])("answers with %s", (_, question, response) => {
    expect(findWrongBy(checkRepetition, text, question, response)).toEqual([[], []]);
  });
});
