import { expect, test } from "vitest";
import { findTestFolder } from "./test-folders.mjs";

test("a room's name stands for its folder, and a path for itself", () => {
  expect(findTestFolder("results")).toBe("src/main/results");
  expect(findTestFolder("contract")).toBe("src/contract");
  expect(findTestFolder("compare")).toBe("src/renderer/src/features/compare");
  expect(findTestFolder("scripts/setup")).toBe("scripts/setup");
});

test("a name without a folder lists the rooms", () => {
  expect(() => findTestFolder("attic")).toThrow(/^There is no room attic\. Rooms: answers, app, base, /);
});
