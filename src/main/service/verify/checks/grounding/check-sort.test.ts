import { describe, expect, test } from "vitest";
import { checkSort } from "./check-sort.ts";
import { findWrongBy } from "./test-find-wrong.ts";

const lake =
  "Lake Orrin lies in Velmark, north of the town of Tarn. It covers 14 square kilometres and is 60 metres deep. A dam was built there in 1931. Its water is brown and full of eels. The Orrin Rowers train there in three boats.";

describe("what is asked for has to be of the sort asked for", () => {
  test.each([
    ["How deep is Lake Orrin?", "Lake Orrin covers 14 square kilometres.", "a length"],
    ["How many boats do the Orrin Rowers have?", "The Orrin Rowers train on Lake Orrin.", "a number"],
    ["What percent of the water is brown?", "The water is full of eels.", "a number"],
    ["When was the dam built?", "The dam was built for the rowers and their three boats.", "a time"],
    ["In what year was the dam built?", "The dam is full of brown water.", "a year"],
    ["Which country does Lake Orrin lie in?", "Lake Orrin is full of eels.", "a name"],
    ["In which country is the lake?", "brown water", "a name"],
  ])("%s %s", (question, response, sort) => {
    const reason = `The question asks for ${sort}, and this gives none.`;
    expect(findWrongBy(checkSort, lake, question, response)).toEqual([[reason], [reason]]);
  });

  test.each([
    ["How deep is Lake Orrin?", "60 metres"],
    ["How deep is Lake Orrin?", "It is sixty metres deep."],
    ["How deep is Lake Orrin?", "It goes down to 60."],
    ["How many boats do the Orrin Rowers have?", "three"],
    ["How many boats do the Orrin Rowers have?", "They row in a trio of boats."],
    ["How many rowers are there?", "The rowers are Ann Lund, Bo Prow and Cy Hale."],
    ["How long did it take to build the dam?", "a year"],
    ["How often do they train?", "whenever the water is calm"],
    ["When was the dam built?", "in the thirties, after the flood"],
    ["When was the dam built?", "nineteen thirty-one"],
    ["When do they train?", "on Sundays"],
    ["In what year was the dam built?", "It dates from 1931."],
    ["Which country does Lake Orrin lie in?", "velmark"],
    ["Which country does Lake Orrin lie in?", "The text doesn't say."],
    ["Which team trains on Lake Orrin?", "The team of the town does."],
    ["What is the colour of the lake?", "brown"],
  ])("%s %s", (question, response) => {
    expect(findWrongBy(checkSort, lake, question, response)).toEqual([[], []]);
  });
});
