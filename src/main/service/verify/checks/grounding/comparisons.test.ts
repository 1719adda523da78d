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

describe("which of two has more is told by what counts or measures it", () => {
  const bands =
    "Salt Road are a four-piece band from Tarn. The group has 2 million fans. Night Larks are a quintet formed in Velm in 1989.";
  const towns =
    "Tarn is a town in the north with a population of 12,400 and an area of 90 km². Velm is a town by the sea. It had 45,900 inhabitants in 2011 and covers 12 km².";
  const lakes =
    "Lake Arrel has a maximum depth of 706 metres. Lake Besk covers 68,800 km². It has a maximum depth of 84 metres and an average depth of 40 metres.";
  const states =
    "The Duchy of Arrel came into existence in 1806 and lasted until 1813. The Kingdom of Besk (1807–1809) was ruled by a duke.";
  const writers =
    "Ann Maria Moss (4 May 1920 – 6 June 1990) was a Danish writer. Bo Krall (2 March 1930 – 1 May 1980) was a Swedish poet.";
  const goods = "The Arrel Five costs €120. The Besk Seven is sold for €85.";
  const houses = "Arrel Tower has 52 storeys and is 160 m tall. Besk Tower is a 210 m tall skyscraper with 38 floors.";

  test.each([
    [bands, "Which band has more members, Salt Road or Night Larks?", "Night Larks", "Salt Road"],
    [towns, "Which town has a larger population, Tarn or Velm?", "Velm", "Tarn"],
    [towns, "Which town has more inhabitants, Tarn or Velm?", "Velm", "Tarn"],
    [towns, "Which town is more populous, Tarn or Velm?", "Velm", "Tarn"],
    [towns, "Which town has a larger area, Tarn or Velm?", "Tarn", "Velm"],
    [lakes, "Which lake is deeper, Lake Arrel or Lake Besk?", "Lake Arrel", "Lake Besk"],
    [states, "Which existed longer, the Duchy of Arrel or the Kingdom of Besk?", "Arrel", "The Kingdom of Besk"],
    [writers, "Who lived longer, Ann Moss or Bo Krall?", "Ann Moss", "Bo Krall"],
    [writers, "who died first ann moss or bo krall", "Krall", "Ann Moss"],
    [goods, "Which is cheaper, the Arrel Five or the Besk Seven?", "the Besk Seven", "the Arrel Five"],
    [goods, "Which is more expensive, the Arrel Five or the Besk Seven?", "the Arrel Five", "the Besk Seven"],
    [houses, "Which building has more floors, Arrel Tower or Besk Tower?", "Arrel Tower", "Besk Tower"],
    [houses, "Which building is taller, Arrel Tower or Besk Tower?", "Besk Tower", "Arrel Tower"],
  ])("%s %s", (passage, question, right, wrong) => {
    expect(findWrong(passage, question, right)).toEqual([[], []]);
    for (const reasons of findWrong(passage, question, wrong)) expect(reasons).not.toEqual([]);
  });

  test.each([
    [states, "Which existed longer, the Duchy of Arrel or the Kingdom of Besk?", "It was the former."],
    [writers, "Who was older, Ann Moss or Bo Krall?", "The Danish writer"],
    [writers, "Who was older, Ann Moss or Bo Krall?", "1920"],
    [writers, "Who was older, Ann Moss or Bo Krall?", "The Swedish poet was younger."],
    [writers, "Who was older, Ann Moss or Bo Krall?", "Both were writers, but the Danish one was older."],
  ])("not wrong without a name: %s %s %s", (passage, question, right) => {
    expect(findWrong(passage, question, right)).toEqual([[], []]);
  });

  test.each([
    [writers, "Who was older, Ann Moss or Bo Krall?", "The latter."],
    [writers, "Who was older, Ann Moss or Bo Krall?", "The Swedish poet"],
    [writers, "Who was older, Ann Moss or Bo Krall?", "1930"],
    [writers, "Who was older, Ann Moss or Bo Krall?", "They were of the same age."],
    [writers, "Who was older, Ann Moss or Bo Krall?", "Neither of them."],
  ])("wrong without a name: %s %s %s", (passage, question, wrong) => {
    for (const reasons of findWrong(passage, question, wrong)) expect(reasons).not.toEqual([]);
  });

  const people =
    "Ann Moss (born 1962) is a Danish actress. Bo Krall (born 1958) is a Swedish actor. Cy Dent (born 1950) is a painter from Tarn.";

  test.each(["Cy Dent", "Dent, who was born in 1950", "Not Bo Krall"])("one of three: %s", (right) => {
    expect(findWrong(people, "Who is the oldest, Ann Moss, Bo Krall or Cy Dent?", right)).toEqual([[], []]);
  });

  test.each(["Ann Moss", "Bo Krall is the oldest."])("the wrong one of three: %s", (wrong) => {
    for (const reasons of findWrong(people, "Who is the oldest, Ann Moss, Bo Krall or Cy Dent?", wrong))
      expect(reasons).not.toEqual([]);
  });
});
