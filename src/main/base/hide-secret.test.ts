import { expect, test } from "vitest";
import { hideSecret } from "./hide-secret.ts";

test.each([
  ["a key of 8 characters or more, wherever it stands", "sk-01234", "sk-01234 is xsk-01234y", "[key] is x[key]y"],
  ["after Bearer", "l-1", "authorization: Bearer l-1 refused", "authorization: Bearer [key] refused"],
  [
    "after the word key",
    "EMPTY",
    "Incorrect API key provided: EMPTY. The answer is EMPTY.",
    "Incorrect API key provided: [key]. The answer is EMPTY.",
  ],
  ["in quotes", "ollama", "Invalid API key 'ollama' for ollama", "Invalid API key '[key]' for ollama"],
  ["in a member of JSON", "l-1", '{"api_key":"l-1","id":"l-1"}', '{"api_key":"[key]","id":"l-1"}'],
  ["in a header", "EMPTY", "X-API-Key: EMPTY", "X-API-Key: [key]"],
  [
    "as a parameter of an address",
    "l-1",
    "http://a/l-1?token=l-1&key=l-1#l-1",
    "http://a/l-1?token=[key]&key=[key]#l-1",
  ],
  ["no part of a word", "l-1", "key l-12, Bearer l-1-2", "key l-12, Bearer l-1-2"],
  ["no word elsewhere", "ollama", "ollama has no model ollama/x", "ollama has no model ollama/x"],
  ["with characters of patterns", "$&.(", "key: $&.(", "key: [key]"],
])("hides %s", (_, secret, text, expected) => {
  expect(hideSecret(text, secret)).toBe(expected);
});

test("hides nothing where there is no key", () => {
  expect([hideSecret("key: ", ""), hideSecret("Bearer x", null)]).toEqual(["key: ", "Bearer x"]);
});
