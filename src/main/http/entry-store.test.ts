import { expect, test } from "vitest";
import { createEntryStore, type EntryLimits, type StoredEntry } from "./entry-store.ts";

interface Entry extends StoredEntry {
  hasBodies: boolean;
}

function start(limits: EntryLimits) {
  const store = createEntryStore<Entry>(limits);
  let ids = 0;
  function add(scope: string, bodyBytes = 0): Entry {
    ids += 1;
    const entry: Entry = {
      id: `${scope}${ids}`,
      scope,
      number: ids,
      ownBytes: 10,
      hasBodies: true,
      dropBodies() {
        entry.hasBodies = false;
      },
    };
    store.add(entry);
    store.countBodies(entry, bodyBytes);
    return entry;
  }
  const count = (scope?: string) => store.list(scope).length;
  return { store, add, count };
}

test("where there are too many entries, the oldest of the scope with the most goes", () => {
  const { store, add, count } = start({ entries: 100, ownBytes: 10_000, bodyBytes: 0 });
  const quiet = Array.from({ length: 20 }, () => add("quiet"));
  const busy = Array.from({ length: 1_000 }, () => add("busy"));
  expect([count(), count("quiet"), count("busy")]).toEqual([100, 20, 80]);
  expect(store.list("quiet")).toEqual(quiet);
  expect(store.list("busy")).toEqual(busy.slice(-80));
  expect(store.find(busy[0]?.id ?? "")).toBeUndefined();
  expect(store.find(busy.at(-1)?.id ?? "")).toBe(busy.at(-1));
});

test("the last 20 of each scope stay, whatever the others do", () => {
  const { add, count } = start({ entries: 100, ownBytes: 10_000, bodyBytes: 0 });
  for (let round = 0; round < 50; round++) for (const scope of ["a", "b", "c", "d", "e"]) add(scope);
  for (let round = 0; round < 500; round++) add("a");
  expect(["a", "b", "c", "d", "e"].map((scope) => count(scope))).toEqual([20, 20, 20, 20, 20]);
});

test("where bodies are too large, the oldest of the scope with the largest go, and their entries stay", () => {
  const { add, count } = start({ entries: 100, ownBytes: 10_000, bodyBytes: 1_000 });
  const small = add("small", 300);
  const large = Array.from({ length: 10 }, () => add("large", 100));
  expect([count("small"), count("large")]).toEqual([1, 10]);
  expect(small.hasBodies).toBe(true);
  expect(large.map(({ hasBodies }) => hasBodies)).toEqual([...Array(3).fill(false), ...Array(7).fill(true)]);
});

test("a body that is complete late is dropped in its turn, and one of an entry that is gone doesn't count", () => {
  const { store, add } = start({ entries: 3, ownBytes: 10_000, bodyBytes: 250 });
  const gone = add("a");
  const late = add("a");
  const second = add("a", 100);
  const third = add("a", 100);
  store.countBodies(gone, 10_000);
  expect([second.hasBodies, third.hasBodies]).toEqual([true, true]);
  store.countBodies(late, 100);
  expect([late.hasBodies, second.hasBodies, third.hasBodies]).toEqual([false, true, true]);
  store.clear("a");
  const first = add("a", 200);
  expect([store.list().length, first.hasBodies]).toEqual([1, true]);
});

test("a body that is larger than all that may be kept goes itself", () => {
  const { add } = start({ entries: 3, ownBytes: 10_000, bodyBytes: 0 });
  expect(add("a", 1).hasBodies).toBe(false);
  expect(add("a").hasBodies).toBe(true);
});

test("entries with long headers are fewer", () => {
  const { add, count } = start({ entries: 100, ownBytes: 50, bodyBytes: 0 });
  for (let round = 0; round < 20; round++) add("a");
  expect(count()).toBe(5);
});
