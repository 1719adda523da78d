import { rm } from "node:fs/promises";
import { removeColumnFiles } from "../results/index.ts";
import type { BatchRecord } from "../store/index.ts";
import type { BatchParts } from "./parts.ts";

/** Removes a batch that has ended, and its files as far as no other batch needs them. */
export async function removeBatch(
  { store, indexes, files, forgetRuns }: Pick<BatchParts, "store" | "indexes" | "files" | "forgetRuns">,
  { id, inputFileId, outputFileId, errorFileId }: BatchRecord,
): Promise<void> {
  // First the record: a batch that is there has its files, wherever the process ends.
  store.batches.remove(id);
  indexes.forget(id);
  const isNeeded = (fileId: string) => store.batches.list().some((other) => other.inputFileId === fileId);
  for (const fileId of [inputFileId, outputFileId, errorFileId]) {
    const isThere = fileId !== null && store.files.get(fileId) !== undefined;
    if (isThere && !isNeeded(fileId)) await files.remove(fileId);
  }
  await forgetRuns(id);
  for (const path of [store.ledgerOf(id).path, store.timingsOf(id), store.indexOf(id)]) await rm(path, { force: true });
  await removeColumnFiles(store.indexOf(id));
}
