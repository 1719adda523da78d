import { describe, expect, test } from "vitest";
import { readText } from "../../../../../text/index.ts";
import { readContext } from "../../../context.ts";
import { indexSentences } from "../../index-sentences.ts";
import { readAsked } from "../../read-asked.ts";
import { readCandidates } from "../../read-candidates.ts";
import { readRoleSigns } from "./role-signs.ts";

/** The names and years that have a sign, in order: at first whatever stands as the question asks for it. */
function findWanted(passage: string, question: string, by = ["roleSame", "roleBeside"]): readonly string[] {
  const prompt = readText("prompt", question);
  const document = readText("document", passage);
  const context = readContext({ prompt, document, response: readText("response", "Nobody") });
  if (context === null) throw new Error("There is no text.");
  const { words } = context.evidence;
  const candidates = readCandidates(context.evidence.passage);
  const signs = readRoleSigns(context, readAsked(context), candidates, indexSentences(context, candidates));
  return candidates
    .flatMap(({ mentions: [first] }, index) => {
      const own = Object.keys(signs[index] ?? {});
      return first && by.some((name) => own.includes(name)) ? [first] : [];
    })
    .toSorted((a, b) => a.from - b.from)
    .map(({ from, to }) => document.text.slice(words[from]?.start, words[to - 1]?.end));
}

const film =
  "The Long Ferry is a 1996 Norwegian film directed by Ida Moen, written by Otto Brandt and starring Karl Strand as Captain Aas and Eva Lunde as Mina.";
const series =
  "Halden Lights is a series produced by Clara Reuss. Karl Strand plays Ivar, Eva Lunde the baker Signe and Pia Aasen the old Tom.";
const town =
  "Mill House was built in 1908 by Hans Vogt in Molde. Vogt (born 1871 in Bergen) also designed the Ropeworks. Joan Pike bought it and sold it to Dana Fisk.";

describe("who stands to a deed as the question asks for it is told", () => {
  test.each([
    ["who does it", "Who directed The Long Ferry?", film, ["Ida Moen"]],
    ["who does it, in the passive voice", "The Long Ferry was written by whom?", film, ["Otto Brandt"]],
    ["who does it, by the noun", "Who was the director of The Long Ferry?", film, ["Ida Moen"]],
    ["who plays somebody", "Which actress played Mina?", film, ["Karl Strand", "Eva Lunde"]],
    ["whom somebody plays", "What character did Eva Lunde play?", film, ["Long Ferry", "Captain Aas", "Mina"]],
    ["where the verb is left out", "Who plays Signe?", series, ["Karl Strand", "Eva Lunde", "Pia Aasen"]],
    ["where and when", "In what year was Mill House built?", town, ["1908", "Molde"]],
    ["what is done to", "What did Joan Pike buy?", "Joan Pike bought Mill House from Dana Fisk.", ["Mill House"]],
    ["with whom", "Who wrote X with Ann Lee?", "Ann Lee wrote X with Bo Chen.", ["Ann Lee", "Bo Chen"]],
    ["either of two that are married", "Whom did Ann Lee marry?", "Ann Lee married Bo Chen.", ["Ann Lee", "Bo Chen"]],
    ["who came after", "Who led Corvel after Ann Lee?", "Ann Lee was succeeded by Bo Chen.", ["Bo Chen"]],
    [
      "at the beginning of a sentence",
      "Who wrote Gulls?",
      "Gulls is a play. Written by Ann Lee in Oslo, it won.",
      ["Ann Lee"],
    ],
    ["in an apposition", "Who founded Corvel?", "Bo Chen met the founder of Corvel, Ann Lee.", ["Ann Lee"]],
  ])("%s: %s", (_, question, passage, names) => {
    expect(findWanted(passage, question)).toEqual(names);
  });
});

describe("of several who did the same, the one who did it to what the question names is told", () => {
  test.each([
    ["Who plays Signe?", series, "Eva Lunde"],
    ["Which actress played Mina?", film, "Eva Lunde"],
    ["Who built the chapel?", "The hall was built by Bo Chen, the barn by Ann Lee and the chapel by Cy Dee.", "Cy Dee"],
    ["Who played the drums?", "Ann Lee played the guitar, Bo Chen bass and Cy Dee drums.", "Cy Dee"],
    ["Who made Gulls?", "Tern was made by Bo Chen, and Gulls (1971) by Ann Lee.", "Ann Lee"],
    ["Who painted the Ropeworks?", "Bo Chen painted Mill House and Cy Dee painted the Ropeworks.", "Cy Dee"],
  ])("%s", (question, passage, name) => {
    expect(findWanted(passage, question, ["roleNearest"])).toEqual([name]);
  });
});

describe("nothing is told", () => {
  test.each([
    ["without a deed", "Where exactly?", town],
    ["of a deed that the text doesn't have", "Who composed Mill House?", town],
    ["of a text that names nobody", "Who built Mill House?", "It rained all day."],
  ])("%s: %s", (_, question, passage) => {
    expect(findWanted(passage, question)).toEqual([]);
  });

  test("a text that speaks of one deed alone is read in time", () => {
    const names = Array.from({ length: 60 }, (_, at) => `Ann${at} Lee${at}`).join(", ");
    const passage = `${names} wrote ${"and wrote (as she wrote) ".repeat(20_000)}. ${"It was written. ".repeat(20_000)}`;
    const started = performance.now();
    findWanted(passage, "Who wrote what Ann7 Lee7 wrote?");
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
