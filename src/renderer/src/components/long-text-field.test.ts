import { expect, test } from "vitest";
import { describeTooLong, mostCharacters } from "./long-text-field.tsx";

test("a text over the limit is refused with its length, the limit and what to do", () => {
  expect(mostCharacters).toBeGreaterThan(1024 * 1024);
  expect(describeTooLong(10_000_000)).toBe(
    "10,000,000 characters are too many: 2,000,000 at most. Put long texts into a table, and use it in Build.",
  );
});
