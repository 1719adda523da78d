import { expect, test } from "vitest";
import { identifyRequests } from "./request-key.ts";

const endpoint = "/v1/chat/completions";
const at = (url: string, models: Record<string, string> = {}) => identifyRequests({ url, models }, endpoint);
const body = { model: "small", temperature: 0, messages: [{ role: "user", content: "Why?" }] };

test("a request is the same in whatever order it was written, and under whatever name its model has", () => {
  const { keyOf } = at("https://one.test/v1");
  const { messages, temperature, model } = body;
  const written = { messages: messages.map(({ role, content }) => ({ content, role })), temperature, model };
  expect(keyOf(written)).toBe(keyOf(body));
  const { keyOf: keyOfMapped } = at("https://one.test/v1", { mine: "small" });
  expect(keyOfMapped({ ...body, model: "mine" })).toBe(keyOf(body));
});

test("any other parameter, message order, or address makes it another", () => {
  const { keyOf, answeredAs } = at("https://one.test/v1");
  const others = [
    { ...body, temperature: 1 },
    { ...body, seed: 1 },
    { ...body, model: "large" },
    { ...body, messages: [...body.messages, ...body.messages] },
  ];
  const keys = [body, ...others].map(keyOf);
  expect(new Set([...keys, at("https://two.test/v1").keyOf(body)]).size).toBe(keys.length + 1);
  const identities = [
    answeredAs,
    at("https://two.test/v1").answeredAs,
    at("https://one.test/v1", { a: "b" }).answeredAs,
  ];
  expect(new Set(identities).size).toBe(3);
});
