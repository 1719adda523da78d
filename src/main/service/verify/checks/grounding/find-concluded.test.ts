import { describe, expect, test } from "vitest";
import { findWrong } from "./test-find-wrong.ts";

const laureates =
  "Mara Holm (born 4 May 1910) is a Danish chemist. She received the Velm Medal for her work on salts in 1964. Joel Ames (born 2 June 1914) is a Swedish-born biologist, who shared the 1962 Velm Medal with his brother. He moved to Oslo in 1950.";
const bakers =
  "Tarn's is a family baker based in Holmby, formed by Nils Tarn in 1890. It grew in the 1950s. Lund is a bakery in Velm. It was founded in 1931.";
const serials =
  "Winterkill is a drama serial by Mara Quist. It consists of five episodes. The Salt Road is a seven-part serial by Joel Ames.";
const players =
  "Lena Brodt is a former tennis player. She won 18 major singles titles and 31 doubles titles. Irma Vasko is a former tennis player. She won 18 major singles championships.";

describe("two are compared by what the text says of each in other words", () => {
  test.each([
    [laureates, "Who won the Velm Medal first, Mara Holm or Joel Ames?", "Joel Ames", "Mara Holm"],
    [laureates, "who won the velm medal first, mara holm or joel ames", "joel ames", "mara holm"],
    [laureates, "Did Mara Holm get her Velm Medal before Joel Ames?", "No", "Yes"],
    [bakers, "Was Tarn's or Lund set up first?", "Tarn's, in 1890.", "Lund"],
    [
      serials,
      "Which serial has fewer parts, Winterkill or The Salt Road?",
      "Winterkill",
      "The Salt Road has fewer parts.",
    ],
    [players, "Did Lena Brodt win more major singles titles than Irma Vasko?", "No, they are level.", "Yes"],
  ])("%s %s", (passage, question, right, wrong) => {
    expect(findWrong(passage, question, right)).toEqual([[], []]);
    for (const reasons of findWrong(passage, question, wrong)) expect(reasons).not.toEqual([]);
  });
});

describe("which of two a longer response chooses", () => {
  test.each([
    [
      serials,
      "Which serial has fewer parts, Winterkill or The Salt Road?",
      "The Salt Road has seven parts but Winterkill just five, so the answer is Winterkill.",
    ],
    [
      bakers,
      "Was Tarn's or Lund set up first?",
      "The baker in Holmby is older; it dates from 1890, and Lund only from 1931.",
    ],
  ])("is right: %s %s %s", (passage, question, response) => {
    expect(findWrong(passage, question, response)).toEqual([[], []]);
  });

  test.each([
    [
      serials,
      "Which serial has fewer parts, Winterkill or The Salt Road?",
      "Winterkill has five parts, so the answer is The Salt Road.",
    ],
    [bakers, "Was Tarn's or Lund set up first?", "Tarn's grew in the 1950s, so it was Lund."],
  ])("is wrong: %s %s %s", (passage, question, response) => {
    for (const reasons of findWrong(passage, question, response)) expect(reasons).not.toEqual([]);
  });
});
