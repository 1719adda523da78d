import { ORPCError } from "@orpc/client";
import { type Source, type SourceProgress, sourceChunkBytes } from "#contract";

/** The procedures of the `sources` contract that an upload takes. */
export interface UploadTarget {
  begin(input: { name: string }): Promise<{ id: string }>;
  append(
    input: { id: string; offset: number; chunk: Blob },
    options?: { signal?: AbortSignal },
  ): Promise<{ bytes: number }>;
  finish(input: { id: string }, options?: { signal?: AbortSignal }): Promise<AsyncIterable<SourceProgress>>;
  discard(input: { id: string }): Promise<unknown>;
}

/** How far an upload is. `reading`: all bytes are there, and the rows are being counted. */
export type UploadProgress =
  | { readonly phase: "sending"; readonly bytes: number }
  | { readonly phase: "reading"; readonly bytes: number; readonly total: number; readonly rows: number };

/** An upload that can be tried again: what arrived in the first try is not sent a second time. */
export interface Upload {
  /** Sends what is not there yet. Rejects with the signal's reason when it is aborted. */
  run(signal: AbortSignal, onProgress: (progress: UploadProgress) => void): Promise<Source>;
  /** Drops what has been sent. */
  discard(): Promise<void>;
}

/** Prepares the upload of a file in chunks, each sent when the one before has arrived. */
export function createUpload(target: UploadTarget, file: File, chunkBytes: number = sourceChunkBytes): Upload {
  let id: string | null = null;
  let offset = 0;

  function forget(): void {
    id = null;
    offset = 0;
  }

  return {
    async run(signal, onProgress) {
      signal.throwIfAborted();
      let isReading = false;
      try {
        id ??= (await target.begin({ name: file.name.slice(-255) })).id;
        while (offset < file.size) {
          signal.throwIfAborted();
          onProgress({ phase: "sending", bytes: offset });
          const chunk = file.slice(offset, offset + chunkBytes);
          ({ bytes: offset } = await target.append({ id, offset, chunk }, { signal }));
        }
        signal.throwIfAborted();
        isReading = true;
        onProgress({ phase: "reading", bytes: 0, total: offset, rows: 0 });
        return await followReading(await target.finish({ id }, { signal }), onProgress);
      } catch (error) {
        // The other side knows nothing of it any more, has it otherwise, or has dropped it because it could not read it: the
        // next try starts from the first byte.
        const isGone = error instanceof ORPCError && (isReading || ["NOT_FOUND", "CONFLICT"].includes(error.code));
        if (isGone) forget();
        throw error;
      }
    },
    async discard() {
      const sent = id;
      forget();
      if (sent !== null) await target.discard({ id: sent });
    },
  };
}

async function followReading(
  reading: AsyncIterable<SourceProgress>,
  onProgress: (progress: UploadProgress) => void,
): Promise<Source> {
  for await (const event of reading) {
    if (event.phase === "read") return event.source;
    onProgress(event);
  }
  throw new Error("The reading ended without a source.");
}
