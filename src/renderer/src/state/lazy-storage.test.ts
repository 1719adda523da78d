import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLazyStorage } from "./lazy-storage.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function createStorage(room = Number.POSITIVE_INFINITY) {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (name: string) => items.get(name) ?? null,
    removeItem: (name: string) => void items.delete(name),
    setItem(name: string, value: string) {
      if (value.length > room) throw new DOMException("full", "QuotaExceededError");
      items.set(name, value);
    },
  };
}

test("only the last of many changes is written", () => {
  const storage = createStorage();
  const setItem = vi.spyOn(storage, "setItem");
  const lazy = createLazyStorage<string>({ storage, delay: 300 });
  for (const state of ["a", "ab", "abc"]) lazy.storage.setItem("draft", { state, version: 1 });
  expect(storage.items.size).toBe(0);
  vi.advanceTimersByTime(300);
  expect(setItem).toHaveBeenCalledTimes(1);
  expect(lazy.storage.getItem("draft")).toEqual({ state: "abc", version: 1 });
});

test("what waits is written at once when the page is left", () => {
  const storage = createStorage();
  const lazy = createLazyStorage<string>({ storage, delay: 300 });
  lazy.storage.setItem("draft", { state: "a" });
  lazy.flush();
  expect(lazy.storage.getItem("draft")).toEqual({ state: "a" });
});

test("a text without room is not kept, says so, and leaves no older one behind", () => {
  const storage = createStorage(40);
  const onStored = vi.fn();
  const lazy = createLazyStorage<string>({ storage, delay: 300, onStored });
  lazy.storage.setItem("draft", { state: "a" });
  lazy.flush();
  lazy.storage.setItem("draft", { state: "a".repeat(100) });
  lazy.flush();
  expect(onStored.mock.calls).toEqual([[true], [false]]);
  expect(lazy.storage.getItem("draft")).toBeNull();
});

test("what can't be read counts as not there", () => {
  const storage = createStorage();
  storage.items.set("draft", "{");
  expect(createLazyStorage<string>({ storage, delay: 300 }).storage.getItem("draft")).toBeNull();
});

test("changes without a pause are written now and then", () => {
  const storage = createStorage();
  const setItem = vi.spyOn(storage, "setItem");
  const lazy = createLazyStorage<string>({ storage, delay: 300 });
  for (let change = 0; change < 100; change++) {
    lazy.storage.setItem("draft", { state: String(change) });
    vi.advanceTimersByTime(100);
  }
  expect(setItem.mock.calls.length).toBeGreaterThan(2);
  expect(setItem.mock.calls.length).toBeLessThan(5);
});
