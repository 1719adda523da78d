import { createHash } from "node:crypto";
import { open, rm } from "node:fs/promises";
import { ServiceError } from "../errors.ts";
import { writeFully } from "../io/index.ts";
import { formatBytes } from "./format.ts";

/** What has been written to disk. */
export interface Received {
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Streams content to a new file at `path`, hashed on the way. Fails with `file_too_large` as soon as it is over the
 * limit, or with what the content fails with; nothing is kept then.
 */
export async function receive(path: string, content: AsyncIterable<Uint8Array>, limit: number): Promise<Received> {
  const file = await open(path, "wx", 0o600);
  const hash = createHash("sha256");
  let bytes = 0;
  /** The last chunk is still being written while it is hashed, and while the next one comes. */
  let writing = Promise.resolve();
  try {
    for await (const chunk of content) {
      if (bytes + chunk.length > limit) throw tooLarge(limit);
      await writing;
      writing = writeFully(file, chunk, bytes);
      writing.catch(() => {}); // Told where it is awaited.
      hash.update(chunk);
      bytes += chunk.length;
    }
    await writing;
    await file.close();
  } catch (error) {
    await writing.catch(() => {});
    await file.close().catch(() => {});
    await rm(path, { force: true });
    throw error;
  }
  return { bytes, sha256: hash.digest("hex") };
}

function tooLarge(limit: number): ServiceError {
  return new ServiceError(
    "file_too_large",
    `The file is larger than ${formatBytes(limit)}, the most that is taken.`,
    "file",
  );
}
