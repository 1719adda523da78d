import { expect, test } from "vitest";
import { shortModelName, splitName } from "./cut-name.ts";

test.each([
  ["qwen3-235b-a22b-thinking-2507", ["qwen3-235b-a22b", "-thinking-2507"]],
  ["reviews, A", null],
  ["مراجعات العملاء في الربع الثالث", null],
  // A family of 11 characters is one letter.
  ["Customer tickets 👨‍👩‍👧‍👦 of 2026, v2", ["Customer tickets 👨‍👩‍👧‍👦 ", "of 2026, v2"]],
])("a name that is too long is cut in its middle: %s", (name, parts) => {
  expect(splitName(name)).toEqual(parts);
});

test.each([
  ["meta-llama/Llama-3.3-70B-Instruct-Turbo", "Llama-3.3-70B-Instruct-Turbo"],
  ["accounts/fireworks/models/qwen3", "qwen3"],
  ["gpt-5.2-mini", "gpt-5.2-mini"],
  ["odd/", "odd/"],
])("a model is shown without its vendor: %s", (model, short) => {
  expect(shortModelName(model)).toBe(short);
});
