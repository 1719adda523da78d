import { expect, test } from "vitest";
import { explainNotReady } from "./explain-not-ready.ts";

const source = { rowCount: 200, holds: "rows" } as const;

test("a source without errors can be submitted, checked to the end or not", () => {
  expect(explainNotReady(source, { errorCount: 0 })).toBeNull();
  expect(explainNotReady(source, null)).toBeNull();
});

test.each([
  [null, null, "Choose a source first"],
  [{ ...source, rowCount: 0 }, null, "The source has no rows"],
  [source, { errorCount: 1 }, "Fix 1 error first"],
  [source, { errorCount: 1_204 }, "Fix 1,204 errors first"],
])("otherwise the reason is the next step (%#)", (given, check, reason) => {
  expect(explainNotReady(given, check)).toBe(reason);
});
