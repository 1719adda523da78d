import { describe, expect, test } from "vitest";
import { findWrong } from "./test-find-wrong.ts";

const novels =
  "The Salt Road is a novel by Mara Quist, first published in 1961. It was her debut. Winterkill is a 1979 novel by Joel Ames.";
const players =
  "Lena Brodt (born 4 July 1962) is a former chess player. She won 11 national titles and 3 cups. Irma Vasko (born 9 May 1958) is a former chess player from Tarn. She won 11 national titles and 7 cups.";
const bridges =
  "The Arrel Bridge crosses the Tarn. It is 410 m long. The Besk Bridge crosses the Velm. It has a length of 1.2 km and a height of 36 m.";
const freezers =
  "Data sheet, “Borea 180” freezer: volume 180 l, noise 39 dB, holds the cold for 31 hours. Data sheet, “Borea 260” freezer: volume 260 l, noise 42 dB, holds the cold for 26 hours. It has a door alarm.";
const cities = "Tarn is the most populous city of the island. It lies at a bay. Velm is the capital of the island.";

describe("yes or no to a comparison is held against what the text gives for both", () => {
  test.each([
    [novels, "Was The Salt Road published before Winterkill?", "Yes", "No"],
    [novels, "Was Winterkill published before The Salt Road?", "No, it came later.", "Yes, it was."],
    [novels, "Was Winterkill published after The Salt Road?", "Indeed, yes.", "No, before it."],
    [players, "Is Lena Brodt older than Irma Vasko?", "No, she is four years younger.", "Yes, she is older."],
    [players, "Did Lena Brodt win more national titles than Irma Vasko?", "No, they are level.", "Yes, she did."],
    [players, "Did Lena Brodt win more cups than Irma Vasko?", "No", "Yes"],
    [players, "Did Lena Brodt win fewer cups than Irma Vasko?", "Yes, 3 against 7.", "No"],
    [bridges, "Is the Arrel Bridge longer than the Besk Bridge?", "No", "Yes, it is the longer one."],
  ])("%s %s", (passage, question, right, wrong) => {
    expect(findWrong(passage, question, right)).toEqual([[], []]);
    for (const reasons of findWrong(passage, question, wrong)) expect(reasons).not.toEqual([]);
  });

  test.each([
    ["nothing that is given for both", bridges, "Is the Arrel Bridge higher than the Besk Bridge?", "Yes"],
    ["a part of what is compared", novels, "Was The Salt Road published before Winterkill was filmed?", "No"],
    ["two of the same year", players, "Did Lena Brodt play before Irma Vasko?", "Yes"],
    [
      "a “not” that belongs to a reason",
      novels,
      "Was The Salt Road published before Winterkill?",
      "It was: the one from 1961 is The Salt Road, not Winterkill.",
    ],
  ])("silent on %s", (_, passage, question, response) => {
    expect(findWrong(passage, question, response)).toEqual([[], []]);
  });
});

describe("two that a question does not write as names are still two to choose from", () => {
  test.each([
    [
      freezers,
      "which freezer is quieter by the sheet and has an alarm, the Borea 180 or the 260?",
      "the 260",
      "Borea 180",
    ],
    [cities, "which is the most populous city of the island, velm or tarn?", "Tarn", "Velm"],
  ])("%s %s", (passage, question, right, wrong) => {
    expect(findWrong(passage, question, right)).toEqual([[], []]);
    for (const reasons of findWrong(passage, question, wrong)) expect(reasons).not.toEqual([]);
  });
});

describe("whether two share something goes by what was asked for", () => {
  const chemists =
    "Lena Brodt is a Norwegian chemist. She took her degree at Halden University. Irma Vasko is a Danish chemist. She studied at Tarn University. Joan Mill is an English chemist of the Royal Guild. Rhys Pugh is a British physicist. He took his degree at Tarn University.";

  test.each([
    ["Did Lena Brodt and Irma Vasko study the same subject?", "Yes"],
    ["Are Joan Mill and Rhys Pugh of the same nationality?", "Yes"],
    ["Are Lena Brodt and Irma Vasko of the same nationality?", "No"],
    ["Did Irma Vasko and Rhys Pugh go to the same university?", "Yes"],
  ])("right: %s %s", (question, response) => {
    expect(findWrong(chemists, question, response)).toEqual([[], []]);
  });

  test.each([
    ["Are Lena Brodt and Irma Vasko of the same nationality?", "Yes"],
    ["Did Lena Brodt and Irma Vasko go to the same university?", "Yes, they did."],
    ["Did Irma Vasko and Rhys Pugh go to the same university?", "No"],
  ])("wrong: %s %s", (question, response) => {
    for (const reasons of findWrong(chemists, question, response)) expect(reasons).not.toEqual([]);
  });
});
