import type { BatchRecord } from "#service";
import type { BatchApi } from "./batch-api.ts";

/** What the user knows a batch by: its name, else that of its file. */
export function nameOf({ id, metadata, inputFileId }: BatchRecord, { files }: Pick<BatchApi, "files">): string {
  return metadata.name ?? files.get(inputFileId)?.filename ?? id;
}
