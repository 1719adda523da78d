import { expect, test } from "vitest";
import type { FileView } from "#contract";
import { arrangeFiles, sumFiles } from "./arrange-files.ts";

const file = (id: string, over: Partial<FileView> = {}): FileView => ({
  id,
  filename: `${id}.jsonl`,
  purpose: "batch",
  bytes: 10,
  createdAt: 1,
  expiresAt: null,
  faulty: false,
  batches: [],
  ...over,
});
const user = { id: "batch_1", name: "Tickets", status: "completed" as const, hasEnded: true, isDeleted: false };
const files = [
  file("b10", { createdAt: 3, bytes: 5 }),
  file("b9", { createdAt: 2, purpose: "batch_output", batches: [user] }),
  file("a1", { createdAt: 1, bytes: 100, batches: [user, user] }),
];
const ids = (found: readonly FileView[]) => found.map(({ id }) => id);

test("files are narrowed by purpose and text, and sorted by a column", () => {
  expect(ids(arrangeFiles(files, {}))).toEqual(["b10", "b9", "a1"]);
  expect(ids(arrangeFiles(files, { purpose: "batch_output" }))).toEqual(["b9"]);
  expect(ids(arrangeFiles(files, { find: "TICK" }))).toEqual(["b9", "a1"]);
  expect(ids(arrangeFiles(files, { sort: "filename" }))).toEqual(["a1", "b9", "b10"]);
  expect(ids(arrangeFiles(files, { sort: "bytes" }))).toEqual(["a1", "b9", "b10"]);
  expect(ids(arrangeFiles(files, { sort: "batches", order: "asc" }))).toEqual(["b10", "b9", "a1"]);
});

test("what they take is summed by purpose", () => {
  expect(sumFiles(files)).toEqual({
    all: { files: 3, bytes: 115 },
    batch: { files: 2, bytes: 105 },
    batch_output: { files: 1, bytes: 10 },
  });
});
