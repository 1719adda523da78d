import { describe, expect, test } from "vitest";
import type { Claim, Finding, Verdict } from "#contract";
import { judgeByRules } from "../rules-judge.ts";

function judge(document: string | null, response: string, prompt = ""): readonly Claim[] {
  return judgeByRules({ prompt, response, document, strict: false }).claims;
}

function findingsOf(document: string | null, response: string, prompt = ""): readonly Finding[] {
  return judge(document, response, prompt).flatMap(({ findings }) => findings);
}

const verdictOf = (document: string | null, response: string, prompt = "") =>
  judge(document, response, prompt)[0]?.verdict;

const lock =
  "The lock was built in 1937 by Ida Moen. It is 84 m long. The toll is $12 for a boat and 5% of the price for a barge.";

test.each<[verdict: Verdict, response: string]>([
  ["supported", "Ida Moen built the lock in 1937."],
  ["supported", "The lock was built by Moen in 1937."],
  ["supported", "It is 84 m long."],
  ["contradicted", "The lock was built in 1932 by Ida Moen."],
  ["not_checkable", "The lock was built in 1937 by Karl Strand."],
  ["not_found", "Ida Moen said that “the lock will stand for ever”."],
  ["not_found", "In 1990, 300 boats came."],
  ["not_checkable", "The lock of 1937 is 84 m long."],
  ["not_checkable", "Everybody likes it."],
  ["not_checkable", "The document doesn't say who paid 40 million for it."],
  ["not_checkable", "Was it built in 1932?"],
])("%s: %s", (verdict, response) => {
  expect(verdictOf(lock, response)).toBe(verdict);
});

test("a contradiction shows the value and the passage that say otherwise, right to the character", () => {
  const [found, ...others] = findingsOf(lock, "Ida Moen built the lock in 1932.");
  expect(others).toEqual([]);
  expect(found).toEqual({
    kind: "date",
    verdict: "contradicted",
    span: { source: "response", start: 27, end: 31, text: "1932" },
    reason: "The document says 1937, not 1932.",
    evidence: [
      { source: "document", start: 22, end: 26, text: "1937" },
      { source: "document", start: 0, end: 39, text: "The lock was built in 1937 by Ida Moen." },
    ],
  });
});

test("several things that are missing in one sentence are one claim with several findings", () => {
  const claims = judge(lock, "Karl Strand built the lock in 1932 for 40 million.");
  expect(claims).toHaveLength(1);
  expect(claims[0]?.findings.map(({ kind, verdict }) => [kind, verdict])).toEqual([
    ["date", "not_found"],
    ["number", "not_found"],
  ]);
  // Right answers have other names, too: a name is no finding, but stands out beside the nearest passage.
  const names = claims[0]?.nearest?.differing.filter(({ kind }) => kind === "name");
  expect(names?.map(({ text }) => text)).toContain("Strand");
});

describe("a value is contradicted only where", () => {
  test.each<[what: string, verdict: Verdict, document: string, response: string]>([
    [
      "it stands nowhere in the document",
      "not_checkable",
      `${lock} The ferry was built in 1932.`,
      "The lock was built in 1932.",
    ],
    [
      "no other passage is as likely",
      "not_found",
      "The red boat costs $5. The blue boat costs $7.",
      "The boat costs $9.",
    ],
    ["the passage has no other of its class", "not_found", "Ada got 48 votes and Bo 31 votes.", "Bo got 37 votes."],
    ["the other is of the same class", "not_found", "The fee is 5% of the price.", "The fee is $7."],
    ["it counts the same", "contradicted", "The choir has 40 singers and one organ.", "The choir has 44 singers."],
    [
      "its words are about the same",
      "not_found",
      "You may return goods within 30 days.",
      "Return shipping must be paid within 10 days.",
    ],
    [
      "it is no total that was worked out",
      "not_found",
      "The hall has 40 seats.",
      "In total the hall has 97 seats left.",
    ],
  ])("%s", (_what, verdict, document, response) => {
    expect(verdictOf(document, response)).toBe(verdict);
  });

  test("it is a date as a whole, not by its parts", () => {
    const minutes = "The board met on 4 March 2024 in Oslo.";
    expect(findingsOf(minutes, "The board met on 6 March 2024.")).toMatchObject([
      { kind: "date", span: { text: "6 March 2024" }, reason: "The document says 4 March 2024, not 6 March 2024." },
    ]);
    expect(verdictOf(minutes, "The board met on March 4th, 2024.")).toBe("supported");
    expect(verdictOf(minutes, "The board met in March 2024.")).toBe("supported");
    expect(verdictOf("It was 2024. The board met on 4 March.", "The board met on 4 March 2024.")).toBe("supported");
    expect(verdictOf("The shop opens at 9 a.m.", "The shop opens at 9:00.")).toBe("supported");
    expect(verdictOf("The shop opens at 9 a.m.", "The shop opens at 10 a.m.")).toBe("contradicted");
  });

  test("it is an answer in few words, and the question makes it whole", () => {
    expect(verdictOf(lock, "1932", "When was the lock built?")).toBe("contradicted");
    expect(verdictOf(lock, "1937", "When was the lock built?")).toBe("supported");
  });
});

