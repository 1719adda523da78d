import fc from "fast-check";
import { expect, test } from "vitest";
import { chatRequestSchema, listMisuse } from "#contract";
import { isPlainRequest } from "./check-body.ts";

const message = { role: "user", content: "What is 2 + 2?" };
const plain = { model: "m", messages: [message] };

/** Values that parameters may have, and some that they may not. */
const anyValue = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, true, false, "", "text", 0, 1, -1, 0.5, 2, 2.1, 20, 129, 1e300, [], {}),
  fc.jsonValue(),
);
const anyMessage = fc.oneof(
  fc.constant<unknown>(message),
  fc.record({
    role: fc.constantFrom<unknown>("system", "user", "assistant", "tool", "developer", "owner", undefined, 1),
    content: fc.constantFrom<unknown>("text", "", null, undefined, 5, [], [{ type: "text", text: "a" }]),
    name: anyValue,
    tool_calls: fc.constantFrom<unknown>(undefined, [], [{ id: "a", type: "function" }]),
  }),
  anyValue,
);
const anyBody = fc
  .tuple(
    fc.dictionary(
      fc.constantFrom(...Object.keys(chatRequestSchema.shape), "reasoning_effort", "logit_bias", "metadata", "extra"),
      anyValue,
      { maxKeys: 3 },
    ),
    fc.oneof({ weight: 3, arbitrary: fc.array(anyMessage, { maxLength: 3 }) }, { weight: 1, arbitrary: anyValue }),
  )
  .map(([parameters, messages]) => ({ model: "m", ...parameters, messages }));

test("nothing is plain that the schema would not take, or the API", () => {
  fc.assert(
    fc.property(anyBody, (body) => {
      if (isPlainRequest(body)) expect(listMisuse(chatRequestSchema.parse(body))).toEqual([]);
    }),
    { numRuns: 2_000 },
  );
});

test("what most requests look like is plain", () => {
  const system = { role: "system", content: "Answer briefly.", name: "ops" };
  expect(isPlainRequest(plain)).toBe(true);
  expect(isPlainRequest({ ...plain, messages: [system, message], temperature: 0.2, max_tokens: 50 })).toBe(true);
  expect(isPlainRequest({ ...plain, stream: true, seed: 7, stop: "\n", user: "u", x_unknown: { a: 1 } })).toBe(true);
});

test.each([
  ["no model", { messages: [message] }],
  ["no messages", { ...plain, messages: [] }],
  ["an unknown role", { ...plain, messages: [{ ...message, role: "owner" }] }],
  ["a parameter out of its range", { ...plain, temperature: 3 }],
  ["a parameter that depends on another", { ...plain, top_logprobs: 3 }],
])("a body with %s is left to the schema", (_what, body) => {
  expect(isPlainRequest(body)).toBe(false);
});
