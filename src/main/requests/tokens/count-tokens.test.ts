import fc from "fast-check";
import { countTokens as countWithLibrary } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import { countPromptTokens, countTokens, countTokensUpTo, splitTokens } from "./count-tokens.ts";

test("text has the tokens of the o200k vocabulary", () => {
  expect(countTokens("")).toBe(0);
  expect(countTokens("Hello, world!")).toBe(4);
});

test("what merely looks like a control token is text", () => {
  expect(countTokens("<|endoftext|>")).toBeGreaterThan(1);
});

test("the counts of words add up to what the tokenizer counts for the whole text", () => {
  const parts = fc.constantFrom(
    " ",
    "  ",
    "\n",
    " \n",
    "\u00a0",
    "\t",
    "a",
    "Zürich",
    "don't",
    "12345",
    "?!",
    "/",
    "🙂",
    "漢字",
    "—",
  );
  const texts = fc.oneof(
    fc.array(parts, { maxLength: 60 }).map((all) => all.join("")),
    fc.string({ maxLength: 300 }),
  );
  fc.assert(
    fc.property(texts, (text) => {
      expect(countTokens(text)).toBe(countWithLibrary(text, { disallowedSpecial: new Set() }));
    }),
    { numRuns: 2_000 },
  );
});

test("numbers have the tokens that the tokenizer counts, whatever stands around them", () => {
  const around = fc.constantFrom("", " ", "  ", ",", ".", "?", ".,", "$", "%", "\n", "a", "é", "-", "(", ")");
  const numbers = fc.bigInt({ min: 0n, max: 10n ** 12n }).map(String);
  fc.assert(
    fc.property(fc.array(fc.tuple(around, numbers, around), { maxLength: 12 }), (parts) => {
      const text = parts.flat().join("");
      expect(countTokens(text)).toBe(countWithLibrary(text, { disallowedSpecial: new Set() }));
    }),
    { numRuns: 3_000 },
  );
  for (let number = 0; number < 1_000; number++) {
    for (const text of [String(number), String(number).padStart(3, "0"), ` ${number}.`]) {
      expect(countTokens(text)).toBe(countWithLibrary(text));
    }
  }
});

test("long text is counted in pieces that are cut between words", () => {
  const words = "The quick brown fox jumps over the lazy dog. ";
  const once = countTokens(words);
  expect(Math.abs(countTokens(words.repeat(1_000)) - once * 1_000)).toBeLessThanOrEqual(1_000);
});

describe("a long run without spaces takes no more time than other text", () => {
  test.each([
    ["one letter", "a".repeat(200_000)],
    ["spaces", " ".repeat(200_000)],
    ["Chinese", "漢字".repeat(50_000)],
    ["emoji", "🙂".repeat(50_000)],
  ])("%s", (_, text) => {
    // In one piece it would take minutes: the encoder's time grows with the square of a run without spaces.
    expect(countTokens(text)).toBeGreaterThan(1_000);
  });
});

test("counting up to a limit stops soon after it", () => {
  const text = "7 ".repeat(1_000_000);
  const counted = countTokensUpTo(text, 1_000);
  expect(counted).toBeGreaterThan(1_000);
  expect(counted).toBeLessThan(3_000);
  expect(countTokensUpTo("Hello, world!", 1_000)).toBe(4);
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
