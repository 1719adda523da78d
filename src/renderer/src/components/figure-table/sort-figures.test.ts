import { expect, test } from "vitest";
import { sortFigures } from "./sort-figures.ts";

const rows = [
  { name: "b", right: 0.8 },
  { name: "a", right: null },
  { name: "c", right: 0.9 },
  { name: "d", right: 0.8 },
];
const names = (sorted: typeof rows) => sorted.map(({ name }) => name).join("");

test("figures sort by any value in both orders, and what has none comes last", () => {
  expect(names(sortFigures(rows, ({ right }) => right, "desc"))).toBe("cbda");
  expect(names(sortFigures(rows, ({ right }) => right, "asc"))).toBe("bdca");
  expect(names(sortFigures(rows, ({ name }) => name, "asc"))).toBe("abcd");
});
