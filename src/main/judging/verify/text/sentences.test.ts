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

  it("takes a row of a table as one", () => {
    expect(split("| A. Orr | 5. May |\n|---|---|\n| B. Lee | 6. May |\nDone. Now.")).toEqual([
      "| A. Orr | 5. May |",
      "|---|---|",
      "| B. Lee | 6. May |",
      "Done.",
      "Now.",
    ]);
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

  it("takes no initials and abbreviations for the end, whatever name follows", () => {
    for (const text of [
      "When did T.H. Marlow and J.R.R. Penn meet Dr. No?",
      "Who sang R.E.M.'s and the M.G.'s songs at St. Louis?",
      "She founded N.K. Farmers vs. X with Ada Bly Jr. and A. & J. Orr.",
      "See No. 5, p. 12 and vol. IV by Ivo Hart (c. 1830 – 4 May 1902).",
      "In Hale v. Ohio the U.S. Senate lost.",
      "The load is max. 20 kg, ref. TV-22.",
    ]) {
      expect(split(text)).toEqual([text]);
    }
  });

  it("ends a sentence after a single letter that is no initial", () => {
    for (const text of [
      "It is 706 m deep at 1,706 m.Lake Orr is near.",
      "It drove at 60 km/h.The wind rose.",
      "It was ruled by Anna I. She died young.",
      "It has 2,200 W. Cable length: 75 cm.",
      "They met on 12 Sept. Nobody was ill.",
    ]) {
      expect(split(text)).toHaveLength(2);
    }
    expect(split("In 1984 W. Orr left. He was 12 on 3 Sept. 1999.")).toHaveLength(2);
  });

  it("splits before a glued sentence in capitals, but not in the name of a file", () => {
    expect(split("It sells books.HMS Orr is a ship.")).toEqual(["It sells books.", "HMS Orr is a ship."]);
    expect(split("It opened in 1952.DDA is older.")).toHaveLength(2);
    expect(split("It is by a singer.N. C. Orr wrote it.")).toEqual(["It is by a singer.", "N. C. Orr wrote it."]);
    expect(split("It uses Orr.NET and opens report.PDF files.")).toHaveLength(1);
  });

  it("goes on after a mark inside a name or what is quoted", () => {
    for (const text of [
      'Who starred in "Stop!" with Ada Orr?',
      '"Who Is It?" (1951) is by Ivo Hart.',
      "Ahoy! is a film of 1919.",
      '"Say It..." and others won.',
      "Who hosted The Price Is Right?",
      "Which singer appeared in Do the Right Thing?",
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
