import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createRemovals } from "./removals.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("a removed draft is out of sight at once, and gone after ten seconds", () => {
  const removals = createRemovals();
  const gone: string[] = [];
  removals.schedule("draft_1", () => gone.push("draft_1"));
  expect(removals.state.getState()).toEqual(new Set(["draft_1"]));
  vi.advanceTimersByTime(9_999);
  expect(gone).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(gone).toEqual(["draft_1"]);
  expect(removals.state.getState()).toEqual(new Set());
  expect(removals.cancel("draft_1")).toBe(false);
});

test("a draft that is brought back in time stays", () => {
  const removals = createRemovals();
  const gone: string[] = [];
  removals.schedule("draft_1", () => gone.push("draft_1"));
  removals.schedule("draft_2", () => gone.push("draft_2"));
  vi.advanceTimersByTime(5_000);
  expect(removals.cancel("draft_1")).toBe(true);
  vi.advanceTimersByTime(20_000);
  expect(gone).toEqual(["draft_2"]);
});
