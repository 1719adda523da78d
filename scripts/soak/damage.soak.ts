import { expect, test } from "vitest";
import { runKinds } from "./run-kinds.ts";

test("every byte of a small folder is damaged", async () => {
  // One for each core.
  const printed = await Promise.all(["damage:all:1/2", "damage:all:2/2"].map((kind) => runKinds(kind)));
  process.stdout.write(`\n${printed.join("")}`);
  for (const one of printed) expect(one).toMatch(/cases, 0 problems.*\n$/);
});
