import { describe, expect, test } from "vitest";
import { readText } from "../../../../../text/index.ts";
import { readContext } from "../../../context.ts";
import { splitQuestion } from "./split-question.ts";

const passage = "Ida Moen is a Norwegian filmmaker from Molde. She made The Long Ferry in 1996.";

function split(question: string): readonly string[] | null {
  const prompt = readText("prompt", `${passage}\n\n${question}`);
  const context = readContext({ prompt, response: readText("response", "Molde"), document: null });
  if (context === null) throw new Error("The prompt has no passage.");
  const found = splitQuestion(context.question).split;
  if (found === null) return null;
  const say = (words: typeof found.asked): string => words.map(({ raw }) => raw).join(" ");
  return [say(found.asked), found.head.raw, say(found.described)];
}

describe("a question that describes somebody is split into what is asked and who is described", () => {
  test.each([
    ["Who directed the film that beat Stone Harbour?", "directed", "film", "the film that beat Stone Harbour"],
    [
      "The director of the 1996 film set on a ferry was born in which city?",
      "was born in which city",
      "director",
      "The director of the 1996 film set on a ferry",
    ],
    ["What school did the mother of Ida Moen lead?", "school lead", "mother", "the mother of Ida Moen"],
    [
      "In what city was the writer known for Stone Harbour born?",
      "city born",
      "writer",
      "the writer known for Stone Harbour",
    ],
    ["In what year did Moen's teacher die?", "year die", "teacher", "Moen teacher"],
    ["Where was the treaty signed that ended the war?", "signed", "treaty", "the treaty that ended the war"],
    ["The oldest bridge in Molde was closed when?", "was closed when", "bridge", "The oldest bridge in Molde"],
  ])("%s", (question, ...parts) => {
    expect(split(question)).toEqual(parts);
  });
});

test.each([
  "Who directed The Long Ferry?",
  "In what city was Ida Moen born?",
  "Which filmmaker who was born in Molde directed The Long Ferry?",
  "When did Ida Moen move to Prague?",
  "The director of The Long Ferry is who?",
])("a question of one step isn't split: %s", (question) => {
  expect(split(question)).toBeNull();
});
