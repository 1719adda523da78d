import { expect, test } from "vitest";
import { makeBatch } from "../../../queries/make-batch.ts";
import { sortBatches } from "./sort-batches.ts";

const { times } = makeBatch({});
const batches = [
  makeBatch({ id: "a", name: "Batch 10", timeLeft: null, times: { ...times, created: 1 } }),
  makeBatch({ id: "b", name: "batch 9", timeLeft: 2, status: "failed", times: { ...times, created: 3 } }),
  makeBatch({ id: "c", name: "Tickets", timeLeft: 8, models: ["Qwen"], times: { ...times, created: 2 } }),
];
const verdicts = { contradicted: 1, not_found: 1, supported: 5, not_checkable: 1 };
const qualities = new Map([
  ["a", { batchId: "a", accuracy: { share: 0.7, passed: 7, graded: 10 }, verdicts, rulesAlone: 0 }],
  ["c", { batchId: "c", accuracy: null, verdicts, rulesAlone: 0 }],
]);
const ids = (search: Parameters<typeof sortBatches>[1]) =>
  sortBatches(batches, search, qualities)
    .map(({ id }) => id)
    .join("");

test("the newest is first until another order is asked for", () => {
  expect(ids({})).toBe("bca");
  expect(ids({ order: "asc" })).toBe("acb");
});

test("numbers in names are sorted as numbers, and what is not known comes last in both orders", () => {
  expect(ids({ sort: "name", order: "asc" })).toBe("bac");
  expect(ids({ sort: "timeLeft", order: "asc" })).toBe("bca");
  expect(ids({ sort: "timeLeft", order: "desc" })).toBe("cba");
});

test("by quality it is the accuracy, else the part of the answers that nothing speaks against", () => {
  expect(ids({ sort: "quality", order: "desc" })).toBe("cab");
  expect(ids({ sort: "quality", order: "asc" })).toBe("acb");
});

test("filters leave what has the status and the words, in name, id or model", () => {
  expect(ids({ status: ["failed"] })).toBe("b");
  expect(ids({ find: "qwen" })).toBe("c");
  expect(ids({ find: "BATCH", status: ["completed"] })).toBe("a");
});
