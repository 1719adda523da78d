import { expect, test } from "vitest";
import { checkMonths } from "./check-months.ts";
import { findWrongBy } from "./test-find-wrong.ts";

const lease = "The lease of the mill starts on 1 March 2025 and runs for three years.";

test("the end of the month before is what a beginning leaves", () => {
  expect(findWrongBy(checkMonths, lease, "How long is the lease?", "Until the end of February 2028.")).toEqual([
    [],
    [],
  ]);
});

test.each(["Until the end of April 2028.", "It starts in February."])("another month is found: %s", (response) => {
  for (const reasons of findWrongBy(checkMonths, lease, "How long is the lease?", response))
    expect(reasons).toHaveLength(1);
});
