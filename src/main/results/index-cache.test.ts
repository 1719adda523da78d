import { rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { BatchRecord, FileRecord } from "#main/storage";
import { noDurability } from "#main/storage";
import { createLogger } from "../base/logger.ts";
import { createFakeMachine, makeBatchRecord, makeFileRecord, makeTempDir } from "../service/testing/index.ts";
import { createDamageRecords } from "./damaged-answers.ts";
import { createIndexCache } from "./index-cache.ts";
import { createLineIndex } from "./line-index.ts";
import { scanRequests } from "./request-lines.ts";

/** The indexes of batches that have one input file of two requests; `file` is its record. */
async function openIndexes(batches: readonly BatchRecord[], file: FileRecord | undefined) {
  const folder = await makeTempDir();
  const input = join(folder, "input");
  await writeFile(input, "{}\n{}\n");
  /** The batches that were read, by their ids. */
  const readings: string[] = [];
  const store = {
    pathOf: () => input,
    ledgerOf(id: string) {
      readings.push(id);
      return { path: join(folder, `ledger-${id}`), folder: "f", batch: id };
    },
    pricesOf: async () => null,
    timingsOf: () => join(folder, "timings"),
    indexOf: (id: string) => join(folder, `index-${id}`),
    files: { get: () => file },
    batches: { get: (id: string) => batches.find((batch) => batch.id === id), list: () => [...batches] },
  };
  const machine = createFakeMachine();
  const logger = createLogger({ machine, level: "error", write: () => {} });
  const indexes = createIndexCache({ store, own: store, durability: noDurability, machine, logger });
  onTestFinished(() => indexes.close());
  return { input, indexes, readings };
}

test("a reading that fails takes no index away that was made after it began", async () => {
  const batch = makeBatchRecord({ status: "in_progress" });
  // No record of its input: it can't be read.
  const { input, indexes } = await openIndexes([batch], undefined);
  const requests = await scanRequests(input);
  const reading = expect(indexes.get(batch)).rejects.toThrow("input file");
  const index = indexes.create(batch.id, requests);
  await reading;
  expect(await indexes.get(batch)).toBe(index);
});

test("an index is read once, however many others are asked for while it is", async () => {
  const batches = Array.from({ length: 20 }, (_, at) => makeBatchRecord({ id: `batch_${at}`, status: "completed" }));
  const { indexes, readings } = await openIndexes(batches, makeFileRecord({ bytes: 6 }));
  await Promise.all([...batches, ...batches.slice(0, 3)].map(indexes.get));
  expect(readings).toHaveLength(batches.length);
});

test("an index whose input file has gone meanwhile is not saved, and nothing rejects for it", async () => {
  const batch = makeBatchRecord({ status: "in_progress" });
  const { input, indexes } = await openIndexes([batch], undefined);
  const index = indexes.create(batch.id, await scanRequests(input));
  await rm(input);
  await indexes.save(batch);
  expect(await indexes.get(batch)).toBe(index);
});

test("a newest batch that is too long to be compared at the start hides none of the shorter ones behind it", async () => {
  const folder = await makeTempDir();
  const sizes: Record<string, number> = { long: 65 * 1024 * 1024, short: 2, shorter: 1 };
  const ids = Object.keys(sizes);
  for (const id of ids) {
    await writeFile(join(folder, id), "");
    await truncate(join(folder, id), sizes[id]);
  }
  const batches = ids.map((id, age) => {
    const batch = makeBatchRecord({ id, status: "completed", outputFileId: id });
    return { ...batch, counts: { total: 1, completed: 1, failed: 0 }, times: { ...batch.times, created: 10 - age } };
  });
  const compared: string[] = [];
  const store = {
    batches: { list: () => batches, get: () => undefined },
    files: { get: (id: string) => ({ id, bytes: sizes[id] }) },
    pathOf: (id: string) => join(folder, id),
    indexOf: (id: string) => id,
    ledgerOf: () => ({ path: "", folder: "", batch: "b" }),
    timingsOf: () => "",
  };
  const openIndex = async ({ id }: BatchRecord) => {
    compared.push(id);
    return createLineIndex(new Float64Array(1));
  };
  const records = createDamageRecords({ readable: store as never, store: store as never, openIndex });
  await records.compareSome();
  expect(compared).toEqual(["short", "shorter"]);
});
