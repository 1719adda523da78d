import { describe, expect, it } from "vitest";
import { findWrong } from "./test-find-wrong.ts";

const passage = [
  "Ada Holm (1921 – 1990) was a Danish baker who turned to politics after her son Nils Holm won the Tarn Race in 1964.",
  "Nils Holm (born 30 May 1943) is a Danish rower from Aarhus.",
].join(" ");

describe("what a right answer adds", () => {
  it.each([
    ["Who won the Tarn Race in 1964?", "Nils Holm, who was also an astronaut."],
    ["Who won the Tarn Race in 1964?", "Nils Holm won it, and worked as a schoolteacher."],
    [
      "When was Ada Holm's son born?",
      "Nils Holm was born on 30 May 1943, which also happens to be the date of the first concert of his orchestra.",
    ],
  ])("is wrong where it is a trade or a clause of new words: %s %s", (question, response) => {
    expect(findWrong(passage, question, response)).not.toContainEqual([]);
  });

  it.each([
    ["Who won the Tarn Race in 1964?", "Nils Holm, who was the fastest boatman."],
    ["Who won the Tarn Race in 1964?", "The winner was a Danish sportsman, Nils Holm."],
    ["When was Ada Holm's son born?", "Her boy Nils, who rows, was born on 30 May 1943."],
  ])("may be the same in other words: %s %s", (question, response) => {
    expect(findWrong(passage, question, response)).toEqual([[], []]);
  });
});
