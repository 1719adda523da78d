import { describe, expect, test } from "vitest";
import { findWrong } from "./test-find-wrong.ts";

const passage =
  "Bo Krall (4 October 1895 – 1 February 1966) was a Danish actor and director. The Salt Road is a 1924 film by Bo Krall and Mara Quist. Mara Quist (2 March 1900 – 5 May 1980) was a Danish writer.";

describe("how old somebody became goes by the days of birth and death", () => {
  test.each([
    ["How old was Bo Krall when he died?", "70", "71"],
    ["How old was Krall when he died?", "He was seventy years old.", "Krall was 71 years old when he died."],
    ["At what age did Mara Quist die?", "She died at 80.", "at the age of 79"],
    ["how old was Mara Quist at the time of her death", "80 years", "84 years"],
  ])("%s %s", (question, right, wrong) => {
    expect(findWrong(passage, question, right)).toEqual([[], []]);
    for (const reasons of findWrong(passage, question, wrong)) expect(reasons).not.toEqual([]);
  });

  test.each([
    ["a text that gives an age itself", `${passage} She died aged 79.`, "At what age did Mara Quist die?", "79"],
    ["about how old", passage, "How old was Bo Krall when he died?", "about 71"],
    ["years alone", "Bo Krall (1895 – 1966) was a Danish actor.", "How old was Bo Krall when he died?", "71"],
  ])("silent on %s", (_, text, question, response) => {
    expect(findWrong(text, question, response)).toEqual([[], []]);
  });
});
