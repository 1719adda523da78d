import { describe, expect, test } from "vitest";
import { changeKinds, changeNumber } from "./change-number.ts";
import { holdsByMathjs } from "./holds.ts";
import { findContradicted, scoreChanges } from "./score-solutions.ts";
import { readSolutions, wrongSolutions } from "./solutions.ts";

describe.each([
  ["as they are", false],
  ["without annotations", true],
])("solutions %s", (_name, isStripped) => {
  test("are contradicted only where they are wrong", { timeout: 60_000 }, async () => {
    expect(await findContradicted(isStripped)).toEqual([...wrongSolutions]);
  });

  const kinds = changeKinds.filter((kind) => !isStripped || kind.endsWith("text"));
  test.each(kinds)(
    "with one number changed (%s) are found, and the claim covers the equation",
    { timeout: 60_000 },
    async (kind) => {
      const { solutions, withSpan } = await scoreChanges(kind, isStripped, holdsByMathjs);
      expect(solutions).toBeGreaterThan(1_200);
      expect(withSpan / solutions).toBeGreaterThanOrEqual(0.98);
    },
  );
});

test("a change is the same each time, changes one number, and marks its equation", async () => {
  const solution =
    "Janet sells 16 - 3 - 4 = <<16-3-4=9>>9 duck eggs a day.\nShe makes 9 * 2 = $<<9*2=18>>18 every day.";
  for (const kind of changeKinds) {
    for (let seed = 0; seed < 50; seed += 1) {
      const changed = changeNumber(solution, kind, seed, holdsByMathjs);
      expect(changed).toEqual(changeNumber(solution, kind, seed, holdsByMathjs));
      expect(changed?.text).not.toBe(solution);
      const equation = changed?.text.slice(changed.start, changed.end);
      expect(["16 - 3 - 4 = <<16-3-4=9>>9", "9 * 2 = $<<9*2=18>>18"]).not.toContain(equation);
      expect(equation).toMatch(/^\d+ [-*] .*>>\d+$/);
    }
  }
});

test("all 1,319 solutions are there", async () => {
  expect(await readSolutions()).toHaveLength(1_319);
});
