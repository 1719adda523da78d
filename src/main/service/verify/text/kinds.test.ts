import { describe, expect, it } from "vitest";
import { kindsOf } from "./kinds.ts";
import { stemWord } from "./stem.ts";
import { leadStem } from "./synonyms.ts";

function keyOf(word: string): string {
  return leadStem(stemWord(word));
}

describe("what general words share", () => {
  it.each([
    ["envoys", "diplomat"],
    ["mare", "horse"],
    ["priest", "clergyman"],
    ["trophy", "award"],
    ["abbey", "church"],
    ["grandmother", "relative"],
  ])("%s: a kind of %s", (word, kind) => {
    expect(kindsOf(keyOf(word))).toContain(keyOf(kind));
  });

  it("takes none for a kind of itself, or the wider for the narrower", () => {
    expect(kindsOf(keyOf("horse"))).not.toContain(keyOf("horse"));
    expect(kindsOf(keyOf("diplomat"))).not.toContain(keyOf("envoy"));
  });

  it.each([
    ["flowers", "blossom"],
    ["ewes", "sheep"],
    ["destroyed", "demolished"],
    ["island", "isle"],
    ["jailed", "imprisoned"],
  ])("%s and %s stand for one another", (word, other) => {
    expect(keyOf(word)).toBe(keyOf(other));
  });

  it("keeps apart what is only alike", () => {
    for (const [word, other] of [
      ["coach", "trainer"],
      ["flower", "plant"],
    ] as const) {
      expect(keyOf(word)).not.toBe(keyOf(other));
    }
  });
});
