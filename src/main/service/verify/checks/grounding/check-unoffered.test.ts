import { describe, expect, test } from "vitest";
import { checkChoice } from "./check-choice.ts";
import { findWrongBy } from "./test-find-wrong.ts";

const firms =
  "Tornell Corporation (also known as the Halmen Works) is a Swedish maker of bearings from Lunby, founded in 1871 by Karin Aske. It is listed in Halden. Brandvik Pumps, or the Velm Foundry, is a Norwegian maker of pumps. It was founded in 1889 by Nils Orre. It bought Arrel Steel in 1950.";
const clubs =
  "Hibberton Rovers play in Leth. Their ground is Easter Park. Midmar Athletic are based in Gorgan. Their ground is Tyne Park.";
const people =
  "Robert Fenn (born Robert Aske in Lunby, 1951) is a Swedish sculptor. He married Ida Moss. Hugo Marchetti (born 1938) is an Italian painter who lived in Trieste with Ada Krall.";
const presses =
  "Arrel University Press is the oldest press of the island, founded in 1534. Besk University Press, in the city of Besk, dates from 1586. Its head is Ida Moss.";
const rivers =
  "The Tarn rises in Velm. The Arrel rises in Besk and is 30 km long. The Dorn is 12 km long and ends in Halmen.";

const older = "Which is older, Tornell or Brandvik?";

function wrong(passage: string, question: string, response: string): readonly (readonly string[])[] {
  return findWrongBy(checkChoice, passage, question, response);
}

describe("a name that a choice does not offer is no answer to it", () => {
  test.each([
    [firms, older, "Arrel Steel"],
    [firms, older, "Karin Aske is older."],
    [firms, older, "The answer is **Halden**."],
    [firms, "Tornell and Brandvik: which came into being earlier?", "Nils Orre"],
    [firms, "Of Tornell and Brandvik, which was founded first?", "It was Arrel Steel."],
    [firms, "Which firm, Tornell or Brandvik, makes pumps?", "Arrel Steel (1950)"],
    [firms, "Was Tornell or Brandvik founded first?", "Nils Orre was."],
    [clubs, "Which club is based in Gorgan, Hibberton or Midmar?", "Easter Park"],
    [people, "Who is older Robert Fenn or Hugo Marchetti?", "Ida Moss"],
    [rivers, "Which river is the longest, the Tarn, the Arrel or the Dorn?", "Halmen"],
  ])("%# %s %s", (passage, question, response) => {
    for (const reasons of wrong(passage, question, response)) expect(reasons).not.toEqual([]);
  });

  test("with a reason that names what is offered", () => {
    expect(wrong(firms, older, "Karin Aske")).toEqual([
      ["The question asks for “Tornell” or “Brandvik”, not for “Karin Aske”."],
      ["The question asks for “Tornell” or “Brandvik”, not for “Karin Aske”."],
    ]);
  });
});

describe("what may be one of those offered is not called wrong", () => {
  test.each([
    ["another name in brackets", firms, older, "Halmen Works"],
    ["another name after “or”", firms, older.replace("older", "younger"), "the Velm Foundry"],
    ["a people that fits one", firms, older, "The Swedish firm"],
    ["a people alone", firms, older, "Swedish"],
    ["the former", firms, older, "The former."],
    ["a description with a name", firms, older, "The firm of Karin Aske"],
    ["the name of another with a possessive", firms, older, "Karin Aske's firm"],
    ["where it is from", firms, older, "The one from Lunby"],
    ["what is not a name", firms, older, "1871"],
    ["a place of what is said", firms, older, "The company listed in Halden"],
    ["a short form", clubs, "Which club is based in Leth, Hibberton or Midmar?", "Hibbs"],
    ["a nickname", people, "Who is younger, Robert Fenn or Hugo Marchetti?", "Bob"],
    ["a name by birth", people, "Who is younger, Robert Fenn or Hugo Marchetti?", "Robert Aske"],
    ["first letters written out", presses, "Which is older, AUP or BUP?", "Arrel University Press"],
    ["one of three", rivers, "Which river is the longest, the Tarn, the Arrel or the Dorn?", "The Arrel"],
    ["both with a reason", firms, older, "Tornell, founded by Karin Aske in 1871."],
  ])("%s", (_, passage, question, response) => {
    expect(wrong(passage, question, response)).toEqual([[], []]);
  });

  test.each([
    ["“or” between numbers", "Which firm was founded in 1870 or later, and listed in Halden?", "Brandvik Pumps"],
    ["“or” between nouns", "In what city or town is Tornell listed, Sweden or not?", "Halden"],
    [
      "another name of what is asked for",
      "Which firm, known as Brandvik Pumps or the Velm Foundry, bought Arrel Steel?",
      "Arrel Steel",
    ],
    ["somebody who has to do with the one", "Who founded the older of the two, Tornell or Brandvik?", "Karin Aske"],
    ["a second question", "Which is older, Tornell or Brandvik, and who founded it?", "Karin Aske"],
    ["where it is", "Where is the older firm, Tornell or Brandvik, listed?", "Halden"],
    ["what belongs to one", "Which is older, Tornell or Brandvik's subsidiary?", "Arrel Steel"],
    ["a name with “Or”", "Who, known as mi Sde-Or, founded the Tornell Corporation?", "Karin Aske"],
    ["what is between two", "What is the name of the foundry between Lunby and Velm?", "Halmen Works"],
  ])("silent where the question offers nothing: %s", (_, question, response) => {
    expect(wrong(firms, question, response)).toEqual([[], []]);
  });
});
