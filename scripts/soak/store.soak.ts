import { expect, test } from "vitest";
import { runKind } from "./run-kind.ts";

test.each([
  ["crash-states", "500"],
  ["migration", "all"],
  ["recovery", "400"],
  ["failing-disk", "all"],
  ["damage", "240s"],
])("%s: %s of them", async (kind, amount) => {
  const printed = await runKind(kind, amount);
  // The figures are the report.
  process.stdout.write(`\n${printed}`);
  expect(printed).toContain("cases, 0 problems");
});
