import fc from "fast-check";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { cutToTokens } from "./compose-text.ts";

const count = (text: string) => countTokens(text, { disallowedSpecial: new Set() });

const anyWord = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }),
  fc.lorem({ maxCount: 1 }),
  fc.constantFrom("👩‍👩‍👧‍👦", "e\u0301", "你好，世界！", "<|endoftext|>", "don't", "12345678", "🫐🫐🫐", "\u0000"),
);
const anyLine = fc
  .array(anyWord, { minLength: 1, maxLength: 40 })
  .map((words) => words.join(" ").replaceAll(/\s+/g, " ").trim())
  .filter((line) => line !== "");

test("a cut text has exactly as many tokens as asked for, and whole characters", () => {
  fc.assert(
    fc.property(anyLine, fc.nat(), (line, at) => {
      const limit = 1 + (at % Math.max(1, count(line) - 1));
      fc.pre(count(line) > limit);
      const cut = cutToTokens(line, limit);
      expect(count(cut)).toBe(limit);
      expect(cut.isWellFormed()).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

test("an emoji that does not fit is left out, not torn", () => {
  const text = "Fruit: 🫐🫐🫐";
  for (let limit = 1; limit < count(text); limit++) {
    const cut = cutToTokens(text, limit);
    expect(cut).not.toContain("\ufffd");
    expect(count(cut)).toBe(limit);
  }
});

test("a plain text is cut where its tokens end", () => {
  expect(cutToTokens("plain words after it", 2)).toBe("plain words");
});
