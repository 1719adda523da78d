import { describe, expect, test } from "vitest";
import { readText, type Word, wordsOf } from "../../text/index.ts";
import { findEcho } from "./find-echo.ts";
import { findWrong } from "./test-find-wrong.ts";

const band =
  "The Velm Larks were a folk band. Moe Lund took the place of Otto Brandt in the Velm Larks in 1981. The west of Velm has a mill.";

function wordsIn(text: string): readonly Word[] {
  return wordsOf(readText("response", text));
}

describe("a question that is said again before its answer", () => {
  test.each([
    ["whose place did Moe Lund take in the Velm Larks", "whose place did Moe Lund take in the Velm Larks Otto Brandt."],
    [
      "Whose place did Moe Lund take in the Velm Larks?",
      "To the question of whose place did Moe Lund take in the Velm Larks, the text gives Otto Brandt.",
    ],
    [
      "whose place did Moe Lund take in the Velm Larks",
      "Whose place did Moe Lund take in the Velm Larks: Otto Brandt's.",
    ],
  ])("is no part of it: %s %s", (question, response) => {
    expect(findWrong(band, question, response)).toEqual([[], []]);
  });

  test("is no claim of the response, whatever it takes for given", () => {
    const operas =
      "Tessa is an opera in three acts by Otto Brandt to a libretto by Ann Lund and Cy Hale. Velma is an opera in a prologue and two acts, with music and libretto by Bo Prow.";
    const question = "Which opera has a libretto by its own composer, Tessa or Velma?";
    expect(findWrong(operas, question, `${question} Velma.`)).toEqual([[], []]);
  });

  test("does not keep a wrong answer from being found", () => {
    const [asDocument] = findWrong(
      band,
      "whose place did Moe Lund take in the Velm Larks",
      "whose place did Moe Lund take in the Velm Larks Karl Prow.",
    );
    expect(asDocument).toContain("The document doesn't mention “Karl Prow”.");
  });

  test("has its place in the response", () => {
    const asked = wordsIn("Who ran the mill?");
    expect(findEcho(wordsIn("So, who ran the mill? Ann Lee."), asked)).toEqual({ from: 1, to: 5 });
    expect(findEcho(wordsIn("Ann Lee ran the mill."), asked)).toBeNull();
  });

  test("is the answer where nothing follows", () => {
    const asked = wordsIn("The mill ran until");
    expect(findEcho(wordsIn("The mill ran until"), asked)).toBeNull();
  });
});
