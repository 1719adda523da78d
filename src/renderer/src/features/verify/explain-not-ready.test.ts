import { expect, test } from "vitest";
import { longestVerifyText } from "#contract";
import { explainNotReady } from "./explain-not-ready.ts";
import { noTexts } from "./texts.ts";

const byRules = { judge: "rules", model: null } as const;
const ready = { ...noTexts, response: "Four." };

test("a response is enough", () => {
  expect(explainNotReady(ready, byRules, true)).toBeNull();
});

test("each thing that is missing is named with its next step", () => {
  expect(explainNotReady(noTexts, byRules, true)).toBe("Write or paste a response first.");
  expect(explainNotReady(ready, { judge: "both", model: null }, true)).toBe("Choose the model that judges.");
  expect(explainNotReady(ready, byRules, false)).toBe("Waiting for the connection.");
  const document = "x".repeat(longestVerifyText + 1);
  expect(explainNotReady({ ...ready, document }, byRules, true)).toBe(
    "The document is too long. Shorten it to 4,000,000 characters.",
  );
});
