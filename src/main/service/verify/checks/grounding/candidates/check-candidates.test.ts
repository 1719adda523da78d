import { describe, expect, test } from "vitest";
import { findWrong, findWrongBy } from "../test-find-wrong.ts";
import { checkCandidates } from "./check-candidates.ts";

const film =
  'The Long Ferry is a 1996 Norwegian drama film directed by Ida Moen, starring Karl Strand, Eva Lunde and Per Aasen.Ida Moen (born 4 May 1951) is a Norwegian filmmaker. She was born in Molde and studied in Prague. Her best known film is the comedy "Snow on Sunday" (2003).';
const club =
  "Halden Rovers is a football club from Halden. The club was founded in 1908 by the brewer Otto Brandt and plays at Mill Road, which has 12,400 seats. Its rival Norwick City was founded in 1921 and plays at the Ropeworks, which holds 31,000.";
const lease =
  "The flat in Weir Street is let to Dana Fisk from 1 March 2023. The landlord is Corvel Homes. Repairs are reported to Amir Nasser, keys are handed out by Joan Pike, and the deposit of EUR 1,350 is held by Northbank.";
const opera =
  'Der Apfel is an opera in two acts by Hans Vogt, first performed in Leipzig on 2 May 1931.Hans Vogt (1889–1964) was a German composer, best known for his cantata "Der Winter" (1922). His teacher was Clara Reuss.';

describe("another name or number of the text than the one that was asked for is found", () => {
  test.each([
    ["the actor for the director", "Who directed The Long Ferry?", "Karl Strand", film],
    ["a person for a city", "In what city was Ida Moen born?", "Eva Lunde", film],
    ["the founder for the ground", "At what ground do Halden Rovers play?", "Otto Brandt", club],
    ["another year", "In what year was Norwick City founded?", "It was founded in 1908.", club],
    ["a year for a number", "How many seats does Mill Road have?", "1921", club],
    ["another person", "Who hands out the keys?", "Dana Fisk hands out the keys.", lease],
    ["another person, to a short question", "Who is the landlord?", "Dana Fisk", lease],
    ["another company", "Who holds the deposit for the flat?", "Corvel Homes", lease],
    [
      "the opera for the cantata",
      "The composer of Der Apfel is best known for what cantata?",
      "Der Apfel by Hans Vogt",
      opera,
    ],
    ["the teacher for the cantata", "What cantata is the composer best known for?", "Clara Reuss", opera],
  ])("%s: %s %s", (_, question, response, passage) => {
    for (const reasons of findWrong(passage, question, response)) expect(reasons).not.toEqual([]);
  });
});

describe("what was asked for passes, however it is put", () => {
  test.each([
    ["Who directed The Long Ferry?", "Moen", film],
    ["Who directed The Long Ferry?", "It was made by Ida Moen, with Karl Strand in the lead.", film],
    ["In which city was the director of The Long Ferry born?", "She comes from Molde.", film],
    ["What comedy is the director of The Long Ferry best known for?", "That is Snow on Sunday, of 2003.", film],
    ["Who founded Halden Rovers?", "Brandt did, in 1908.", club],
    ["How many seats does Mill Road have?", "12,400", club],
    ["How many seats does Mill Road have?", "There is room for 12400 people.", club],
    ["In what year was the rival of Halden Rovers founded?", "1921", club],
    ["Who hands out the keys?", "Ms Pike", lease],
    ["Who is the landlord of the flat in Weir Street?", "Corvel Homes", lease],
    ["How much is the deposit that Northbank holds?", "The deposit held by Northbank is 1,350 euros.", lease],
    ["The composer of Der Apfel is best known for what cantata?", "Der Winter", opera],
    ["When was Der Apfel first performed?", "In May 1931, in Leipzig.", opera],
  ])("%s %s", (question, response, passage) => {
    for (const reasons of findWrong(passage, question, response)) expect(reasons).toEqual([]);
  });
});

const harbour =
  "The lock was opened on 14 May 1984 by Ida Moen and closed again in 1991. Boats leave the quay at 9:30 and come back at 16:00. The bridge dates from the 15th century. Rents are due on 1 December.";

describe("a date and a time of day are one, by whichever part they are called", () => {
  test.each([
    ["When was the lock opened?", "May 14"],
    ["When was the lock opened?", "14 May '84"],
    ["When was the lock opened?", "In 1984."],
    ["When do boats leave the quay?", "At 9:30."],
    ["When do boats leave the quay?", "Half past nine"],
    ["When do boats come back?", "4 pm"],
    ["When was the bridge built?", "In the 15th century"],
    ["When are rents due?", "1 Dec"],
  ])("%s %s", (question, response) => {
    for (const reasons of findWrong(harbour, question, response)) expect(reasons).toEqual([]);
  });

  test.each([
    ["When was the lock opened?", "1991", "1984"],
    ["When do boats leave the quay?", "At 16:00.", "9:30"],
  ])("%s %s", (question, response, right) => {
    for (const reasons of findWrong(harbour, question, response)) expect(reasons.join(" ")).toContain(`“${right}”`);
  });
});

describe("nothing is told from names where they can't tell", () => {
  test.each([
    ["two are compared", "Which club is older, Halden Rovers or Norwick City?", "Halden Rovers", club],
    ["nothing is named", "What kind of film is The Long Ferry?", "A drama", film],
    ["both are named", "Who starred in The Long Ferry?", "Karl Strand and Ida Moen", film],
    ["there is no question", "Summarise the text.", "Karl Strand", film],
  ])("%s", (_, question, response, passage) => {
    for (const reasons of findWrongBy(checkCandidates, passage, question, response)) expect(reasons).toEqual([]);
  });

  test("a text with hundreds of names is left alone, in time", () => {
    const passage = Array.from({ length: 5_000 }, (_, at) => `Ann Lee${at} met Bo Chen${at} in Rome.`).join(" ");
    const started = performance.now();
    for (const reasons of findWrongBy(checkCandidates, passage, "Who met Bo Chen7?", "Ann Lee9"))
      expect(reasons).toEqual([]);
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  test("a sentence of many thousands of words is read in time", () => {
    const names = Array.from({ length: 60 }, (_, at) => `Ann${at} Lee${at}`).join(" met ");
    const passage = `${names} ${"and so on for ever ".repeat(20_000)} ${names}.`;
    const started = performance.now();
    findWrongBy(checkCandidates, passage, "Who met the man that Ann7 Lee7 met for ever?", "Ann9 Lee9");
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  test("a question of thousands of words is answered in time", () => {
    const question = `Who ${"directed the film that was made of the novel by ".repeat(2_000)} Ida Moen?`;
    const started = performance.now();
    findWrongBy(checkCandidates, film, question, "Karl Strand");
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
