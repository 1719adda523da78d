import { describe, expect, test } from "vitest";
import { checkNames } from "./check-names.ts";
import { findWrongBy } from "./test-find-wrong.ts";

const league =
  "Futbol Club Tarragol was founded in 1903 by William Orme. Its first coach was Maria José de Almeida Prado, whose father Frederick IV Holm had come from Bolivia. The club played at Þorsvík, in County Kerry, and in Muenster against Dynamo Torsk. Raymond Lisle wrote its hymn after the Games of 1908. Georgia sent it a flag, and so did Luxembourg.";

describe("a name in another form is not called unknown", () => {
  test.each([
    ["a club by its initials", "Which club was founded in 1903?", "FC Tarragol"],
    ["a short first name", "Who founded the club?", "Bill Orme"],
    ["a short first name", "Who wrote the hymn?", "Ray Lisle"],
    ["names left out in between", "Who was its first coach?", "It was Maria Prado."],
    ["another spelling", "Against whom did it play?", "Dinamo Torsk"],
    ["another alphabet", "Where did the club play?", "Thorsvik"],
    ["another spelling of an umlaut", "Where did it play against Dynamo Torsk?", "Münster"],
    ["an abbreviation with a dot", "In which county did the club play?", "Co. Kerry"],
    ["an abbreviation of a state", "Which state sent a flag?", "GA"],
    ["the people for the country", "Where had the father come from?", "He was Bolivian."],
    ["a number for a numeral", "Who had come from Bolivia?", "It was Frederick the Fourth."],
    ["a name of another", "Who wrote the hymn?", "Raymond Lisle of Tarragol wrote it."],
    ["what is spoken of", "When was the hymn written?", "After those Games, in 1908."],
    ["two names side by side", "Who founded Tarragol?", "Tarragol's William Orme."],
  ])("%s: %s %s", (_, question, response) => {
    expect(findWrongBy(checkNames, league, question, response)).toEqual([[], []]);
  });
});

describe("a name that the text doesn't have is found", () => {
  test.each([
    ["another first name", "Who founded the club?", "Walter Orme"],
    ["a name put together from two", "Who wrote the hymn?", "William Lisle"],
    ["another club", "Against whom did it play?", "Spartak Torsk"],
    ["another abbreviation", "Which state sent a flag?", "It was TX."],
  ])("%s: %s %s", (_, question, response) => {
    for (const reasons of findWrongBy(checkNames, league, question, response)) expect(reasons).not.toEqual([]);
  });
});
