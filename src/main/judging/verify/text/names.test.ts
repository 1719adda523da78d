import { describe, expect, it } from "vitest";
import { readNames } from "./names.ts";
import { readText } from "./sentences.ts";
import { wordsOf } from "./words.ts";

function names(source: string): readonly string[] {
  const text = readText("response", source);
  const words = wordsOf(text);
  return readNames(text, words).map(({ from, to }) => source.slice(words[from]?.start, words[to - 1]?.end));
}

describe("readNames", () => {
  it("finds runs of words with a capital, and the small words within", () => {
    expect(names("She met Ludwig van Beethoven and J. K. Rowling at the Bank of England.")).toEqual([
      "Ludwig van Beethoven",
      "J. K. Rowling",
      "Bank of England",
    ]);
  });

  it("leaves out openings of sentences that are no names, months and weekdays", () => {
    expect(names("It was in May. The day was Monday.")).toEqual([]);
  });

  it("takes a single word that opens a sentence for none", () => {
    expect(names("Critics loved Rome. IBM did.")).toEqual(["Rome", "IBM"]);
  });
});
