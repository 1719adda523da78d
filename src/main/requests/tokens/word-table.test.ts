import { expect, test } from "vitest";
import { createWordTable } from "./word-table.ts";

function toUnits(text: string): Uint16Array {
  return Uint16Array.from(text, (_, at) => text.charCodeAt(at));
}

test("a word is found where it stands in any text", () => {
  const table = createWordTable();
  table.add(toUnits(" tokens"), 7, 1);
  expect(table.find(toUnits("count tokens of"), 5, 12, 7)).toBe(1);
  expect(table.find(toUnits("count tokens of"), 0, 5, 7)).toBeNull();
});

test("words with the same hash are kept apart", () => {
  const table = createWordTable();
  const words = Array.from({ length: 8 }, (_, at) => `word${at}`);
  for (const [at, word] of words.entries()) table.add(toUnits(word), 42, at + 1);
  expect(words.map((word) => table.find(toUnits(word), 0, word.length, 42))).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test("words that crowd one place are not all kept, and none is mistaken for another", () => {
  const table = createWordTable();
  const words = Array.from({ length: 20 }, (_, at) => `word${at}`);
  for (const [at, word] of words.entries()) table.add(toUnits(word), 42, at + 1);
  for (const [at, word] of words.entries())
    expect([at + 1, null]).toContain(table.find(toUnits(word), 0, word.length, 42));
});

test("a full table starts over", () => {
  const table = createWordTable();
  for (let at = 0; at < 40_000; at++) table.add(toUnits(`word${at}`), at, 3);
  expect(table.find(toUnits("word39999"), 0, 9, 39_999)).toBe(3);
  expect(table.find(toUnits("word0"), 0, 5, 0)).toBeNull();
});
