import { expect, test } from "vitest";
import { longestVerifyText } from "#contract";
import { areBlank, areSame, explainNotReady, noTexts, type Readiness, toInput } from "./texts.ts";

test("a blank document counts as none", () => {
  expect(toInput({ prompt: "a", document: " \n", response: "b" }, true)).toEqual({
    prompt: "a",
    response: "b",
    document: null,
    strict: true,
  });
  expect(areSame({ ...noTexts, document: " " }, noTexts)).toBe(true);
  expect(areSame({ ...noTexts, document: "x" }, noTexts)).toBe(false);
});

test("texts of nothing but spaces are blank", () => {
  expect(areBlank({ prompt: " ", document: "\n", response: "" })).toBe(true);
  expect(areBlank({ ...noTexts, response: "x" })).toBe(false);
});

const byRules: Readiness = {
  choice: { judge: "rules", model: null, preset: "general" },
  isConnected: true,
  isMock: false,
};
const byModel: Readiness = { ...byRules, choice: { judge: "both", model: null, preset: "general" } };
const ready = { ...noTexts, response: "Four." };

test("a response is enough", () => {
  expect(explainNotReady(ready, byRules)).toBeNull();
  expect(explainNotReady(ready, { ...byRules, isMock: true })).toBeNull();
});

test("each thing that is missing is named with its next step", () => {
  expect(explainNotReady(noTexts, byRules)).toBe("Write or paste a response first.");
  expect(explainNotReady(ready, byModel)).toBe("Choose the model that judges.");
  expect(explainNotReady(ready, { ...byModel, isMock: true })).toBe("No model can judge here. Choose the rules.");
  expect(explainNotReady(ready, { ...byRules, isConnected: false })).toBe("Waiting for the connection.");
  const document = "x".repeat(longestVerifyText + 1);
  expect(explainNotReady({ ...ready, document }, byRules)).toBe(
    "The document is too long. Shorten it to 4,000,000 characters.",
  );
});
