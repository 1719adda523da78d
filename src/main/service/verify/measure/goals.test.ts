import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { checkGrounding } from "../checks/grounding/index.ts";
import { readItems } from "./items.ts";
import { rate, scoreCuts, scorePhrasings, scorePlain, scoreVariants, sum, type Way } from "./score.ts";

const items = readItems(fileURLToPath(new URL("../../../../../examples/halueval-qa-200.jsonl", import.meta.url)));
const ways: readonly Way[] = ["prompt", "document"];

/** For thousands of responses on a busy machine. In milliseconds. */
const patience = 90_000;

/** What docs/verify-accuracy.md says, with hardly anything to spare: a change that makes it worse has to say so there. */
const least = { balanced: 0.925, cuts: 0.86 };
const most = { falseAlarms: 0.01 };

describe.each(ways)("200 questions about a text in the %s", { timeout: patience }, (way) => {
  test("right answers pass and wrong ones are found", () => {
    const { balanced, falseAlarms } = scorePlain(checkGrounding, items, way);
    expect(balanced).toBeGreaterThanOrEqual(least.balanced);
    expect(rate(falseAlarms)).toBeLessThanOrEqual(most.falseAlarms);
  });

  test("right answers pass however they are put", () => {
    const shares = scorePhrasings(checkGrounding, items, way);
    expect(rate(sum(shares.values()))).toBeLessThanOrEqual(most.falseAlarms);
  });

  test("wrong answers are found when only their wrong part is left", () => {
    expect(rate(scoreCuts(checkGrounding, items, way))).toBeGreaterThanOrEqual(least.cuts);
  });
});

describe("180 questions that no rule was written with", { timeout: patience }, () => {
  const unread = readItems(fileURLToPath(new URL("../../../../../bench/questions/held-out.jsonl", import.meta.url)));

  test("right answers pass, also in other words, and wrong ones of the text's own names are found", () => {
    const { falseAlarms, recall } = scorePlain(checkGrounding, unread, "prompt");
    expect(rate(falseAlarms)).toBeLessThanOrEqual(0.03);
    expect(rate(recall)).toBeGreaterThanOrEqual(0.42);
    expect(rate(scoreVariants(checkGrounding, unread, "prompt"))).toBeLessThanOrEqual(0.085);
  });
});
