import { expect, it } from "vitest";
import { afterChildGone } from "./child-processes.ts";

it.each([
  ["a process that was to end", { type: "Utility", reason: "clean-exit" }, 0, "nothing"],
  [
    "the keychain's process once it has answered",
    { type: "Utility", reason: "killed", name: "Sheaf keychain" },
    0,
    "nothing",
  ],
  ["another one that the system killed", { type: "Utility", reason: "killed", name: "Network Service" }, 0, "note"],
  ["one that crashed", { type: "Utility", reason: "crashed", name: "Network Service" }, 2, "note"],
  ["the graphics process, once", { type: "GPU", reason: "crashed" }, 0, "note"],
  ["… twice", { type: "GPU", reason: "oom" }, 1, "note"],
  ["… three times", { type: "GPU", reason: "crashed" }, 2, "tell"],
  ["… and again", { type: "GPU", reason: "crashed" }, 3, "note"],
] as const)("the end of %s", (_what, gone, before, expected) => {
  expect(afterChildGone(gone, before).do).toBe(expected);
});
