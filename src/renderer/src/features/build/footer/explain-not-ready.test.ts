import { expect, test } from "vitest";
import type { ProblemGroup } from "#contract";
import { explainNotReady } from "./explain-not-ready.ts";

const problem = { code: "no_prompt", message: "", param: null, line: null, severity: "error" } as const;
const unwritten: ProblemGroup = { code: "no_prompt", severity: "error", count: 1, first: [problem] };
const source = { rowCount: 200, holds: "rows" } as const;

test("a source without errors can be submitted, checked to the end or not", () => {
  expect(explainNotReady(true, source, { errorCount: 0, groups: [] })).toBeNull();
  expect(explainNotReady(true, source, null)).toBeNull();
});

test.each([
  [null, null, "Choose a source first"],
  [{ ...source, rowCount: 0 }, null, "The source has no rows"],
  [source, { errorCount: 1, groups: [] }, "Fix 1 error first"],
  [source, { errorCount: 1_204, groups: [] }, "Fix 1,204 errors first"],
  [source, { errorCount: 1, groups: [unwritten] }, "Write the prompt first"],
])("otherwise the reason is the next step (%#)", (given, check, reason) => {
  expect(explainNotReady(true, given, check)).toBe(reason);
});

test("nothing can be submitted without a connection", () => {
  expect(explainNotReady(false, source, { errorCount: 0, groups: [] })).toBe("Waiting for the connection");
});
