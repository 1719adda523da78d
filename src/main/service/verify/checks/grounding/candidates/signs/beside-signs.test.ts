import { expect, test } from "vitest";
import { readAsked } from "../read-asked.ts";
import { readBesideSigns } from "./beside-signs.ts";
import type { Signs } from "./sign-names.ts";
import { findCandidate } from "./test-find-candidate.ts";

const passage =
  "Corvel makes ferries and has its yard in Molde, Norway. Ida Moen founded it with Karl Strand, Eva Lunde being ill.";

/** The signs of the first place where the passage has a name. */
function readSigns(question: string, name: string): Signs {
  const { context, candidate } = findCandidate(passage, question, name);
  const [mention] = candidate.mentions;
  return mention ? readBesideSigns(context, readAsked(context), [], new Set(), mention) : {};
}

test.each(["Molde", "Norway"])("what stands before a place holds the larger one after it, too: %s", (name) => {
  expect(readSigns("In which country does Corvel have its yard?", name).prepositionSame).toBe(1);
});

test("what stands before somebody holds nobody after them", () => {
  const question = "With whom did Ida Moen found Corvel?";
  expect(readSigns(question, "Karl").prepositionSame).toBe(1);
  expect(readSigns(question, "Eva").prepositionSame).toBeUndefined();
});
