import { expect, test } from "vitest";
import { isOfCells, readPastedCells, unlikeValues } from "./pasted-cells.ts";

test("each cell of a pasted column is a value, with its commas and quotation marks", () => {
  expect(isOfCells("a, b")).toBe(false);
  const text = 'Berlin, Mitte\r\n\r\n"say ""yes"""\r\n"two\nlines"\r\n  5"\r\n007\tright\r\n';
  expect(isOfCells(text)).toBe(true);
  expect(readPastedCells(text)).toEqual(["Berlin, Mitte", 'say "yes"', "two\nlines", '5"', "007", "right"]);
  expect(readPastedCells(Array.from({ length: 10_000 }, (_, at) => `order ${at}`).join("\n"))).toHaveLength(10_000);
  expect(unlikeValues(["Café", "cafe\u0301", "CAFÉ", "tea"])).toEqual(["Café", "tea"]);
});
