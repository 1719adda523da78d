import { expect, it } from "vitest";
import { readAnswer } from "./read-answer.ts";

it("reads text in parts, and counts that are text", () => {
  const content = [
    { type: "thinking", thinking: [{ type: "text", text: "hm" }] },
    { type: "text", text: "Four." },
  ];
  const usage = { prompt_tokens: "1000", completion_tokens: "-5", total_tokens: "995" };
  expect(readAnswer({ choices: [{ message: { content }, finish_reason: "stop" }], usage })).toMatchObject({
    answer: "Four.",
    promptTokens: 1_000,
    completionTokens: null,
  });
  expect(readAnswer({ choices: [{ message: { content: null }, finish_reason: "length" }] }).answer).toBe("");
});
