import type { BatchRecord } from "#service";
import type { BatchApi } from "./batch-api.ts";

/** The name shown for a batch: its own, else that of its file. */
export function nameOf({ id, metadata, inputFileId }: BatchRecord, { files }: Pick<BatchApi, "files">): string {
  return metadata.name ?? files.get(inputFileId)?.filename ?? id;
}
