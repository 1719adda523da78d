import { expect, test } from "vitest";
import { describeCost } from "./describe-cost.ts";

const estimate = {
  prompts: 0.8,
  about: 3.1,
  most: 7.4,
  factor: 0.5,
  pricesDate: "2026-09-23",
  lines: 10,
  unknown: 0,
  isCeiling: false,
};

test.each([
  [estimate, "about $3.10, at most $7.40", "prices of Sep 23, 2026, batch −50 %."],
  [
    { ...estimate, about: null, factor: 1, pricesDate: null },
    "at most $7.40",
    "your prices. Try some rows for a closer figure.",
  ],
  [
    { ...estimate, most: null },
    "about $3.10",
    "prices of Sep 23, 2026, batch −50 %. There is no ceiling: the answers have no most tokens.",
  ],
  [
    { ...estimate, about: null, most: null, prompts: 0.0042 },
    "$0.0042 for the prompts",
    expect.stringContaining("The answers come on top"),
  ],
  [
    { ...estimate, about: 0.27, most: 0.9, lines: 10, unknown: 60 },
    "at least $0.27; no price for 60 of 70 requests",
    "prices of Sep 23, 2026, batch −50 %.",
  ],
  [
    { ...estimate, factor: 1, isCeiling: true },
    "about $3.10, at most $7.40",
    "prices of Sep 23, 2026. The service’s batch discount is uncertain: this cost is without it.",
  ],
  [null, "no price known", expect.any(String)],
])("the cost is said with what it is made from (%#)", (given, short, basis) => {
  expect(describeCost(given)).toEqual({ short, basis });
});
