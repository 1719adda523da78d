import { expect, test } from "vitest";
import { longestVerifyText } from "#contract";
import { areBlank, areSame, explainNotReady, noTexts, toInput, withPlainBreaks } from "./texts.ts";

test("a blank document counts as none", () => {
  expect(toInput({ prompt: "a", document: " \n", response: "b" })).toEqual({
    prompt: "a",
    response: "b",
    document: null,
    strict: false,
  });
  expect(areSame({ ...noTexts, document: " " }, noTexts)).toBe(true);
  expect(areSame({ ...noTexts, document: "x" }, noTexts)).toBe(false);
});

test("texts of nothing but spaces are blank", () => {
  expect(areBlank({ prompt: " ", document: "\n", response: "" })).toBe(true);
  expect(areBlank({ ...noTexts, response: "x" })).toBe(false);
});

test("every kind of line break becomes the editor's", () => {
  expect(withPlainBreaks("a\r\nb\rc\nd")).toBe("a\nb\nc\nd");
});

const byRules = { judge: "rules", model: null, preset: "general" } as const;
const ready = { ...noTexts, response: "Four." };

test("a response is enough", () => {
  expect(explainNotReady(ready, byRules, true)).toBeNull();
});

test("each thing that is missing is named with its next step", () => {
  expect(explainNotReady(noTexts, byRules, true)).toBe("Write or paste a response first.");
  expect(explainNotReady(ready, { judge: "both", model: null, preset: "general" }, true)).toBe(
    "Choose the model that judges.",
  );
  expect(explainNotReady(ready, byRules, false)).toBe("Waiting for the connection.");
  const document = "x".repeat(longestVerifyText + 1);
  expect(explainNotReady({ ...ready, document }, byRules, true)).toBe(
    "The document is too long. Shorten it to 4,000,000 characters.",
  );
});
