import { expect, test } from "vitest";
import { waitBeforeAttempt } from "./back-off.ts";

test("waits longer after each attempt in vain, up to five seconds", () => {
  const waits = [0, 1, 2, 3, 4, 5, 6, 50, 5_000].map((attempt) => waitBeforeAttempt(attempt, 0.5));
  expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000, 5_000]);
});

test("spreads the waits by a tenth to either side", () => {
  expect(waitBeforeAttempt(2, 0)).toBe(900);
  expect(waitBeforeAttempt(2, 1)).toBe(1_100);
});
