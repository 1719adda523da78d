import { expect, test } from "vitest";
import { describeCancel } from "./describe-cancel.ts";

test("says how many answers are kept and how many lines are given up", () => {
  expect(describeCancel({ counts: { total: 1_319, completed: 812, failed: 3 } })).toBe(
    "The 812 answers so far are kept and can be read and exported. The 504 lines that are left will not run, but for those being answered right now.",
  );
});

test("says so when nothing has been answered", () => {
  expect(describeCancel({ counts: { total: 10, completed: 0, failed: 0 } })).toContain(
    "Nothing has been answered yet.",
  );
  expect(describeCancel({ counts: { total: 0, completed: 0, failed: 0 } })).toContain("still being checked");
});
