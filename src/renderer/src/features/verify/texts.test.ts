import { expect, test } from "vitest";
import { areBlank, areSame, noTexts, toInput, withPlainBreaks } from "./texts.ts";

test("a blank document counts as none", () => {
  expect(toInput({ prompt: "a", document: " \n", response: "b" })).toEqual({
    prompt: "a",
    response: "b",
    document: null,
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
