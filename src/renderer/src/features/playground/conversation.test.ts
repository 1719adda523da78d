import { expect, test } from "vitest";
import { conversationSchema, createTurn, readParameter, toRequest, toTemplate } from "./conversation.ts";

const { settings } = conversationSchema.parse({});
const chosen = { ...settings, model: "m", system: "Be brief.", temperature: "0,7", topP: "0.5" };
const turns = [
  createTurn("user", "Why {{ so }}?"),
  { ...createTurn("assistant", ""), failure: { message: "Down.", details: "" } },
  createTurn("user", "And why?"),
  createTurn("assistant", "Because."),
];

test("numbers are taken as people type them, and explained where they don’t fit", () => {
  expect(readParameter("temperature", "0,7")).toEqual({ value: 0.7 });
  expect(readParameter("temperature", " ")).toEqual({});
  expect(readParameter("temperature", "-1").problem).toBe("A number from 0 to 2");
  expect(readParameter("maxTokens", "2.5").problem).toMatch(/^A whole number/);
});

test("a request has the system prompt and what was said, without answers that failed", () => {
  expect(toRequest(turns, chosen)).toEqual({
    connectionId: null,
    model: "m",
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Why {{ so }}?" },
      { role: "user", content: "And why?" },
      { role: "assistant", content: "Because." },
    ],
    temperature: 0.7,
    topP: 0.5,
  });
  expect(toRequest(turns, settings)).toBeNull();
  expect(toRequest(turns, { ...chosen, maxTokens: "many" })).toBeNull();
});

test("a batch asks what the conversation asked last, and braces stay text", () => {
  expect(toTemplate(turns, chosen)).toMatchObject({
    model: "m",
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "{% raw %}Why {{ so }}?{% endraw %}" },
      { role: "user", content: "And why?" },
    ],
    temperature: 0.7,
    maxCompletionTokens: null,
    further: '{\n  "top_p": 0.5\n}',
  });
  expect(toTemplate([], chosen)).toBeNull();
});
