import { rm } from "node:fs/promises";
import { removeColumnFiles } from "#main/results";
import { type BatchRecord, filesOf, type Store } from "#main/storage";
import type { BatchDeps } from "./deps.ts";

/**
 * Finds the files that go when some batches are removed: those that no other batch is made from, deleted ones among them. All batches
 * are read once, for as many calls as follow.
 */
export function createOwnFileFinder({ all }: Pick<Store, "all">): (removed: readonly BatchRecord[]) => string[] {
  const users = Map.groupBy(all.batches.list(), ({ inputFileId }) => inputFileId);
  return (removed) => {
    const ids = new Set(removed.map(({ id }) => id));
    const isNeeded = (file: string) => users.get(file)?.some(({ id }) => !ids.has(id)) === true;
    return [...new Set(removed.flatMap(filesOf))].filter((id) => !isNeeded(id) && all.files.get(id) !== undefined);
  };
}

/** Removes batches for good that have ended, and their files as far as no other batch needs them. A retry comes before its root. */
export async function removeBatches(
  { store, indexes, forgetRuns }: Pick<BatchDeps, "store" | "indexes" | "forgetRuns">,
  batches: readonly BatchRecord[],
): Promise<void> {
  // First the records, on the disk: a batch that is there has its files, wherever the process or the computer ends.
  const files = createOwnFileFinder(store)(batches);
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
