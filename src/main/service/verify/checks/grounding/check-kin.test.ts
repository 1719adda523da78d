import { describe, expect, test } from "vitest";
import { checkKin } from "./check-kin.ts";
import { findWrongBy } from "./test-find-wrong.ts";

const quiz =
  "The Velm Quiz was a television show. Otto Brandt hosted it from 1968 on, and Ann Lund wrote its questions.";
const family = "Otto Brandt hosted the Velm Quiz from 1968 on. Ann Lund, the mother of Otto, wrote its questions.";
const question = "Who hosted the Velm Quiz in 1968?";

describe("a bond of kin that the text lacks", () => {
  test.each([
    ["Otto Brandt, whose wife was Ann Lund.", "wife"],
    ["It was Ann Lund's brother.", "brother"],
    ["Otto Brandt, the son of Ann Lund, hosted it.", "son"],
    ["Otto Brandt and his older sister Ann.", "sister"],
  ])("is found: %s", (response, kin) => {
    expect(findWrongBy(checkKin, quiz, question, response)).toEqual([
      [`The document says nothing of a “${kin}”.`],
      [`The passage says nothing of a “${kin}”.`],
    ]);
  });

  test.each([
    ["what follows from another bond", family, question, "Otto Brandt, Ann Lund's son."],
    ["what the question speaks of", quiz, "Which brother hosted the Velm Quiz?", "Ann's brother Otto Brandt."],
    ["the father of a thing", quiz, question, "Otto Brandt, the father of quiz shows."],
    ["a name", quiz, question, "Otto Brandt, not Ann's Father Christmas."],
    ["a sister show", quiz, question, "Otto Brandt, who also hosted a sister show."],
  ])("is not seen in %s", (_, passage, asked, response) => {
    expect(findWrongBy(checkKin, passage, asked, response)).toEqual([[], []]);
  });
});