describe("never accused is", () => {
  test.each<[what: string, document: string, response: string, reason: string]>([
    ["what is rounded", "The town has 16,902 people.", "The town has about 17,000 people.", "16,902 is about 17,000."],
    [
      "what is written with fewer digits",
      "Sales were $48.3 million.",
      "Sales were $48 million.",
      "$48.3 million is about $48 million.",
    ],
    ["a unit that is converted", "Fill in 0.5 l of water.", "Fill in 500 ml of water.", "0.5 l is 500 ml."],
    [
      "units that are joined",
      "It takes 1 hour and 50 minutes.",
      "It takes 110 minutes.",
      "1 hour is in another unit than 110 minutes.",
    ],
    [
      "a sum",
      "The rent is €1,150 and heating €180.",
      "The rent with heating is €1,330 in total.",
      "€1,150 + €180 is €1,330.",
    ],
    ["a difference", "Adults pay $14, students $9.", "Students pay $5 less than adults.", "$14 − $9 is $5."],
    [
      "a product",
      "Parking is 18 francs a night for 6 cars.",
      "That is 108 francs each night for 6 cars.",
      "18 × 6 is 108.",
    ],
    ["a ratio", "They made 4,512 of 4,800 pieces.", "They made 94% of the pieces in all.", "4,512 of 4,800 is 94%."],
    ["a share", "Two-thirds were satisfied.", "About 67% were satisfied.", "Two-thirds is 67%."],
  ])("%s: the arithmetic is the reason", (_what, document, response, reason) => {
    const [claim] = judge(document, response);
    expect(claim?.verdict).toBe("not_checkable");
    expect(claim?.findings.map((finding) => finding.reason)).toContain(reason);
  });

  test("a value or a name of the prompt", () => {
    const prompt = "Mr Feldt paid $77 on 3 May. Is that right?";
    expect(verdictOf(lock, "Mr Feldt has paid $77 on 3 May.", prompt)).toBe("not_checkable");
  });

  test("what an equation of the response has come to", () => {
    const response = "68 × 21 = 1,428. So it is 1,428 km.";
    expect(judge("He drives 68 km on 21 days.", response).map(({ verdict }) => verdict)).not.toContain("not_found");
  });

  test("a small number in words that sets something off", () => {
    expect(verdictOf(lock, "The three of them met at the lock of 1937.")).not.toBe("not_found");
  });
});

describe("the same in other words", () => {
  test.each<[document: string, response: string]>([
    ["Revenue was $14.6 million.", "Revenue was $14.6m."],
    ["It was −25 °C in Oslo.", "It was minus 25 °C in Oslo."],
    ["Two-thirds agreed to it.", "2/3 agreed to it."],
    ["The fee is 5 %.", "The fee is 5 percent."],
    ["Der Tank fasst 1,5 l Wasser.", "Der Tank fasst 1.5 l Wasser."],
    ["In the third quarter of 2023 sales rose to $5m.", "Sales rose to $5m in the third quarter of 2023."],
    ["He worked for five and a half years.", "He worked for 5.5 years."],
    ["The BBC was founded in 1922.", "The British Broadcasting Corporation was founded in 1922."],
    ["The Bolivian team won 3 games.", "Bolivia won 3 games."],
    ["| North | 120 | 134 |\n| South | 98 | 95 |", "- South: 98 and 95"],
  ])("%s: %s", (document, response) => {
    expect(["supported", "not_checkable"]).toContain(verdictOf(document, response));
    expect(findingsOf(document, response).filter(({ verdict }) => verdict === "not_found")).toEqual([]);
  });

  test("a quarter of a year is no fourth", () => {
    expect(verdictOf("Sales rose by 0.25 points.", "Sales rose in the quarter.")).toBe("not_checkable");
    expect(findingsOf("The third quarter was good.", "The third quarter was good in 2019.")).toMatchObject([
      { span: { text: "2019" } },
    ]);
  });

  test.each([
    ["The company will open two new warehouses in Poland.", "Two new warehouses are planned in Poland."],
    ["Ann sold the boat to Bo Chen.", "Bo Chen bought the boat from Ann."],
    ["He never left Rome.", "He lived in Rome all his life."],
    ["Invoices are payable within 30 days, not 60.", "Invoices have to be paid within 30 days."],
    ["The museum is not open on Mondays.", "The museum is closed on Mondays."],
  ])("what is true is never contradicted: %s %s", (document, response) => {
    expect(verdictOf(document, response)).not.toBe("contradicted");
  });
});

