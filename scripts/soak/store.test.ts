import { expect, test } from "vitest";
import { runKind } from "./run-kind.ts";

test.concurrent.each([
  [
    "crash-states",
    "whatever a power cut leaves of what was not synced, what was answered is there, once and unchanged",
  ],
  [
    "migration",
    "whatever a power cut leaves of a start in an older folder, it is whole, and so is the copy of its records",
  ],
  [
    "recovery",
    "whatever a power cut leaves of a repair or a start in a damaged folder, the next one ends it, and what was damaged is kept",
  ],
  ["failing-disk", "whichever operation of the disk fails, once or until it is well again, nothing is lost"],
  ["damage", "whatever byte of a folder is damaged, no wrong one is handed out, and nothing hangs"],
])("%s: %s", async (kind) => {
  // Its seed is printed; SHEAF_SEED repeats what can be repeated.
  expect(await runKind(kind, ["failing-disk", "migration", "recovery"].includes(kind) ? "2s" : "4s")).toMatch(
    new RegExp(`^${kind}: \\d+ cases, 0 problems, \\d+ s, SHEAF_SEED=\\d+\\n$`),
  );
});
