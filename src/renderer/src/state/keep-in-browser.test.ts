import { notifications } from "@mantine/notifications";
import { beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { create } from "zustand";
import { persist } from "zustand/middleware";
import { keepInBrowser } from "./keep-in-browser.ts";

const items = new Map<string, string>();
let isFull = false;
vi.stubGlobal("localStorage", {
  getItem: (name: string) => items.get(name) ?? null,
  removeItem: (name: string) => items.delete(name),
  setItem(name: string, value: string) {
    if (isFull) throw new DOMException("full", "QuotaExceededError");
    items.set(name, value);
  },
});

interface Look {
  readonly isWide: boolean;
  readonly names: readonly string[];
  widen(): void;
}

const shape = { isWide: z.boolean(), names: z.array(z.string()) };

/** The choices after a start of the page with this in its storage. */
function start(stored: string) {
  items.set("look", stored);
  return create<Look>()(
    persist(
      (set) => ({ isWide: false, names: ["a"], widen: () => set({ isWide: true }) }),
      keepInBrowser("look", shape),
    ),
  );
}

beforeEach(() => {
  isFull = false;
});

test.each([
  ["{", { isWide: false, names: ["a"] }],
  ["null", { isWide: false, names: ["a"] }],
  ['{"state":null,"version":1}', { isWide: false, names: ["a"] }],
  ['{"state":["b"],"version":1}', { isWide: false, names: ["a"] }],
  ['{"state":{"isWide":"yes","names":["b"]},"version":1}', { isWide: false, names: ["b"] }],
  ['{"state":{"isWide":true,"names":null,"widen":1},"version":1}', { isWide: true, names: ["a"] }],
  ['{"state":{"isWide":true},"version":2}', { isWide: true, names: ["a"] }],
])("what another version stored is read member by member: %s", (stored, read) => {
  const { widen, ...state } = start(stored).getState();
  expect(state).toEqual(read);
  expect(widen).toBeTypeOf("function");
});

test("members that this version doesn't know are stored on", () => {
  start('{"state":{"names":["b"],"later":7},"version":1}').getState().widen();
  expect(JSON.parse(items.get("look") ?? "")).toEqual({ state: { isWide: true, names: ["b"], later: 7 }, version: 1 });
});

test("a choice without room to store it takes effect, and the user is told once", () => {
  const show = vi.spyOn(notifications, "show");
  const look = start("null");
  isFull = true;
  look.getState().widen();
  look.getState().widen();
  expect(look.getState().isWide).toBe(true);
  expect(show).toHaveBeenCalledOnce();
});
