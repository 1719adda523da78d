import { describe, expect, it } from "vitest";
import { readText } from "./sentences.ts";

function split(text: string): readonly string[] {
  return readText("prompt", text).sentences.map(({ start, end }) => text.slice(start, end));
}

describe("readText", () => {
  it("splits at full stops, question marks and line breaks", () => {
    expect(split("It rained. Did it?  Yes!\nThe end")).toEqual(["It rained.", "Did it?", "Yes!", "The end"]);
  });

  it("splits where the next sentence is glued to a full stop", () => {
    expect(split("It is sold in the USA.Which magazine is older?")).toEqual([
      "It is sold in the USA.",
      "Which magazine is older?",
    ]);
    expect(split("It closed in 1846.First for Women is newer.")).toHaveLength(2);
    expect(split("It is in the Central District.he district is old.")).toHaveLength(2);
  });

  it("splits before a question that follows without a full stop", () => {
    expect(split("It was made by Philip Klein Which film is older?")).toHaveLength(2);
    expect(split("It was made in 1999Which film is older?")).toHaveLength(2);
    expect(split("It was made in 1999 Are both films?")).toHaveLength(2);
    expect(split("She sang What a Day in 1999.")).toHaveLength(1);
  });

  it("keeps abbreviations, initials, numbers and addresses in one piece", () => {
    for (const text of [
      "Dr. Smith met J. K. Rowling at 3.5 km from St. Paul.",
      "The U.S. Army runs it, e.g. in Ohio.",
      "Mail a.b@example.com or see example.com/page?x=1.",
      "The e.Dams-Renault driver won.",
    ]) {
      expect(split(text)).toEqual([text]);
    }
  });

  it("keeps closing quotes and brackets with their sentence", () => {
    expect(split('He said "Stop." Then he left.')).toEqual(['He said "Stop."', "Then he left."]);
  });

  it("finds none in an empty text", () => {
    expect(split(" \n ")).toEqual([]);
  });
});
