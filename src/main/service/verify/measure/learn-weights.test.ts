import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { readItems, readQuestions, splitItems } from "./items.ts";
import { crossValidate, findMargin, learnWeights, readExamples } from "./learn-weights.ts";
import { rate } from "./score.ts";

const read = (path: string): string => fileURLToPath(new URL(`../../../../../${path}`, import.meta.url));
const examples = readExamples(readQuestions(read("bench/questions/learning.jsonl")).slice(0, 150));

describe("what was asked for is learned from questions", () => {
  test("the same questions always give the same weights", () => {
    const few = examples.slice(0, 60);
    expect(learnWeights(few)).toEqual(learnWeights(few));
  });

  test("what is learned holds for questions that it was not learned from", () => {
    const margins = crossValidate(examples);
    // Guessing among a dozen would come to one in twelve.
    expect(rate(margins.first)).toBeGreaterThan(0.5);
    const strict = findMargin(margins, 0.01);
    const loose = findMargin(margins, 0.05);
    expect(strict.margin).toBeGreaterThan(loose.margin);
    expect(loose.found).toBeGreaterThan(0.5);
  });

  test("no held-out item is among what was learned", () => {
    const learned = new Set([
      ...readQuestions(read("bench/questions/learning.jsonl")).map(({ knowledge }) => knowledge),
      ...splitItems(readItems(read("examples/halueval-qa-200.jsonl"))).seen.map(({ knowledge }) => knowledge),
    ]);
    const held = [
      ...readItems(read("bench/questions/reviewed.jsonl")),
      ...readItems(read("bench/questions/held-out.jsonl")),
      ...splitItems(readItems(read("examples/halueval-qa-200.jsonl"))).held,
    ];
    expect(held.filter(({ knowledge }) => learned.has(knowledge))).toEqual([]);
  });
});
