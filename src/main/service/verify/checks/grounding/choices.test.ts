import { describe, expect, test } from "vitest";
import { findWrong } from "./test-find-wrong.ts";

const people =
  "Dame Orla Fenn (born 3 May 1951) is an Irish sculptor. She works in bronze. Hugo Marchetti (9 August 1938 – 2 January 2004) was an Italian painter who lived in Trieste.";
const firms =
  "Tornell Corporation is a Swedish maker of bearings, founded in 1871. Brandvik, doing business worldwide, is a Norwegian maker of pumps. Brandvik was founded in 1889 by Nils Brandvik.";
const halls =
  "Agda Lund (2 March 1880 – 5 June 1951) was a Danish singer. She gave many concerts. The smaller hall, Salle Agda Lund, was built in 1997. Salle Erik Holm is the main hall of the house, built in 1934.";
const novels =
  'The Salt Road is a 1961 novel by Mara Quist. It takes up the story of "The Lamp" (1843). Winterkill is a 1979 novel by Joel Ames.';
const series =
  "Harbour Nights is a drama series that ran for six seasons from 1999 to 2005, with a total of 41 episodes. Dry Land is a drama series by the same writer; it ran for four seasons, comprising 62 episodes.";
const saints =
  "Ilva of Torn was a 14th-century poet. She married a duke in 1388. Sigrun of Vell, active in the 9th century, is credited with two hymns.";
const peaks =
  "Mount Arrel is a mountain in the east, first climbed on 25 May 1931. Its summit is at 4,210 m. Mount Besk is a mountain in the west. The first climb of Mount Besk was made on 9 May 1931. It is 4,385 m high.";

const pools =
  "Arrel Baths is a public pool in Tarn, which closed in 1931. Besk Baths is a public pool in Velm. It was opened in 1924 and renovated in 1990.";

describe("the right one of two is not called wrong, however the question puts them", () => {
  test.each([
    ["two before a comma", people, "Orla Fenn and Hugo Marchetti, who is the younger one?", "Orla Fenn"],
    ["two after “of”", people, "Of Orla Fenn and Hugo Marchetti, who died first?", "Marchetti was the first to die."],
    ["two before a colon", firms, "Tornell and Brandvik: which came into being earlier?", "Tornell"],
    ["one without a name", people, "Who is older, Orla Fenn or her sister?", "her sister"],
    ["one that is described", firms, "Which firm is older, Tornell or the one in Norway?", "Tornell"],
    ["things in small letters", peaks, "which one has no snow, the ridge or the north wall?", "the north wall"],
    ["a hall named after a person", halls, "Which is older, Salle Agda Lund or Salle Erik Holm?", "Salle Erik Holm"],
    [
      "both, with reasons, and then another name of the one",
      firms,
      "Which was founded earlier, Tornell or Brandvik?",
      "Tornell dates from 1871 and Brandvik from 1889, which makes the Swedish company the earlier one.",
    ],
    ["centuries", saints, "Who lived earlier, Ilva or Sigrun?", "Sigrun"],
    ["what came after it", firms, "Which is older, Tornell or Brandvik?", "Tornell was later reorganised."],
    [
      "the other way round",
      people,
      "Who is older, Orla Fenn or Hugo Marchetti?",
      "Orla Fenn is younger than Marchetti.",
    ],
    ["years apart", people, "Who is older, Orla Fenn or Hugo Marchetti?", "Marchetti, who was 12 years older."],
    ["the former", firms, "Which is older, Tornell or Brandvik?", "Of Tornell and Brandvik, it is the former."],
    ["the date of an end", pools, "Which was opened first, Arrel Baths or Besk Baths?", "Arrel Baths"],
    ["a denied one", firms, "Which is older, Tornell or Brandvik?", "Not Brandvik."],
    ["a count", series, "Which had more episodes, Harbour Nights or Dry Land?", "Dry Land"],
  ])("%s", (_, passage, question, response) => {
    expect(findWrong(passage, question, response)).toEqual([[], []]);
  });
});

describe("the wrong one of two is found", () => {
  test.each([
    ["the elder for the younger", people, "Orla Fenn and Hugo Marchetti, who is the younger one?", "Hugo Marchetti"],
    ["the later for the earlier", firms, "Tornell and Brandvik: which came into being earlier?", "Brandvik"],
    [
      "the person's date for the hall's",
      halls,
      "Which is older, Salle Agda Lund or Salle Erik Holm?",
      "Salle Agda Lund is older.",
    ],
    [
      "another work's year in between",
      novels,
      "Which novel came out later, The Salt Road or Winterkill?",
      "The Salt Road came out after Winterkill.",
    ],
    [
      "a count of something else",
      series,
      "Which had more episodes, Harbour Nights or Dry Land?",
      "Harbour Nights had more episodes than Dry Land.",
    ],
    ["centuries", saints, "Who lived earlier, Ilva or Sigrun?", "Ilva lived earlier."],
    ["days of one year", peaks, "Which mountain was climbed earlier, Mount Arrel or Mount Besk?", "Mount Arrel"],
    ["heights", peaks, "Which is higher, Mount Arrel or Mount Besk?", "Mount Arrel"],
    ["the other way round", people, "Who is older, Orla Fenn or Hugo Marchetti?", "Marchetti is younger."],
    ["years apart", people, "Who is older, Orla Fenn or Hugo Marchetti?", "Orla Fenn is three years younger."],
    ["the latter", firms, "Which is older, Tornell or Brandvik?", "Of Tornell and Brandvik, it is the latter."],
  ])("%s", (_, passage, question, response) => {
    for (const reasons of findWrong(passage, question, response)) expect(reasons).not.toEqual([]);
  });
});

describe("a deed and its place belong together only where one clause has both", () => {
  const houses =
    "Marne is a Dutch fashion house founded in 1910 by Ida Marne in Leiden.Tolsa is a luxury fashion house founded in 1919 by Luis Tolsa in Bilbao, Spain, and now based in Leiden.";

  test.each(["No", "Only Marne was: Tolsa comes from Bilbao.", "Yes"])("%s", (response) => {
    for (const reasons of findWrong(houses, "Were Marne and Tolsa both founded in Leiden?", response))
      expect(reasons).toEqual([]);
  });
});
