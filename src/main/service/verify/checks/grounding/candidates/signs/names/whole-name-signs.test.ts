import { describe, expect, test } from "vitest";
import { readText } from "../../../../../text/index.ts";
import { readContext } from "../../../context.ts";
import { indexSentences } from "../../index-sentences.ts";
import { readAsked } from "../../read-asked.ts";
import { readCandidates } from "../../read-candidates.ts";
import { trackTopics } from "../../track-topics.ts";
import { readOverview } from "../sentence-signs.ts";
import type { Signs } from "../sign-names.ts";
import { describesSubject } from "./describes-subject.ts";
import { readWholeNameSigns } from "./whole-name-signs.ts";

const film =
  "The Long Ferry is a 1996 Norwegian drama film directed by Ida Moen. In 1997, the film won the Amber Prize. Karl Strand was its editor. It was shown in Rome.Ida Moen (born 4 May 1951) is a Norwegian filmmaker. In 1970 she studied in Prague. Together with Per Aasen, she wrote a play.";
const guards =
  "The Sea Guards were formed in 1798. They were disbanded in 1810. The Lake Guards were a similar force, and served until 1813.";

function read(passage: string, question: string) {
  const prompt = readText("prompt", `${passage}\n\n${question}`);
  const context = readContext({ prompt, response: readText("response", "It is so."), document: null });
  if (context === null) throw new Error("The prompt has no passage.");
  const { words, passage: read } = context.evidence;
  const candidates = readCandidates(read);
  const indexOf = (name: string): number =>
    candidates.findIndex(({ mentions }) =>
      mentions.some(({ from, to }) => read.text.text.slice(words[from]?.start, words[to - 1]?.end) === name),
    );
  return { context, candidates, indexOf };
}

function signsOf(passage: string, question: string, name: string): Signs {
  const { context, candidates, indexOf } = read(passage, question);
  const overview = readOverview(readAsked(context), indexSentences(context, candidates));
  const signs = readWholeNameSigns(context, overview, candidates);
  const own = signs[indexOf(name)];
  if (own === undefined) throw new Error(`The passage has no ${name}.`);
  return own;
}

test("each sentence is about its subject, or goes on about the one before; a glued paragraph begins anew", () => {
  const { context, candidates, indexOf } = read(film, "Who directed The Long Ferry?");
  const topics = [...trackTopics(context.evidence, candidates).values()];
  const [ferry, moen, strand] = [indexOf("Long Ferry"), indexOf("Ida Moen"), indexOf("Karl Strand")];
  expect(topics.map(({ subject }) => subject)).toEqual([ferry, ferry, strand, ferry, moen, moen, moen]);
  expect(topics.map(({ title }) => title)).toEqual([ferry, ferry, ferry, ferry, moen, moen, moen]);
});

describe("whether a question describes what it asks of", () => {
  test.each([
    ["Where was the director of The Long Ferry born?", true],
    ["The woman who made The Long Ferry studied where?", true],
    ["What play did The Long Ferry's director write?", true],
    ["In which city is the school that Ida Moen went to?", true],
    ["Who was the director of The Long Ferry?", false],
    ["Where did Ida Moen study?", false],
    ["What is the name of Ida Moen?", false],
  ])("%s %s", (question, expected) => {
    expect(describesSubject(read(film, question).context).isDescribed).toBe(expected);
  });
});

describe("names of the question, as wholes", () => {
  test("a name of the question is one in a longer form and in small letters, too", () => {
    expect(signsOf(film, "Where did Moen study?", "Ida Moen").ownName).toBe(1);
    expect(signsOf(film, "where did ida moen study?", "Ida Moen").ownName).toBe(1);
    expect(signsOf(film, "Where did Ida Moen study?", "Karl Strand").ownName).toBe(0);
  });

  test("what shares a word with one and is another is alike, and so are the sentences about it", () => {
    const question = "When were the Lake Guards disbanded?";
    expect(signsOf(guards, question, "Lake Guards")).toMatchObject({ ownName: 1, alikeName: 0 });
    expect(signsOf(guards, question, "Sea Guards")).toMatchObject({ ownName: 0, alikeName: 1 });
    expect(signsOf(guards, question, "1810").alikeTopic).toBe(1);
    expect(signsOf(guards, question, "1813").alikeTopic).toBe(0);
  });
});

describe("where the question describes what it asks of", () => {
  const question = "In what city did the director of The Long Ferry study?";

  test("who is described stands in several paragraphs, opens one, and stands beside most of the question", () => {
    expect(signsOf(film, question, "Ida Moen")).toMatchObject({
      describedTitle: 1,
      describedAcross: 1,
      describedBest: 1,
      describedOfName: 1,
    });
  });

  test("what is asked of them stands under them alone, not under the name of the question", () => {
    expect(signsOf(film, question, "Prague")).toMatchObject({
      describedTitle: 0,
      describedAcross: 0,
      describedUnderName: 0,
      describedOfName: 0,
    });
    expect(signsOf(film, question, "Rome")).toMatchObject({ describedUnderName: 1, describedOfName: 1 });
  });

  test("of what is named, none of this is said", () => {
    expect(signsOf(film, "Where did Ida Moen study?", "Prague").describedUnderName).toBeUndefined();
  });
});
