import { describe, expect, test } from "vitest";
import { readText } from "../../text/index.ts";
import { findSource } from "./find-source.ts";
import { readQuestion } from "./question.ts";

const passage =
  "The Tarn Bridge is a film by Ada Moss, shot in Velm in 1961. It was released by Halden Films. Bo Krall sang its title song.";

function kindOf(question: string): string | undefined {
  const reading = {
    prompt: readText("prompt", `${passage}\n${question}`),
    response: readText("response", "Yes"),
    document: null,
  };
  const source = findSource(reading);
  return source === null ? undefined : readQuestion(reading, source).kind;
}

describe("what a question asks for", () => {
  test.each([
    ["a title of something with a name", "What was the title of the film that Ada Moss shot in Velm?", "what"],
    ["a label of something with a name", "Which label did Bo Krall record for?", "what"],
    ["a language at the end", "The Tarn Bridge was shot in which language?", "what"],
    ["no word that asks", "Name the singer of the title song of The Tarn Bridge.", "what"],
    ["only a thing", "The director of the film that was shot in Velm?", "open"],
    ["only a thing, without a verb of being", "The director of the film that came from Velm?", "what"],
    ["somebody who found how to do it", "Who taught the girl who found how to film The Tarn Bridge?", "who"],
    ["a title that begins like a question", "Who sang the title song of Is Velm Burning?", "who"],
    ["a title that begins with a verb", "What singer born in Velm appeared in Do the Tarn Walk?", "what"],
    ["a duty", "Must you pay to cross the Tarn Bridge?", "yes-no"],
    ["two in the genitive", "Was Moss's or Krall's work done first?", "yes-no"],
    ["a name in the genitive", "Was Moss's or Krall founded first?", "choice"],
    ["the one of two", "Did more people see the Games of Velm or those of Halden?", "choice"],
    ["what lies between two", "What is the sign of the train between Velm and Halden?", "what"],
    ["one of two", "Is Velm or Halden the larger town?", "choice"],
    ["a name with “Or”", "What singer, also known as mi Sde-Or, sang the title song?", "what"],
    ["a judgement of the text", "What is the tone of the passage?", "open"],
    ["a title for the text", "What is a good title?", "open"],
    ["several", "Name the members of the band.", "open"],
    ["how to do it", "How did Ada Moss film in Velm?", "open"],
    ["a reason", "Why was it shot in Velm?", "open"],
    ["what somebody made", "What did Ada Moss shoot in Velm?", "what"],
    ["what was paid", "What did Ada Moss pay for the film?", "how-many"],
    ["a deed", "What did Ada Moss do in Velm?", "open"],
    ["a view of the text", "What does the author imply of Velm?", "open"],
  ])("%s", (_, question, kind) => {
    expect(kindOf(question)).toBe(kind);
  });
});

test("two that a question offers are found where a sentence of the text asks, too", () => {
  const text =
    "Leaflet: your lumoscopy. Tell us if you take pills. It costs 40 euros. Leaflet: your tomography. It costs 90 euros.";
  const reading = {
    prompt: readText("prompt", `${text}\nwhich examination is cheaper, the lumoscopy or the tomography`),
    response: readText("response", "Yes"),
    document: null,
  };
  const source = findSource(reading);
  const question = source && readQuestion(reading, source);
  const offered = question?.options?.map(({ from, to }) => question.all.slice(from, to).map(({ norm }) => norm));
  expect(offered).toEqual([["lumoscopy"], ["tomography"]]);
});
