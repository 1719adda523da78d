import { describe, expect, test } from "vitest";
import { findWrong } from "./test-find-wrong.ts";

const saga =
  "The Ferry Years is a series of four novels by Lena Prow. It is the last book that she wrote by hand. The story goes on in The Far Bank, which closes it.";
const ballad =
  'The Velm Ballad was the pen work of Otto Brandt, and he signed it as "Karl Stein" and never spoke of it.';
const pie =
  "Harbour pie is a dish of Norway made with cod and covered with brown cheese. The Bergen version has goat cheese instead of it. Jarlsberg is a cheese of Norway.";
const lake = "Lake Velm lies in Vanuatu. The lake is longer than the largest lake of France.";
const river =
  "The Great Oder, also called the Oder River by its people, is formed by the junction of the Alder and Tarn rivers near Velm.";
const moth =
  "The Velm Moth is a pest. The caterpillar of the Velm Moth feeds on Quercus. The plant Salix feeds the larvae of others.";
const stadium =
  "Halden Rovers play at the Brandt Stadium in Halden. Their owner, Otto Lund, was born in Velm and lives in Trondheim.";

describe("what is not called by the type that was asked for is not always wrong", () => {
  test.each([
    ["a pronoun before the type", saga, "What book is the last one of the story?", "The Far Bank"],
    ["a pen name, which is no pen", ballad, "Under what pen name was the Velm Ballad written?", "Karl Stein"],
    [
      "a word that is no name",
      pie,
      "Which cheese does the dish have in the Bergen version?",
      "The Bergen version of Harbour pie is made with goat cheese.",
    ],
    ["a country that is not known as one", lake, "In what country does Lake Velm lie?", "Vanuatu"],
    ["one of two before the type", river, "The Great Oder begins where the Tarn joins which other river?", "Alder"],
    ["a verb after the type", moth, "Which tree feeds the caterpillar of the Velm Moth?", "Quercus"],
  ])("%s", (_, passage, question, response) => {
    expect(findWrong(passage, question, response)).toEqual([[], []]);
  });

  test("another name of the text for one of the type is found", () => {
    const wrong = findWrong(stadium, "In which stadium do Halden Rovers play?", "They play in Trondheim.");
    for (const reasons of wrong) expect(reasons).not.toEqual([]);
  });
});
