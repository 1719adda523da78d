import fc from "fast-check";
import { expect, test } from "vitest";
import { readInput } from "../../read-input.ts";
import { checkConsistency } from "./index.ts";

const check = (response: string, prompt = "") => checkConsistency(readInput({ prompt, response, document: null }));
const wrong = (response: string, prompt = "") =>
  check(response, prompt).filter(({ verdict }) => verdict === "contradicted");

test.each([
  ["16 - 3 - 4 = 9\n9 * 2 = $18\n#### 20", "The last step comes to $18, and the conclusion says 20."],
  ["48/2 = 24. 48 + 24 = 72.\n\nThe answer is 62.", "The last step comes to 72, and the conclusion says 62."],
  ["48/2 = 24, 48 + 24 = 72.\n\n**Final answer:** 62", "The last step comes to 72, and the conclusion says 62."],
  ["x = 12\n\\boxed{13}", "The last step comes to 12, and the conclusion says 13."],
  ["48 + 24 = 72.\nSo she sold 82 clips.", "The last step comes to 72, and the conclusion says 82."],
])("%j: the conclusion differs from the last step", (response, reason) => {
  const [found, ...others] = wrong(response);
  expect(others).toEqual([]);
  expect(found?.reason).toBe(reason);
  expect(found?.evidence).toHaveLength(2);
});

test.each([
  "9 * 2 = $18\n#### 18",
  "2/8 = 0.25\n#### 25",
  "25/4 = 6.25, so 7 buses are needed.\n#### 7",
  "20 / 3 = 6.67\nThe answer is 6.67.",
  "48 + 24 = 72.\nSo she sold 72 clips in 2 months.",
  "48 + 24 = 72.\nThe answer is 72. Check: 72 - 24 = 48.",
  "Each of the 5 friends gets 10 / 5 = 2.\nSo 5 friends share them.",
  "No steps here.\nThe answer is 5.",
  "5 - 3 = 2:00 pm\n#### 2",
])("%j: the conclusion is that of the last step", (response) => {
  expect(wrong(response)).toEqual([]);
});

test("a quantity with two values is found, with both places", () => {
  const response = "The total cost is $12. There are more things to say. The total cost is $15.";
  const [found] = wrong(response);
  expect(found?.reason).toBe("The total cost is $12 in one place and $15 in another.");
  expect(found?.evidence.map(({ text }) => text)).toEqual(["The total cost is $12", "The total cost is $15"]);
});

test.each([
  "The total is 12. Now the total is 15.",
  "The total cost of pens is $12. The total cost of books is $15.",
  "The distance is 5 km, which is to say the distance is 3 miles.",
  "In May the profit is $5. In June the profit is $8.",
  "If the speed is 5 we are late. If the speed is 10 we are not.",
  "He is 5. He is 6.",
  "The width is 3 + 4 = 7. The width is 7.",
  "The population was 1,000 in 1900. The population was 2,000 in 1950.",
])("%s: nothing has two values", (response) => {
  expect(wrong(response)).toEqual([]);
});

test("whatever a response says, the check ends, with spans that lie in it", () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom(..."#### 1 2 = the total is answer: \\boxed{ } So . , \n 🦊 12 $".split(" ")),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 50 }), (pieces) => {
      const text = pieces.join(" ");
      for (const { evidence } of check(text)) {
        for (const { start, end, text: shown } of evidence) expect(text.slice(start, end)).toBe(shown);
      }
    }),
    { numRuns: 300 },
  );
  for (const unit of ["#### ", "the total is 1 ", "answer ", "= 1 "]) {
    expect(check(unit.repeat(Math.ceil(1e6 / unit.length)))).toBeInstanceOf(Array);
  }
}, 60_000);
