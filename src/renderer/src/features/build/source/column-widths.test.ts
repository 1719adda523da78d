import { expect, test } from "vitest";
import { measureColumns } from "./column-widths.ts";

const rows = Array.from({ length: 20 }, (_, index) => ({
  row: index + 1,
  cells: { id: String(index), review: "x".repeat(index === 0 ? 2_000 : 30), product: "Kettle" },
}));

test("a column is as wide as most of its cells, and long text gives way first", () => {
  expect(measureColumns(["id", "product", "review"], rows)).toEqual([
    { least: 8, weight: 8 },
    { least: 9, weight: 9 },
    { least: 18, weight: 32 },
  ]);
});

test("one endless cell does not decide", () => {
  const [review] = measureColumns(["review"], rows);
  expect(review?.weight).toBeLessThan(48);
});

test("before there are rows, the names decide", () => {
  expect(measureColumns(["a", "customer feedback"], [])).toEqual([
    { least: 8, weight: 8 },
    { least: 18, weight: 19 },
  ]);
});
