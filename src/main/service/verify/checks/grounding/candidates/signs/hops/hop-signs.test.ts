import { describe, expect, test } from "vitest";
import { readText } from "../../../../../text/index.ts";
import { readContext } from "../../../context.ts";
import { indexSentences } from "../../index-sentences.ts";
import { readAsked } from "../../read-asked.ts";
import { readCandidates } from "../../read-candidates.ts";
import type { SignName, Signs } from "../sign-names.ts";
import { readHopSigns } from "./hop-signs.ts";

const films =
  "Stone Harbour is a 1971 drama film directed by Karl Strand and photographed by Eva Lunde. It is set in Odda.The Long Ferry is a 1996 comedy film directed by Ida Moen. It won the Silver Gull in Bergen.Ida Moen was born in Molde and grew up in Prague. In 2003 she founded Nordlys Film.";

/** The signs of each candidate, by how the text names it. */
function readSigns(question: string): ReadonlyMap<string, Signs> {
  const prompt = readText("prompt", `${films}\n\n${question}`);
  const context = readContext({ prompt, response: readText("response", "Molde"), document: null });
  if (context === null) throw new Error("The prompt has no passage.");
  const candidates = readCandidates(context.evidence.passage);
  const signs = readHopSigns(context, readAsked(context), candidates, indexSentences(context, candidates));
  return new Map(
    candidates.map(({ mentions }, index) => {
      const words = context.evidence.words.slice(mentions[0]?.from, mentions[0]?.to);
      return [words.map(({ raw }) => raw).join(" "), signs[index] ?? {}];
    }),
  );
}

function compare(question: string, name: SignName, more: string, less: string): void {
  const signs = readSigns(question);
  expect(signs.get(more)?.[name] ?? 0).toBeGreaterThan(signs.get(less)?.[name] ?? 0);
}

const born = "The director of the 1996 comedy film was born in which city?";

describe("two steps of reading", () => {
  test("what stands in a sentence about the described is of them, after a pronoun, too", () => {
    compare(born, "hopAbout", "Molde", "Odda");
    compare("What company did the director of the 1996 comedy film found?", "hopAbout", "Nordlys Film", "Odda");
  });

  test("the words of the asked part stand beside what is asked", () => {
    compare(born, "hopAsked", "Molde", "Bergen");
    compare(born, "hopChain", "Molde", "Bergen");
    compare("Who directed the film that won the Silver Gull?", "hopChain", "Ida Moen", "Karl Strand");
  });

  test("the words of the description stand beside the described", () => {
    compare("The director of the film that won in Bergen was born where?", "hopDescribed", "Silver Gull", "Molde");
    compare("The director of the film that won in Bergen was born where?", "hopDescribedNear", "Silver Gull", "Molde");
  });

  test.each(["Who directed The Long Ferry?", "In what city was Ida Moen born?"])(
    "a question of one step has no such signs: %s",
    (question) => {
      for (const signs of readSigns(question).values()) expect(signs).toEqual({});
    },
  );
});
