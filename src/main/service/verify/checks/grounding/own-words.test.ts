import { describe, expect, test } from "vitest";
import { findWrong } from "./test-find-wrong.ts";

const bridge =
  "The Aldern Bridge crosses the Aldern River between Norwick and Pell. It was opened in 1937 by the mayor, Ann Lee, and designed by Joseph Marsh. The bridge was painted orange. Its sister, the Pell Viaduct, was finished in 1951 by Otto Brand.";

describe("wrong answers of the passage's own names are found", () => {
  test.each([
    ["the question's own name again", "Who designed the Aldern Bridge?", "The Aldern Bridge", bridge],
    ["the question's own name again", "What is the sister of the Aldern Bridge called?", "The Aldern Bridge.", bridge],
  ])("%s: %s %s", (_, question, response, passage) => {
    for (const reasons of findWrong(passage, question, response)) expect(reasons).not.toEqual([]);
  });
});

describe("right answers beside them are not called wrong", () => {
  test.each([
    ["Who designed the Aldern Bridge?", "Joseph Marsh", bridge],
    ["What is the sister of the Aldern Bridge called?", "The Pell Viaduct", bridge],
    ["Which river does the Aldern Bridge cross?", "The Aldern River", bridge],
    ["Who finished the Pell Viaduct?", "It was Otto Brand.", bridge],
  ])("%s %s", (question, response, passage) => {
    expect(findWrong(passage, question, response)).toEqual([[], []]);
  });
});
