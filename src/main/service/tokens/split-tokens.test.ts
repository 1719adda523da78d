import fc from "fast-check";
import { expect, test } from "vitest";
import { countTokens, splitTokens } from "./index.ts";

test("plain text is split where its tokens are", () => {
  const tokens = splitTokens("Taking this as the task, I would begin.");
  expect(tokens).toEqual(["Taking", " this", " as", " the", " task", ",", " I", " would", " begin", "."]);
  expect(tokens).toHaveLength(countTokens("Taking this as the task, I would begin."));
});

test("a character of several tokens stays whole", () => {
  expect(splitTokens("🫐 👩‍👩‍👧")).toEqual(expect.arrayContaining(["🫐"]));
  for (const token of splitTokens("🫐🫐 你好 𓀀𓀁 👩‍👩‍👧‍👦")) expect(token.isWellFormed()).toBe(true);
});

test("any text is its tokens joined", () => {
  const anyText = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 300 }),
    fc.string({ unit: "binary", maxLength: 300 }),
    fc.lorem({ mode: "sentences", maxCount: 30 }),
    fc.constantFrom("\ufeffx", "\ud800", "<|endoftext|>", "字".repeat(3_000), "x".repeat(2_500)),
  );
  fc.assert(
    fc.property(anyText, (text) => {
      expect(splitTokens(text).join("")).toBe(text);
    }),
  );
});
