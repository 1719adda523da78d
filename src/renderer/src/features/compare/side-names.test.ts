import { expect, test } from "vitest";
import { nameSides } from "./side-names.ts";

test.each([
  [
    ["Tickets · A", "Tickets · B"],
    ["A", "B"],
  ],
  [
    ["reviews, short prompt", "reviews, long prompt"],
    ["short prompt", "long prompt"],
  ],
  [
    ["reviews", "tickets"],
    ["reviews", "tickets"],
  ],
  [
    ["reviews", "reviews long"],
    ["reviews", "reviews long"],
  ],
  [
    ["reviews", "reviews", "reviews"],
    ["reviews", "reviews (2)", "reviews (3)"],
  ],
  [["alone"], ["alone"]],
])("%j are called %j", (names, called) => {
  expect(nameSides(names)).toEqual(called);
});
