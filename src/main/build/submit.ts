import { createReadStream } from "node:fs";
import { type BuildInput, batchEndpoint, completionWindow, type SubmitProgress } from "#contract";
import type { Logger } from "#service";
import type { BatchApi } from "../connections/index.ts";
import type { BatchSources } from "./batch-sources.ts";
import type { InputWriter } from "./input-writer.ts";
import type { SourceStore } from "./sources/source-store.ts";

/** A name as the name of a file: without what file systems don't take. */
export function toFileName(name: string, extension: string): string {
  const safe = name
    .replaceAll(/[\p{Cc}\s<>:"/\\|?*]+/gu, " ")
    .trim()
    .slice(0, 100);
  return `${safe || "batch"}${extension}`;
}

export interface SubmitParts {
  readonly writer: Pick<InputWriter, "prepare">;
  readonly api: Pick<BatchApi, "files" | "batches">;
  readonly sources: Pick<SourceStore, "open">;
  readonly batchSources: Pick<BatchSources, "record">;
  readonly logger: Logger;
}

/** Renders the batch input file, uploads it and creates the batch. Given up before that, it leaves nothing behind. */
export async function* submit(
  { writer, api, sources, batchSources, logger }: SubmitParts,
  { name, ...input }: BuildInput & { name: string },
  signal?: AbortSignal,
): AsyncGenerator<SubmitProgress> {
  const { source } = await sources.open(input.sourceId);
  for await (const { done, total, file } of writer.prepare(input, signal)) {
    if (file === null) {
      yield { phase: "rendering", done, total };
      continue;
    }
    try {
      signal?.throwIfAborted();
      const upload = await api.files.receive(createReadStream(file.path));
      const { id: inputFileId } = await upload.store({ filename: toFileName(name, ".jsonl"), purpose: "batch" });
      const batch = await api.batches.create({
        inputFileId,
        endpoint: batchEndpoint,
        completionWindow,
        metadata: { name },
        connection: input.template.connectionId,
        reuse: input.rows?.reuse ?? false,
        onceIdentical: input.rows?.onceIdentical ?? false,
      });
      // The batch runs by now: that its table can't be recorded is no reason to say that it does not.
      await batchSources.record(batch.id, source, input, file.written).catch((error: unknown) => {
        logger.warn("the table of a batch can't be recorded", { batch: batch.id, error: String(error) });
      });
      yield { phase: "submitted", batchId: batch.id };
    } finally {
      await file.remove();
    }
  }
}
