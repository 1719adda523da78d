import { expect, test } from "vitest";
import { measureColumns } from "./column-widths.ts";

const rows = Array.from({ length: 20 }, (_, index) => ({
  row: index + 1,
  cells: { id: String(index), review: "x".repeat(index === 0 ? 2_000 : 30), product: "Kettle" },
}));

test("short columns keep their content whole, and long text gives way first", () => {
  const [id, product, review] = measureColumns(["id", "product", "review"], rows);
  expect(id).toEqual({ least: 46, weight: 3 });
  expect(product).toEqual({ least: 82, weight: 7 });
  expect(review).toEqual({ least: 108, weight: 30 });
});

test("one endless cell does not decide", () => {
  expect(measureColumns(["review"], rows)).toEqual([{ least: 108, weight: 30 }]);
});

test("before there are rows, the names decide", () => {
  expect(measureColumns(["customer feedback"], [])).toEqual([{ least: 108, weight: 17 }]);
});
