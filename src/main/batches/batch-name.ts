import type { BatchRecord } from "#main/storage";
import type { Files } from "./files/files.ts";

/** The name shown for a batch: its own, else that of its file. */
export function nameOf(
  { id, metadata, inputFileId }: BatchRecord,
  { files }: { readonly files: Pick<Files, "get"> },
): string {
  return metadata.name ?? files.get(inputFileId)?.filename ?? id;
}
