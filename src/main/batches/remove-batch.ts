import { rm } from "node:fs/promises";
import { removeColumnFiles } from "#main/results";
import { type BatchRecord, filesOf, type Store } from "#main/storage";
import type { BatchDeps } from "./deps.ts";

/** The files that go when these batches are removed: those that no other batch is made from, deleted ones among them. */
export function listOwnFiles({ all }: Pick<Store, "all">, removed: readonly BatchRecord[]): string[] {
  const ids = new Set(removed.map(({ id }) => id));
  const others = all.batches.list().filter(({ id }) => !ids.has(id));
  const needed = new Set(others.map(({ inputFileId }) => inputFileId));
  return [...new Set(removed.flatMap(filesOf))].filter((id) => !needed.has(id) && all.files.get(id) !== undefined);
}

/** Removes batches for good that have ended, and their files as far as no other batch needs them. A retry comes before its root. */
export async function removeBatches(
  { store, indexes, forgetRuns }: Pick<BatchDeps, "store" | "indexes" | "forgetRuns">,
  batches: readonly BatchRecord[],
): Promise<void> {
  // First the records, on the disk: a batch that is there has its files, wherever the process or the computer ends.
  const files = listOwnFiles(store, batches);
  for (const { id } of batches) {
    store.batches.remove(id);
    indexes.forget(id);
  }
  for (const id of files) store.files.remove(id);
  await store.synced();
  for (const id of files) await rm(store.pathOf(id), { force: true });
  for (const { id } of batches) {
    await forgetRuns(id);
    await store.lists.forget(id);
    for (const path of [store.ledgerOf(id).path, store.heldOf(id), store.timingsOf(id), store.indexOf(id)])
      await rm(path, { force: true });
    await removeColumnFiles(store.indexOf(id));
  }
}
