import { describe, expect, test } from "vitest";
import { findWrong } from "./test-find-wrong.ts";

const people =
  "Ann Moss (born 4 May 1962) is a Danish film director and screenwriter. She studied at Halden University. Bo Krall (born 1958) is a Swedish sculptor. Cy Dent was a Danish painter and film director from Tarn.";
const bands =
  "Elm Bank are an English rock band from Ramsey, Greater Tarn, formed in 1990. Keel are an English rock band from Battle, East Velm, formed in 1995.";
const towers =
  "The Arrel Tower is a skyscraper in Tarn, Ohio, completed in 1931. The Besk Building is an office tower in Velm, Ohio, completed in 1971.";
const films =
  "Salt is a 1961 drama film directed by Ann Moss. Sand is a 1958 comedy film directed by Bo Krall and produced by Ann Moss. Stone is a 1970 film directed by Bo Krall.";
const schools =
  "Ann Moss graduated from the Royal Military Academy at Halden in 1843. Bo Krall graduated from Halden in 1828 and became a Danish general.";

describe("yes or no to whether two have the same, or are both so", () => {
  test.each([
    [people, "Do Ann Moss and Cy Dent have the same profession?", "Yes", "No"],
    [people, "Did Ann Moss and Bo Krall have the same occupation?", "No, Krall is a sculptor.", "Yes"],
    [bands, "Do the bands Elm Bank and Keel come from the same county?", "No", "Yes"],
    [bands, "Are Elm Bank and Keel both rock bands from Battle?", "No", "Yes"],
    [towers, "Are the Arrel Tower and the Besk Building in the same state?", "Yes", "No"],
    [towers, "Are the Arrel Tower and the Besk Building located in the same city?", "No", "Yes"],
    [towers, "Were the Arrel Tower and the Besk Building completed in the same year?", "No", "Yes"],
    [films, "Were Salt and Sand directed by the same person?", "No", "Yes"],
    [films, "Were Stone and Sand directed by the same person?", "Yes", "No"],
    [films, "Were both Salt and Sand directed by Ann Moss?", "No", "Yes"],
    [films, "Did Ann Moss direct both Salt and Sand?", "No, Krall directed Sand.", "Yes"],
  ])("%s %s", (passage, question, right, wrong) => {
    expect(findWrong(passage, question, right)).toEqual([[], []]);
    for (const reasons of findWrong(passage, question, wrong)) expect(reasons).not.toEqual([]);
  });

  test.each([
    ["a school under two names", schools, "Did Ann Moss and Bo Krall graduate from the same academy?", "Yes"],
    [
      "those who did it themselves",
      "Elm Bank are a band. Their debut was released by Tarn Records. Keel are a band. Their debut was released by Velm Records.",
      "Did Elm Bank and Keel both release a debut?",
      "Yes",
    ],
    [
      "where somebody lives now",
      "Ann Moss was born in Halden, Norway, and lives in Denmark.",
      "Was Ann Moss born in Denmark?",
      "No",
    ],
    ["what is said of neither", people, "Are Ann Moss and Bo Krall sisters?", "No"],
    [
      "two measured in one sentence",
      "Amber Lake is 84 m deep and Flint Lake is 61 m deep.",
      "Do Amber Lake and Flint Lake have the same depth?",
      "No, one is 84 m deep and the other 61 m.",
    ],
    ["both as one is", films, "Were both Stone and Sand directed by Bo Krall?", "Yes, both."],
  ])("silent on %s", (_, passage, question, response) => {
    expect(findWrong(passage, question, response)).toEqual([[], []]);
  });
});

const one =
  "Salt is a 1961 drama film directed by Ann Moss and Cy Dent. It was written by Eve Orr. Ann Moss (born 4 May 1962) is a Danish film director. Moss was born in Halden, Norway, and lives in Denmark. Bo Krall is a Swedish sculptor. Vera Lund, known as Eve Stern, is an English writer.";

describe("yes or no to what is asked about one thing", () => {
  test.each([
    ["who did it", "Was Salt directed by Cy Dent?", "Yes", "No"],
    ["who else did it", "Was Salt directed by Dee Fox?", "No", "Yes"],
    ["who did it, after a pronoun", "Was Salt written by Dee Fox?", "No, by Eve Orr.", "Yes"],
    ["a nation", "Is Ann Moss Danish?", "Yes", "No"],
    ["another nation", "Is Bo Krall a Finnish sculptor?", "No, he is Swedish.", "Yes, he is."],
    ["a country", "Was Moss born in Norway?", "Yes", "No"],
    ["another country", "Was Ann Moss born in Finland?", "No", "Yes"],
  ])("tells %s", (_, question, right, wrong) => {
    expect(findWrong(one, question, right)).toEqual([[], []]);
    for (const reasons of findWrong(one, question, wrong)) expect(reasons).not.toEqual([]);
  });

  test.each([
    ["a nation that lies in another", "Is Vera Lund British?", "Yes"],
    ["a name that is said of it otherwise", "Was Salt directed by Eve Orr?", "No"],
    ["somebody who may go by another name", "Was Sand written by Eve Stern?", "Yes"],
    ["what is asked of more than one thing", "Was Salt or Sand directed by Ann Moss?", "Salt"],
    ["a place without a known country", "Was Ann Moss born in Tarn?", "Yes"],
  ])("is silent on %s", (_, question, response) => {
    expect(findWrong(`${one} Sand was written by Vera Lund.`, question, response)).toEqual([[], []]);
  });
});
