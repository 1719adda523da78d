import { describe, expect, test } from "vitest";
import { checkAttachment } from "./check-attachment.ts";
import { findWrongBy } from "./test-find-wrong.ts";

const runner =
  "Tesfa Alem (2 May 1971 – 4 June 2019) was a runner. He won the Oslo Run five times and the Turin Run three times in a row. He ended his career with 48 races and 31 wins. A stadium was named after him in 2003. Marta Quill (7 August 1966 – 1 July 2010) was a swimmer. A film about the floods of 1953 gave her a role in 1990.";
const shop =
  "Quill Cycles guarantees the frame for 12 years and the saddle for 3 years. The lamp is guaranteed for 3 years. The shop shuts at 18:00, repairs end at 17:00. A wheel may be returned by 24 May, and the meter is read on 11 May.";

describe("the number of the text that the question asks for is told from others", () => {
  test.each([
    ["of what is counted", runner, "How many wins did Tesfa Alem have?", "Tesfa Alem had 48 wins."],
    ["of the name beside it", runner, "How many times did Alem win in Oslo?", "He won the Oslo Run three times."],
    ["of a part", shop, "How long does Quill Cycles guarantee the frame?", "The frame is guaranteed for 3 years."],
    ["of a time", shop, "When do repairs end?", "Repairs end at 18:00."],
  ])("%s: %s %s", (_, passage, question, response) => {
    for (const reasons of findWrongBy(checkAttachment, passage, question, response)) expect(reasons).not.toEqual([]);
  });
});

describe("a right number is not taken for one of something else", () => {
  test.each([
    [runner, "How many wins did Tesfa Alem have?", "31"],
    [runner, "How many races did Tesfa Alem run?", "There were 48 races, of which he won 31."],
    [runner, "How many times did Alem win in Oslo?", "five times"],
    [runner, "How many times did Alem win in Turin?", "three"],
    [runner, "How many of the 48 races did Alem win?", "31"],
    [shop, "How long does Quill Cycles guarantee the saddle?", "3 years"],
    [shop, "How long does Quill Cycles guarantee the frame?", "12 years"],
    [shop, "How long does Quill Cycles guarantee the seat?", "3 years"],
    [shop, "How long does Quill Cycles guarantee the seat?", "The seat is guaranteed for 3 years."],
    [shop, "How long is the light guaranteed?", "It is guaranteed for 3 years."],
    [shop, "When is the shop closed?", "At 18:00"],
    [shop, "When do repairs end?", "At 5 pm"],
    [shop, "By when may a wheel be returned?", "24 May"],
  ])("%s %s %s", (passage, question, response) => {
    expect(findWrongBy(checkAttachment, passage, question, response)).toEqual([[], []]);
  });
});

describe("a number that the response adds by the way is not held against what is asked", () => {
  test.each([
    ["Who was older, Alem or Quill?", "Quill was born in 1966 and Alem in 1971, so she was."],
    ["What was the film about that gave Marta Quill a role?", "It was about the floods of 1953."],
    ["Which runner is a stadium named after?", "Tesfa Alem (1971–2019)"],
  ])("%s %s", (question, response) => {
    expect(findWrongBy(checkAttachment, runner, question, response)).toEqual([[], []]);
  });
});
