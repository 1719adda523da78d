import { describe, expect, it } from "vitest";
import { findSharedStart, leaveOutStart } from "./shared-start.ts";

const told = "Answer with a number only. ";

describe("what texts begin with alike", () => {
  it.each<[string, string[], string]>([
    ["an instruction", [`${told}2 + 2`, `${told}3 + 9`], told],
    ["a word that is not whole", [`${told}Which city?`, `${told}Whose town?`], told],
    [
      "line ends",
      ["Sort the ticket below.\n\nMy bill", "Sort the ticket below.\n\nNo way in"],
      "Sort the ticket below.\n\n",
    ],
    ["one that is all there is", [told, `${told}2 + 2`], told],
    ["lines without a question", [`${told}2 + 2`, "", `${told}3 + 9`], told],
    ["too few characters", ["What is red?", "What is blue?"], ""],
    ["one that differs", [`${told}2 + 2`, `${told}3 + 9`, "Hello"], ""],
    ["the same in all", [`${told}2 + 2`, `${told}2 + 2`], ""],
    ["one alone", [told], ""],
    ["none", [], ""],
  ])("%s", (_name, texts, start) => {
    expect(findSharedStart(texts)).toBe(start);
  });

  it.each<[string, string, string]>([
    [`${told}2 + 2`, told, "…2 + 2"],
    ["Hello", told, "Hello"],
    [told, told, told],
    ["Hello", "", "Hello"],
  ])("%j without %j is %j", (text, start, left) => {
    expect(leaveOutStart(text, start)).toBe(left);
  });
});
