import { expect, test } from "vitest";
import type { BatchDetail } from "#contract";
import { makeBatch } from "../../../queries/make-batch.ts";
import { foldBatches } from "./fold-batches.ts";

const { times } = makeBatch({});
const make = (id: string, created: number, root: string | null = null) =>
  makeBatch({ id, times: { ...times, created }, link: root === null ? null : { kind: "retry", root } });
const batches = [make("r2", 5, "a"), make("b", 4), make("r1", 3, "a"), make("lone", 2, "gone"), make("a", 1)];
const describeRows = (opened: readonly string[]) =>
  foldBatches(batches, new Set(opened), new Map()).map(({ batch, depth, linked }) => `${batch.id} ${depth} ${linked}`);

test("batches that belong to another are folded under it, and stand alone where that is gone", () => {
  expect(describeRows([])).toEqual(["b 0 0", "lone 0 0", "a 0 2"]);
  expect(describeRows(["a", "b"])).toEqual(["b 0 0", "lone 0 0", "a 0 2", "r1 1 0", "r2 1 0"]);
});

test("the folded row of a batch shows what its retries have answered, and what one of them still asks", () => {
  const countsOf = (total: number, completed: number, failed: number) => ({
    total,
    completed,
    failed,
    damaged: 0,
    neverRan: 0,
    awaited: 0,
  });
  const costOf = (usd: number, lines: number) => {
    return { usd, lines, unknown: 0, reported: 0, isCeiling: false, isToday: false };
  };
  const root = makeBatch({ id: "a", counts: countsOf(200, 152, 48), cost: costOf(3, 152) });
  const link = { kind: "retry", root: "a" } as const;
  const retry = makeBatch({ id: "r", link, counts: countsOf(48, 48, 0), cost: costOf(1, 48) });
  const show = (retried: typeof retry, left: BatchDetail["left"], opened: readonly string[] = []) =>
    foldBatches([retried, root], new Set(opened), new Map([["a", left]])).find(({ batch }) => batch.id === "a")?.shown;
  const none = { failed: 0, errors: {}, damaged: 0, neverRan: 0, awaited: 0, mayBePaid: 0, cut: 0, empty: 0 };
  expect(show(retry, none)).toMatchObject({
    ...{ status: "completed", counts: countsOf(200, 200, 0), cost: costOf(4, 200) },
  });
  expect(show(retry, { ...none, failed: 3 })).toMatchObject({ counts: countsOf(200, 197, 3) });
  const damaged = { ...none, damaged: 2 };
  expect(show(retry, damaged)).toMatchObject({ counts: { ...countsOf(200, 198, 0), damaged: 2 } });
  const running = { ...retry, status: "in_progress", counts: countsOf(48, 20, 0) } as const;
  expect(show(running, none)).toMatchObject({ status: "in_progress", counts: countsOf(200, 172, 0) });
  expect(show(retry, none, ["a"])).toBe(root);
});
