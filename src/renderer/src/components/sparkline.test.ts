import { expect, test } from "vitest";
import { drawSparkline } from "./sparkline.tsx";

test("the line spans the width and its highest sample touches the top", () => {
  expect(drawSparkline([0, 50, 100], 100, 40)).toBe("M0 40 L50 20 L100 0");
});

test("a run without any line yet lies on the ground", () => {
  expect(drawSparkline([0, 0], 10, 4)).toBe("M0 4 L10 4");
});

test("one sample is not a line", () => {
  expect(drawSparkline([5], 100, 40)).toBe("");
});
