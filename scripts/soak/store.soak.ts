import { expect, test } from "vitest";
import { runKinds } from "./run-kinds.ts";

test.each(["crash-states:500", "migration:all", "recovery:all", "failing-disk:all"])("%s", async (kind) => {
  const printed = await runKinds(kind);
  // The figures are the report.
  process.stdout.write(`\n${printed}`);
  expect(printed).toMatch(/cases, 0 problems.*\n$/);
});
