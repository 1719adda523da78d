import { type FileHandle, open } from "node:fs/promises";
import { createQueue } from "#service";
import { BuildError } from "../errors.ts";

interface Upload {
  readonly name: string;
  readonly file: FileHandle;
  readonly inTurn: ReturnType<typeof createQueue>;
  bytes: number;
}

/** Uploads that come in pieces, each written to where `contentOf` says. */
export interface Uploads {
  begin(id: string, name: string): Promise<void>;
  /** Writes the next piece; `offset` is how many bytes went before. Answers with how many there are now. */
  append(id: string, offset: number, chunk: Uint8Array): Promise<number>;
  /** Ends the upload: all of it is on disk. Answers with its name. */
  finish(id: string): Promise<string>;
  /** Forgets an upload, if there is one. */
  abandon(id: string): Promise<void>;
  close(): Promise<void>;
}

const unknown = "This upload is no longer there. Add the file again.";

export function createUploads(contentOf: (id: string) => string): Uploads {
  const uploads = new Map<string, Upload>();

  function find(id: string): Upload {
    const upload = uploads.get(id);
    if (upload === undefined) throw new BuildError("not_found", unknown);
    return upload;
  }

  async function write(upload: Upload, offset: number, chunk: Uint8Array): Promise<number> {
    if (offset !== upload.bytes) {
      const message = `The upload has ${upload.bytes} bytes, and the next piece starts at ${offset}. Add the file again.`;
      throw new BuildError("conflict", message);
    }
    for (let written = 0; written < chunk.length; ) {
      const { bytesWritten } = await upload.file.write(chunk, written, chunk.length - written, offset + written);
      written += bytesWritten;
    }
    upload.bytes += chunk.length;
    return upload.bytes;
  }

  /** Takes it off the list first, so that nothing more is written. */
  async function end(id: string): Promise<string> {
    const upload = find(id);
    uploads.delete(id);
    await upload.inTurn(() => upload.file.close());
    return upload.name;
  }

  return {
    async begin(id, name) {
      uploads.set(id, { name, file: await open(contentOf(id), "wx"), bytes: 0, inTurn: createQueue() });
    },
    async append(id, offset, chunk) {
      const upload = find(id);
      return upload.inTurn(() => write(upload, offset, chunk));
    },
    finish: end,
    async abandon(id) {
      if (uploads.has(id)) await end(id);
    },
    async close() {
      await Promise.all([...uploads.keys()].map(end));
    },
  };
}
