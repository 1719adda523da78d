import { expect, test } from "vitest";
import { countTokens } from "../tokens/index.ts";
import { countPromptTokens } from "./prompt.ts";

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
