import { describe, expect, test } from "vitest";
import { readText } from "../../text/index.ts";
import { checkGrounding } from "./check-grounding.ts";
import { findTask } from "./find-task.ts";

describe("findTask", () => {
  test.each([
    ["Write a polite reply.", "make"],
    ["Please fix the code above.", "make"],
    ["Write a short summary of the report.", "tell"],
    ["Who wrote the song?", "tell"],
    ["Translate the text to French.", "translate"],
  ])("%s", (asking, task) => {
    expect(findTask(asking, "")).toBe(task);
  });
});

const email =
  "Hi team, the launch moved from Tuesday to Friday because two testers found a fault. Please update your calendars. Thanks, Priya";

function countFindings(prompt: string, response: string, document: string | null = null): number {
  return checkGrounding({
    prompt: readText("prompt", prompt),
    response: readText("response", response),
    document: document === null ? null : readText("document", document),
  }).length;
}

describe("where there is nothing to go by, grounding finds nothing", () => {
  test.each([
    ["a question alone", "What is the capital of France?", "Paris, with 2.1 million people."],
    ["a poem", "Write a poem about autumn.", "Golden leaves in Vermont, 1999."],
    [
      "a reply to what stands in the prompt",
      `${email}\n\nWrite a reply.`,
      "Hi Priya, Friday at 3 pm is fine. Best, Sam Baker",
    ],
    [
      "a translation",
      `${email}\n\nTranslate this to German.`,
      "Hallo Team, der Start ist nicht am Dienstag. Die Prüfer und Priya.",
    ],
    [
      "a response in another language",
      `${email}\n\nWhen is the launch?`,
      "Der Start ist am Freitag und nicht am Dienstag.",
    ],
    [
      "a problem to be worked out",
      "Ann has 12 apples. She buys 7 more and eats 4. How many apples does she have left?",
      "15",
    ],
  ])("%s", (_, prompt, response) => {
    expect(countFindings(prompt, response)).toBe(0);
  });

  test("a document is to be followed, whatever is to be made", () => {
    expect(countFindings("Write a reply.", "Hi Priya, Sam Baker here.", email)).toBeGreaterThan(0);
  });
});

describe("the passage is told from the question", () => {
  const passage = "Elm is a film of 1921 by Ida Moe. Oak is a film of 1930 by Bo Chen.";
  test.each([
    ["passage first", `${passage}\n\nWho made Elm?`],
    ["glued together", `${passage}Who made Elm?`],
    ["question first", `Who made Elm?\n\n${passage}`],
    ["with labels", `Context: ${passage}\nQuestion: Who made Elm?\nAnswer:`],
    ["with an instruction before it", `Answer the question from the text.\n\nText: ${passage}\n\nQ: Who made Elm?`],
    ["without a full stop between them", `${passage.slice(0, -1)} Who made Elm?`],
  ])("%s", (_, prompt) => {
    expect(countFindings(prompt, "Lars Holt made it.")).toBeGreaterThan(0);
    expect(countFindings(prompt, "Cy Dee.")).toBeGreaterThan(0);
  });
});
