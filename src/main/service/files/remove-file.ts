import { rm } from "node:fs/promises";
import { finalStatuses } from "#contract";
import type { Store } from "../store/index.ts";
import type { BatchRecord } from "../types.ts";

/** A batch that has not ended and reads or writes the file. */
export function findUser(store: Store, fileId: string): BatchRecord | undefined {
  return store.batches
    .list()
    .find(
      ({ status, inputFileId, outputFileId, errorFileId }) =>
        !finalStatuses.has(status) && [inputFileId, outputFileId, errorFileId].includes(fileId),
    );
}

/** The record goes first: bytes without one are removed at the next start, should this process end in between. */
export async function removeFile(store: Store, fileId: string): Promise<void> {
  store.files.remove(fileId);
  await rm(store.pathOf(fileId), { force: true });
}
