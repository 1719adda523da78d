import { expect, test } from "vitest";
import { listTicks } from "./list-ticks.ts";

test.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [4, [0, 1, 2, 3, 4]],
  [22, [0, 5, 10, 15, 20, 25]],
  [1_001, [0, 500, 1_000, 1_500]],
  [1_000_000, [0, 200_000, 400_000, 600_000, 800_000, 1_000_000]],
])("an axis up to %d has round figures, the last of them at or above it", (highest, ticks) => {
  expect(listTicks(highest)).toEqual(ticks);
});
