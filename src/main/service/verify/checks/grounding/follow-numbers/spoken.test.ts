import { describe, expect, test } from "vitest";
import { findWrong } from "../test-find-wrong.ts";

const mill =
  "Harwick Mill has 1,250 looms, a staff of 308, and 17.5 acres of ground. It opened in 1984 and was rebuilt in 2006. About 45% of its cloth is wool; a ticket costs $3.50. The population of Velm is 1,204,500. The mill is open from 9:30 to 17:00 and led the ranking of 1893. Its songs are by Ann Lund, Bo Prow and Cy Hale.";

describe("a number as it is spoken is one of the text", () => {
  test.each([
    ["How many looms does Harwick Mill have?", "one thousand, two hundred and fifty looms"],
    ["How many looms does Harwick Mill have?", "twelve hundred and fifty"],
    ["How many people are on the staff of Harwick Mill?", "about 310"],
    ["How much ground does Harwick Mill have?", "seventeen point five acres"],
    ["When did Harwick Mill open?", "The answer is Nineteen eighty-four."],
    ["When did Harwick Mill open?", "in the mid-eighties"],
    ["When did Harwick Mill open?", "in the 1980s"],
    ["When was Harwick Mill rebuilt?", "twenty oh six"],
    ["When was Harwick Mill rebuilt?", "In 2006 AD"],
    ["When did Harwick Mill lead the ranking?", "in the eighteen-nineties"],
    ["What percentage of the cloth is wool?", "0.45"],
    ["How much does a ticket cost?", "three dollars fifty"],
    ["What is the population of Velm?", "1.2 million"],
    ["When does the mill open in the morning?", "nine-thirty"],
    ["When does the mill open in the morning?", "half past nine"],
    ["When does the mill close?", "at five"],
    ["When does the mill close?", "five o'clock"],
    ["When does the mill close?", "17h"],
    ["How many people wrote its songs?", "It was a trio."],
    ["How many people wrote its songs?", "three"],
  ])("%s %s", (question, response) => {
    expect(findWrong(mill, question, response)).toEqual([[], []]);
  });

  test.each([
    ["How many looms does Harwick Mill have?", "one thousand, three hundred and fifty looms"],
    ["How many people are on the staff of Harwick Mill?", "about 350"],
    ["How much ground does Harwick Mill have?", "seventeen point four acres"],
    ["When did Harwick Mill open?", "in the mid-seventies"],
    ["When was Harwick Mill rebuilt?", "twenty oh eight"],
    ["What percentage of the cloth is wool?", "0.54"],
    ["What is the population of Velm?", "1.4 million"],
    ["When does the mill open in the morning?", "eight-thirty"],
    ["When does the mill close?", "18h"],
    ["How many people wrote its songs?", "It was a quintet."],
  ])("unless the text has another: %s %s", (question, response) => {
    for (const reasons of findWrong(mill, question, response)) expect(reasons).not.toEqual([]);
  });
});
