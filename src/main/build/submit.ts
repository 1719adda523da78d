import { createReadStream } from "node:fs";
import { type BuildInput, batchEndpoint, completionWindow, type SubmitProgress } from "#contract";
import type { BatchApi } from "../connections/index.ts";
import type { InputWriter } from "./input-writer.ts";

/** A name as the name of a file: without what file systems don't take. */
export function toFileName(name: string, extension: string): string {
  const safe = name
    .replaceAll(/[\p{Cc}\s<>:"/\\|?*]+/gu, " ")
    .trim()
    .slice(0, 100);
  return `${safe || "batch"}${extension}`;
}

/** Renders the batch input file, uploads it and creates the batch. Given up before that, it leaves nothing behind. */
export async function* submit(
  writer: InputWriter,
  api: Pick<BatchApi, "files" | "batches">,
  { name, ...input }: BuildInput & { name: string },
  signal?: AbortSignal,
): AsyncGenerator<SubmitProgress> {
  for await (const { done, total, file } of writer.prepare(input, signal)) {
    if (file === null) {
      yield { phase: "rendering", done, total };
      continue;
    }
    try {
      signal?.throwIfAborted();
      const upload = await api.files.receive(createReadStream(file.path));
      const { id: inputFileId } = await upload.keep({ filename: toFileName(name, ".jsonl"), purpose: "batch" });
      const batch = await api.batches.create({
        inputFileId,
        endpoint: batchEndpoint,
        completionWindow,
        metadata: { name },
      });
      yield { phase: "submitted", batchId: batch.id };
    } finally {
      await file.remove();
    }
  }
}
