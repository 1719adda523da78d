import { type FileHandle, open } from "node:fs/promises";
import { createQueue, type Queue } from "#main/base";
import { writeFully } from "#main/storage";
import { BuildError } from "../errors.ts";

/** What is known of an upload before it is read. */
interface UploadAbout {
  readonly name: string;
  readonly generated: boolean;
}

interface Upload extends UploadAbout {
  readonly file: FileHandle;
  readonly inTurn: Queue;
  bytes: number;
}

const notFound = "This upload is no longer there. Add the file again.";

/** Files that arrive in pieces, by the ids of the sources that they become. */
export interface Uploads {
  /** Makes the file, which must not be there yet. */
  begin(id: string, path: string, about: UploadAbout): Promise<void>;
  has(id: string): boolean;
  /** Throws a BuildError where there is none. */
  get(id: string): UploadAbout;
  /** Writes the next piece; `offset` is how many bytes went before. Returns how many there are now. */
  append(id: string, offset: number, chunk: Uint8Array): Promise<{ bytes: number }>;
  /** Completes it on disk. It is removed from the list first, so that nothing more is written. */
  end(id: string): Promise<UploadAbout>;
  close(): Promise<void>;
}

export function createUploads(): Uploads {
  const uploads = new Map<string, Upload>();

  function get(id: string): Upload {
    const upload = uploads.get(id);
    if (upload === undefined) throw new BuildError("not_found", notFound);
    return upload;
  }

  async function end(id: string): Promise<UploadAbout> {
    const upload = get(id);
    uploads.delete(id);
    await upload.inTurn(() => upload.file.close());
    return upload;
  }

  return {
    async begin(id, path, about) {
      uploads.set(id, { ...about, file: await open(path, "wx"), bytes: 0, inTurn: createQueue() });
    },
    has: (id) => uploads.has(id),
    get,
    async append(id, offset, chunk) {
      const upload = get(id);
      return await upload.inTurn(() => writePiece(upload, offset, chunk));
    },
    end,
    async close() {
      await Promise.all([...uploads.keys()].map(end));
    },
  };
}

async function writePiece(upload: Upload, offset: number, chunk: Uint8Array): Promise<{ bytes: number }> {
  if (offset !== upload.bytes) {
    const message = `The upload has ${upload.bytes} bytes, and the next piece starts at ${offset}. Add the file again.`;
    throw new BuildError("conflict", message);
  }
  await writeFully(upload.file, chunk, offset);
  upload.bytes += chunk.length;
  return { bytes: upload.bytes };
}
