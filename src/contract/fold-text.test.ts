import { expect, test } from "vitest";
import { findFolded, foldText } from "./fold-text.ts";

test.each([
  ["Café", "Cafe\u0301"],
  ["TIẾNG", "tie\u0302\u0301ng"],
  ["tiếng", "tiê\u0301ng"],
  ["한국", "한국".normalize("NFD")],
  ["ÅNGSTRÖM", "a\u030angstro\u0308m"],
  ["ΟΔΟΣ ΟΔΟΣΑ", "οδος οδοσα"],
])("%s and the same in other characters are one text", (one, other) => {
  expect(foldText(one)).toBe(foldText(other));
});

test.each([
  ["İstanbul, a hit", "HIT", ["hit"]],
  ["İİİ hit İ hit", "hit", ["hit", "hit"]],
  ["cafe\u0301 and CAFÉ", "café", ["cafe\u0301", "CAFÉ"]],
  ["cafe\u0301", "cafe", []],
  ["한국어".normalize("NFD"), "국", ["국".normalize("NFD")]],
  ["😀 smile 😀", "smile", ["smile"]],
  ["aaaa", "aa", ["aa", "aa"]],
  ["ΟΔΟΣ, οδος", "ΟΔΟΣ", ["ΟΔΟΣ", "οδος"]],
  ["any", "", []],
])("in %j the words %j are found where they are", (text, find, expected) => {
  expect(findFolded(text, find).map(({ from, to }) => text.slice(from, to))).toEqual(expected);
});
