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
    ["both as one is", films, "Were both Stone and Sand directed by Bo Krall?", "Yes, both."],
  ])("silent on %s", (_, passage, question, response) => {
    expect(findWrong(passage, question, response)).toEqual([[], []]);
  });
});
