import { describe, expect, it } from "vitest";
import { cutWrongAnswer } from "./cuts.ts";
import { phrasings } from "./phrasings.ts";
import { restate } from "./restate.ts";
import { swapAnswers } from "./swaps.ts";

function put(name: string, answer: string, question = "Who was it?"): string | null {
  const phrasing = phrasings.find((other) => other.name === name);
  if (!phrasing) throw new Error(`There is no phrasing "${name}".`);
  return phrasing.put(answer, question);
}

describe("phrasings", () => {
  it("have names of their own", () => {
    expect(new Set(phrasings.map(({ name }) => name)).size).toBe(phrasings.length);
  });

  it("put an answer into sentences, lists and JSON", () => {
    expect(put("the answer is", "Rome.")).toBe("The answer is Rome.");
    expect(put("based on the passage", "Rome")).toBe("Based on the passage, Rome.");
    expect(put("bold", "Rome")).toBe("**Rome**");
    expect(put("numbered list", "Rome")).toBe("1. Rome");
    expect(JSON.parse(put("JSON", 'The "Roma"') ?? "")).toEqual({ answer: 'The "Roma"' });
  });

  it("write numbers in words, but not years and decimals", () => {
    expect(put("numbers in words", "17%")).toBe("seventeen percent");
    expect(put("numbers in words", "6,960")).toBe("six thousand nine hundred and sixty");
    expect(put("numbers in words", "1,005")).toBe("one thousand and five");
    expect(put("numbers in words", "1984")).toBeNull();
    expect(put("numbers in words", "0.9 s")).toBeNull();
  });

  it("shorten the names of persons alone", () => {
    expect(put("first name as an initial", "Amy Jo Johnson")).toBe("A. Johnson");
    expect(put("last name alone", "Amy Jo Johnson")).toBe("Johnson");
    expect(put("last name first", "Amy Johnson")).toBe("Johnson, Amy");
    expect(put("last name alone", "Gillette Stadium", "In which stadium do they play?")).toBeNull();
  });

  it("write dates in other forms", () => {
    expect(put("date, day first", "February 5, 1953")).toBe("5 February 1953");
    expect(put("date, ISO", "5 February 1953")).toBe("1953-02-05");
    expect(put("date, ordinal", "March 1, 1999")).toBe("the 1st of March, 1999");
    expect(put("date, ordinal", "March 12, 1999")).toBe("the 12th of March, 1999");
    expect(put("date, ISO", "1953")).toBeNull();
  });
});

describe("restate", () => {
  it("puts the answer where the question asks", () => {
    expect(restate("Which band was founded first, Ash or Oak?", "Ash")).toBe("Ash was founded first.");
    expect(restate("Elm was directed by whom?", "Ida Moe")).toBe("Elm was directed by Ida Moe.");
    expect(restate("In what year did it start?", "1921")).toBe("In 1921 did it start.");
  });

  it("leaves questions alone that ask for no part of a sentence", () => {
    expect(restate("Are Ash and Oak both bands?", "yes")).toBe("Yes, it is true of Ash and Oak both bands.");
    expect(restate("Are Ash and Oak both bands?", "bands")).toBeNull();
  });
});

const item = {
  knowledge:
    "Elm is a film directed by Ida Moe, starring Cy Dee. It was released in 1921. Ash is a 1930 film by Bo Chen.",
  question: "Who directed Elm?",
  right: "Ida Moe",
  wrong: "",
};

describe("cutWrongAnswer", () => {
  it("keeps what neither the text nor the question has", () => {
    expect(cutWrongAnswer({ ...item, wrong: "The film Elm was directed by Lars Holt." })).toBe("Lars Holt");
  });

  it("keeps the wrong one of two, and the wrong one of yes and no", () => {
    const choice = {
      ...item,
      question: "Which film is older, Elm or Ash?",
      right: "Elm",
      wrong: "Ash is older than Elm.",
    };
    expect(cutWrongAnswer(choice)).toBe("Ash");
    const polar = { ...item, question: "Are both films?", right: "yes", wrong: "No, Ash is a song." };
    expect(cutWrongAnswer(polar)).toBe("No");
  });

  it("leaves what is wrong by a not", () => {
    expect(cutWrongAnswer({ ...item, wrong: "Ida Moe did not direct Elm." })).toBe("Ida Moe did not direct Elm.");
  });
});

describe("swapAnswers", () => {
  it("takes the text's other names, or its other years", () => {
    expect(swapAnswers(item)).toEqual(["Cy Dee", "Bo Chen"]);
    expect(swapAnswers({ ...item, question: "When was Elm released?", right: "1921" })).toEqual(["1930"]);
  });
});
