import { expect, test } from "vitest";
import { makeBatch } from "../../../queries/make-batch.ts";
import { foldBatches } from "./fold-batches.ts";

const { times } = makeBatch({});
const make = (id: string, created: number, root: string | null = null) =>
  makeBatch({ id, times: { ...times, created }, link: root === null ? null : { kind: "retry", root } });
const batches = [make("r2", 5, "a"), make("b", 4), make("r1", 3, "a"), make("lone", 2, "gone"), make("a", 1)];
const describeRows = (opened: readonly string[]) =>
  foldBatches(batches, new Set(opened)).map(({ batch, depth, linked }) => `${batch.id} ${depth} ${linked}`);

test("batches that belong to another are folded under it, and stand alone where that is gone", () => {
  expect(describeRows([])).toEqual(["b 0 0", "lone 0 0", "a 0 2"]);
  expect(describeRows(["a", "b"])).toEqual(["b 0 0", "lone 0 0", "a 0 2", "r1 1 0", "r2 1 0"]);
});
