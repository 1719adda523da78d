import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readText } from "./sentences.ts";
import { wordsOf } from "./words.ts";

function keys(text: string): readonly string[] {
  return wordsOf(readText("response", text)).map(({ key }) => key);
}

function same(a: string, b: string): boolean {
  return keys(a).join(" ") === keys(b).join(" ");
}

describe("wordsOf", () => {
  it("gives inflected forms, possessives and diacritics one key", () => {
    expect(same("cities", "city")).toBe(true);
    expect(same("Sébastien’s", "sebastien")).toBe(true);
    expect(same("wrote", "written")).toBe(true);
    expect(same("starring", "stars")).toBe(true);
  });

  it("reads numbers with separators and words with digits whole", () => {
    expect(keys("1,250.5 C2H5OH")).toEqual(["1250.5", "c2h5oh"]);
  });

  it("says where words stand", () => {
    const text = "One. Anna's dog";
    const [, anna] = wordsOf(readText("response", text));
    expect(anna && text.slice(anna.start, anna.end)).toBe("Anna");
    expect(anna).toMatchObject({ sentence: 1, isFirst: true, isCapital: true });
  });
});

it("reads plain words as the pattern for all words would read them", () => {
  const pattern =
    /\p{L}(?:\.\p{L})+(?!\p{L})|\p{L}[\p{L}\p{M}\p{N}]*(?:['’&]\p{L}[\p{L}\p{M}\p{N}]*)*|\p{N}+(?:[.,]\p{N}+)*[\p{L}\p{M}]*/gu;
  const piece = fc.oneof(
    fc.string({ unit: "binary", maxLength: 3 }),
    fc.constantFrom(..."a|Ab|U.S.|O'Neill|AT&T|é|ü’s|1,250.5|3rd|x.y|A.|𝒜b|\ud835|’|&|.| |-|中文|a\u0301".split("|")),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join("");
      const read = wordsOf(readText("response", text)).map(({ start }) => start);
      expect(read).toEqual([...text.matchAll(pattern)].map(({ index }) => index));
    }),
    { numRuns: 500 },
  );
});
