import { expect, test } from "vitest";
import { chooseLayout, fitShares, usualShares } from "./pane-widths.ts";

test("three columns where they fit, two below that", () => {
  expect(chooseLayout(1236)).toBe("wide");
  expect(chooseLayout(1000)).toBe("wide");
  expect(chooseLayout(844)).toBe("narrow");
});

test("the usual widths stand at the usual window", () => {
  expect(fitShares(usualShares.wide, 1236)).toEqual(usualShares.wide);
  expect(fitShares(usualShares.narrow, 696)).toEqual(usualShares.narrow);
});

test.each([
  { source: 0.9, preview: 0.3 },
  { source: 0.01, preview: 0.01 },
  { source: 0.5, preview: 0.9 },
])("no pane falls below its least width with %j", (shares) => {
  for (const width of [1000, 1236, 2400]) {
    for (const changed of ["source", "preview"] as const) {
      const { source, preview } = fitShares(shares, width, changed);
      for (const share of [source, preview, 1 - source - preview]) expect(share * width).toBeGreaterThanOrEqual(259.99);
    }
  }
});
