import { ORPCError } from "@orpc/client";
import { type Source, sourceChunkBytes } from "#contract";

/** The procedures of the `sources` contract that an upload takes. */
export interface UploadTarget {
  begin(input: { name: string }): Promise<{ id: string }>;
  append(
    input: { id: string; offset: number; chunk: Blob },
    options?: { signal?: AbortSignal },
  ): Promise<{ bytes: number }>;
  finish(input: { id: string }, options?: { signal?: AbortSignal }): Promise<Source>;
  discard(input: { id: string }): Promise<unknown>;
}

/** How far an upload is. `reading`: all bytes are there, and the rows are being counted. */
export interface UploadProgress {
  readonly phase: "sending" | "reading";
  readonly bytes: number;
}

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
      try {
        id ??= (await target.begin({ name: file.name.slice(-255) })).id;
        while (offset < file.size) {
          signal.throwIfAborted();
          onProgress({ phase: "sending", bytes: offset });
          const chunk = file.slice(offset, offset + chunkBytes);
          ({ bytes: offset } = await target.append({ id, offset, chunk }, { signal }));
        }
        signal.throwIfAborted();
        onProgress({ phase: "reading", bytes: offset });
        return await target.finish({ id }, { signal });
      } catch (error) {
        // The other side knows nothing of it any more, or has it otherwise: the next try starts from the first byte.
        if (error instanceof ORPCError && (error.code === "NOT_FOUND" || error.code === "CONFLICT")) forget();
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
