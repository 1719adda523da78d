import fc from "fast-check";
import { countTokens as countByPackage } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import { countPromptTokens, countTokens, cutToTokens } from "./tokens.ts";

const anyText = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 300 }),
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.lorem({ mode: "sentences", maxCount: 8 }),
  fc.constantFrom(
    "👩‍👩‍👧‍👦 e\u0301 你好，世界！",
    "<|endoftext|> <|im_start|>",
    "\ud83d half",
    "a\u0000b",
    " \n\n  \t x",
  ),
);

describe("counting", () => {
  test("agrees with the package, text that looks like a special token included", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(countTokens(text)).toBe(countByPackage(text, { disallowedSpecial: new Set() }));
      }),
    );
  });

  test("a megabyte without a space takes less than two seconds", () => {
    const letters = Array.from({ length: 1_000_000 }, (_, index) => "abcdefghij"[(index * index) % 10]).join("");
    const start = performance.now();
    expect(countTokens(letters)).toBeGreaterThan(100_000);
    expect(performance.now() - start).toBeLessThan(2_000);
  });

  test("a prompt costs three tokens and a role for every message, and three for the start of the answer", () => {
    expect(countPromptTokens([{ role: "user", content: "Hello" }])).toBe(3 + 3 + 1 + 1);
    expect(
      countPromptTokens([
        { role: "system", content: "Hello" },
        {
          role: "user",
          content: [
            { type: "text", text: "Hel" },
            { type: "text", text: "lo" },
          ],
          name: "Ada",
        },
        { role: "assistant", content: null },
      ]),
    ).toBe(3 + 5 + 5 + 2 + 4);
  });

  test("every role's name is one token", () => {
    for (const role of ["system", "user", "assistant", "developer", "tool"]) expect(countTokens(role)).toBe(1);
  });
});

describe("cutting", () => {
  test("gives exactly as many tokens as asked for, and whole characters", () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 60 }), (text, limit) => {
        const total = countTokens(text);
        const result = cutToTokens(text, limit);
        expect(result.tokens).toBe(Math.min(total, limit));
        expect(result.cut).toBe(total > limit);
        expect(countTokens(result.text)).toBe(result.tokens);
        if (result.cut) expect(result.text.isWellFormed()).toBe(true);
        else expect(result.text).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  test("an emoji that does not fit is left out, not torn", () => {
    const text = "Fruit: 🫐🫐🫐";
    for (let limit = 1; limit < countTokens(text); limit++) {
      const { text: cut, tokens } = cutToTokens(text, limit);
      expect(cut).not.toContain("\ufffd");
      expect(tokens).toBe(limit);
      expect(countTokens(cut)).toBe(limit);
    }
    expect(cutToTokens("plain words after it", 2).text).toBe("plain words");
  });
});
