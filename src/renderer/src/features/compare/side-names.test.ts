import { expect, test } from "vitest";
import { nameSides } from "./side-names.ts";

test.each([
  [["Tickets · A", "Tickets · B"], "Tickets", ["A", "B"]],
  [["reviews, short prompt", "reviews, long prompt"], "reviews", ["short prompt", "long prompt"]],
  [["reviews", "tickets"], "", ["reviews", "tickets"]],
  [["reviews", "reviews long"], "", ["reviews", "reviews long"]],
  [["my reviews", "my reviews", "my reviews"], "", ["my reviews", "my reviews", "my reviews"]],
  [["reviews, A", "reviews, A", "reviews, B"], "reviews", ["A", "A", "B"]],
  [["alone"], "", ["alone"]],
])("%j begin with %j and are called %j", (given, start, names) => {
  expect(nameSides(given)).toEqual({ start, names });
});
