import { beforeAll, expect, test } from "vitest";
import { runKinds } from "./run-kinds.ts";

/** Drawn anew in each run: `npm run soak` tries all of them. */
const kinds = [
  [
    "crash-states:12",
    "whatever a power cut leaves of what was not synced, what was answered is there, once and unchanged",
  ],
  [
    "migration:8",
    "whatever a power cut leaves of a start in an older folder, it is whole, and so is the copy of its records",
  ],
  [
    "recovery:12",
    "whatever a power cut leaves of a repair or a start in a damaged folder, the next one ends it, and what was damaged is kept",
  ],
  ["failing-disk:12", "whichever operation of the disk fails, once or until it is well again, nothing is lost"],
  ["damage:40", "whatever byte of a folder is damaged, no wrong one is handed out, and nothing hangs"],
] as const;

let printed: readonly string[] = [];
beforeAll(async () => {
  // One process: each takes a second to start. Its seed is printed; SHEAF_SEED repeats what can be repeated.
  printed = (await runKinds(...kinds.map(([kind]) => kind))).split("\n");
});

test.each(kinds)("%s: %s", (kind) => {
  const [name, cases] = kind.split(":");
  const at = printed.findIndex((line) => line.startsWith(`${name}: `));
  expect(printed[at], printed.join("\n")).toMatch(
    new RegExp(`^${name}: ${cases} cases, 0 problems, \\d+ s, SHEAF_SEED=\\d+$`),
  );
});