describe("the opposite", () => {
  test.each([
    ["Pets are not allowed in the rooms.", "Pets are allowed in the rooms.", "Pets are allowed in the rooms"],
    ["The road budget falls next year.", "The road budget rises next year.", "rises"],
    [
      "It does not cover water damage or repairs by other workshops.",
      "Repairs by other workshops are covered.",
      "Repairs by other workshops are covered",
    ],
    ["Ann sold the boat to Bo Chen.", "Ann bought the boat from Bo Chen.", "bought"],
  ])("of %s is %s", (document, response, part) => {
    const [found] = findingsOf(document, response);
    expect(found).toMatchObject({ kind: "opposite", verdict: "contradicted", span: { text: part } });
    expect(found?.evidence.map(({ text }) => text)).toEqual([document]);
  });
});

describe("without a document, a passage of the prompt is looked up in", () => {
  const told = "The lock was built in 1937 by Ida Moen. It is 84 m long.";
  const more =
    "It lies near Molde, where the river meets the sea, and boats of every size wait for it in summer, when the toll is paid at a small red house next to the gate by all who pass.";
  test.each([
    ["that is labelled", `Passage: ${told}\n\nQuestion: When was it built?`],
    ["that is quoted as a block", `When was it built?\n\n> ${told}`],
  ])("%s", (_what, prompt) => {
    expect(findingsOf(null, "Ida Moen built the lock in 1932.", prompt)).toMatchObject([
      {
        verdict: "contradicted",
        reason: "The passage says 1937, not 1932.",
        evidence: [{ source: "prompt", text: "1937" }, {}],
      },
    ]);
  });

  test.each([
    ["not marked, however long", `${told} ${more} When was it built?`],
    ["an example", `Example: ${told}\nWrite about your own town.`],
    ["an earlier answer", `Q: Where is it?\nA: ${told}\nQ: Who built it?`],
    ["code", `What does this do?\n\`\`\`python\nlock(1937, "Ida Moen", 84) # ${told}\n\`\`\``],
    ["to be translated", `Translate into German. Passage: ${told}`],
  ])("but none that is %s", (_what, prompt) => {
    expect(judge(null, "Karl Strand built it in 1932.", prompt).map(({ verdict }) => verdict)).toEqual([
      "not_checkable",
    ]);
  });
});

describe("beside the nearest passage, values are compared as verdicts compare them", () => {
  /** The values and comparisons that stand out; the claim has other words, so that it is not checkable. */
  const differing = (document: string, response: string) => {
    const [claim] = judge(
      `${document}, near the harbour.`,
      `${response} while guests painted walls, planted trees and adopted cats.`,
    );
    return claim?.nearest?.differing.filter(({ kind }) => kind !== "word").map(({ text }) => text);
  };

  test.each([
    ["The cafe made $14.6 million", "The cafe made $14.6m"],
    ["The cafe made $14,600,000", "The cafe made 14.6 million dollars"],
    ["The cafe grew by 8 %", "The cafe grew by 8 percent"],
    ["The cafe grew by 0.25 %", "The cafe grew by 25 bps"],
    ["The cafe opened on 3 April 2026", "The cafe opened on April 3, 2026"],
    ["The cafe opened on 2026-04-03", "The cafe opened on 3-Apr-26"],
    ["The cafe opens at 9:00 on Sundays", "The cafe opens at nine on Sundays"],
    ["The cafe is 5 km away", "The cafe is 5 kilometres away"],
    ["The cafe has 12 tables", "The cafe has twelve tables"],
    ["The cafe lost two-thirds", "The cafe lost 2/3"],
    ["The cafe seats a minimum of 30", "The cafe seats at least 30"],
    ["The cafe does not serve fish", "The cafe doesn't serve fish"],
  ])("%s: %s", (document, response) => {
    expect(differing(document, response)).toEqual([]);
    expect(differing(response, document)).toEqual([]);
  });

  test.each([
    ["The cafe made $14.6 million", "The cafe made $14.8m", ["$14.8m", "$14.6 million"]],
    ["The cafe made €5 million", "The cafe made $5 million", ["$5 million", "€5 million"]],
    ["The cafe is 5 km away", "The cafe is 5 miles away", ["5 miles", "5 km"]],
    ["The cafe opened on 3 April 2026", "The cafe opened on 4 April", ["4 April", "3 April 2026"]],
    ["The cafe has 12 thousand guests", "The cafe has 12 guests", ["12", "12 thousand"]],
  ])("%s: %s, but for %j", (document, response, expected) => {
    expect(differing(document, response)).toEqual(expected);
  });
});
