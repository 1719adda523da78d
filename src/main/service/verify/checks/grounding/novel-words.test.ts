import { describe, expect, test } from "vitest";
import { checkAttributes } from "./check-attributes.ts";
import { findWrongBy } from "./test-find-wrong.ts";

const society =
  "The Velm Society was founded in 1947 and incorporated in 1971. Otto Brandt killed its first pianist, Ann Lund, in Halden. Its synthesizer stands there.";

describe("a noun of the same word as one of the text is not new", () => {
  test.each([
    ["When was the Velm Society incorporated?", "Its incorporation came in 1971."],
    ["Who was the first pianist of the Velm Society?", "Ann Lund was at the piano."],
    ["Who killed Ann Lund?", "Otto Brandt was her murderer."],
    ["Where does the synthesizer stand?", "The synth is in Halden."],
  ])("%s %s", (question, response) => {
    expect(findWrongBy(checkAttributes, society, question, response)).toEqual([[], []]);
  });

  test.each([
    ["When was the Velm Society incorporated?", "Its orchestra was incorporated in 1971."],
    ["Who killed Ann Lund?", "Otto Brandt, the blacksmith of Halden."],
  ])("but another is: %s %s", (question, response) => {
    for (const reasons of findWrongBy(checkAttributes, society, question, response)) expect(reasons).not.toEqual([]);
  });
});
