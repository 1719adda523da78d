import { expect, test } from "vitest";
import { readInput } from "../../read-input.ts";
import { findSource } from "./find-source.ts";

const passage = "The Halden Orchestra was founded in 1921 by Ida Moe. It moved to Bergen in 1948.";

function split(prompt: string) {
  const reading = readInput({ prompt, response: "Bergen", document: null });
  const source = findSource(reading);
  const textOf = (indexes: readonly number[] = []) =>
    indexes.map((at) => prompt.slice(reading.prompt.sentences[at]?.start, reading.prompt.sentences[at]?.end)).join(" ");
  return source && { passage: textOf(source.passage), question: textOf(source.question) };
}

test.each([
  ["after the passage", `${passage}\n\nWhere did it move in 1948?`, "Where did it move in 1948?"],
  ["before the passage", `Where did it move in 1948?\n\n${passage}`, "Where did it move in 1948?"],
  ["right behind the passage", `${passage}Where did it move in 1948?`, "Where did it move in 1948?"],
  ["without its mark", `${passage} The orchestra moved to what city`, "The orchestra moved to what city"],
  [
    "with a full stop",
    `${passage}\nWho founded the Halden Orchestra in 1921.`,
    "Who founded the Halden Orchestra in 1921.",
  ],
  ["first and with a full stop", `Which city did it move to.\n${passage}`, "Which city did it move to."],
])("a question is found %s", (_, prompt, question) => {
  expect(split(prompt)).toEqual({ passage, question });
});

test("a text that asks nothing is no passage to be held to, also when it begins with when", () => {
  expect(split(passage)).toBeNull();
  expect(split(`When the hall burnt down, they moved to Oslo for good. ${passage}`)).toBeNull();
});
