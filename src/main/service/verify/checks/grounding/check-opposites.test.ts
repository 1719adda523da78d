import { describe, expect, test } from "vitest";
import { checkOpposites } from "./check-opposites.ts";
import { findWrongBy } from "./test-find-wrong.ts";

const inn =
  "Guests leave by boat. Bruno Falk spent his life in Lund, where he ran the Heron Inn. The inn's cellar key was missing, so the guests waited in the yard. Bruno's first novel, No Room for Owls, came out in 1971. Guests may swim in the lake. They must not feed more than two swans a day. Dogs do not need a lead.";

describe("what is right is not taken for the opposite of what the text says", () => {
  test.each([
    ["another deed is denied", "Where did Bruno Falk spend his life?", "Bruno Falk never left Lund."],
    ["a title that begins with No", "What was Bruno Falk's first novel?", "No Room for Owls"],
    ["a title that begins with No", "What was Bruno Falk's first novel?", "No Room for Owls, 1971"],
    ["a title in small letters", "What was Bruno Falk's first novel?", "no room for owls"],
    ["what is missing is not there", "Why did the guests wait?", "Because there was no cellar key for the inn."],
    ["a limit", "How many swans may one feed a day?", "Guests may feed two swans a day."],
    [
      "no, and not",
      "Do dogs need a lead?",
      "Not according to the rules of the inn: dogs go in the yard and no lead is required.",
    ],
  ])("%s: %s %s", (_, question, response) => {
    expect(findWrongBy(checkOpposites, inn, question, response)).toEqual([[], []]);
  });
});

describe("what denies the deed of the text is found", () => {
  test.each([
    ["Describe the rules of the inn.", "Guests may not swim in the lake."],
    ["Describe the rules of the inn.", "Dogs need a lead."],
    ["Where did Bruno Falk spend his life?", "Bruno Falk did not spend his life in Lund."],
  ])("%s %s", (question, response) => {
    for (const reasons of findWrongBy(checkOpposites, inn, question, response)) expect(reasons).not.toEqual([]);
  });
});
