import { describe, expect, test } from "vitest";
import { checkNovelty } from "./check-novelty.ts";
import { findWrong, findWrongBy } from "./test-find-wrong.ts";

const memo =
  "The stocktake in Halden was put off to Monday: the scanners are still being repaired. Ann Lund borrowed 8,000 from the bank to buy a loom and spent her evenings weaving.";

describe("an answer about a deed or a cause in words that the text doesn't have", () => {
  test.each([
    [
      "Why was the stocktake put off?",
      "It was postponed because of a burst pipe.",
      "postponed because of a burst pipe",
    ],
    ["What did Ann Lund borrow the money for?", "a pottery studio", "pottery studio"],
    ["what did ann do in the evenings", "She taught orphans to swim in a pool.", "taught orphans to swim in a pool"],
  ])("is found: %s %s", (question, response, shown) => {
    expect(findWrongBy(checkNovelty, memo, question, response)).toEqual([
      [`The document says nothing of “${shown}”.`],
      [`The passage says nothing of “${shown}”.`],
    ]);
  });

  test.each([
    ["Why was the stocktake put off?", "Because the scanners haven't come back from repair yet."],
    ["Why was the stocktake put off?", "The devices they scan with are still at the repairer's."],
    ["What did Ann Lund borrow the money for?", "She wanted a loom of her own."],
    ["What did Ann Lund do in the evenings?", "She sat at her loom and wove."],
    ["What do you think of the stocktake?", "A tedious, badly organised shambles."],
    ["What does the text convey?", "A quiet, optimistic mood."],
    ["How can they repair the scanners?", "Solder the antenna and flash the firmware."],
  ])("is not seen in other words for the same, or where an opinion is asked: %s %s", (question, response) => {
    expect(findWrongBy(checkNovelty, memo, question, response)).toEqual([[], []]);
  });
});

describe("an answer about what somebody made, paid or won", () => {
  test.each([
    ["What did Ann Lund borrow?", "She borrowed horses."],
    ["What did Ann Lund buy?", "a boat"],
  ])("has to stand in the text: %s %s", (question, response) => {
    expect(findWrong(memo, question, response)).not.toContainEqual([]);
  });

  test.each([
    ["What did Ann Lund buy?", "With a loan from her bank she got a loom for weaving, for everybody at home."],
    ["What did Ann Lund borrow the money for?", "Weary of her evenings, she wanted to weave on a loom after work."],
  ])("may be told with words of its own: %s %s", (question, response) => {
    expect(findWrong(memo, question, response)).toEqual([[], []]);
  });
});
