import { constants } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { writeFully } from "#main/storage";
import { BuildError } from "../errors.ts";

/** The most bytes of a table that is opened by its path: as many as a batch's file may have. */
const largestTable = 4_000_000_000;
/** What is copied at a time. */
const pieceBytes = 4 * 1024 * 1024;

/** Why a path leads to no table, for the user; null where it may be one. */
function explainStats(stats: { isFile(): boolean; isDirectory(): boolean; readonly size: number }): string | null {
  if (stats.isDirectory()) return "It is a folder. Open a table in it, such as XLSX or CSV.";
  if (!stats.isFile()) return "It is no file with rows, but a device or a pipe.";
  if (stats.size > largestTable) {
    return `It has ${(stats.size / 1e9).toFixed(1)} GB, and a table may have 4 GB. Split it, and open its parts.`;
  }
  return null;
}

function explainFailure(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT" || code === "ENOTDIR") return "It is no longer there: it was moved, renamed or deleted.";
  if (code === "EACCES" || code === "EPERM") return "You have no right to read it on this computer.";
  return `It could not be read (${String(code ?? "unknown")}).`;
}

/**
 * Opens a table by its path, which may lead anywhere: what is no regular file is not opened, because that may wait for ever.
 * Throws a BuildError with a sentence for the user. The caller closes it.
 */
export async function openTableFile(path: string): Promise<{ readonly file: FileHandle; readonly bytes: number }> {
  const check = (stats: Parameters<typeof explainStats>[0]) => {
    const reason = explainStats(stats);
    if (reason !== null) throw new BuildError("refused", reason);
  };
  let file: FileHandle | undefined;
  try {
    check(await stat(path));
    // It may have become something else since: a pipe is not waited for then.
    file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = await file.stat();
    check(stats);
    return { file, bytes: stats.size };
  } catch (error) {
    await file?.close();
    throw error instanceof BuildError ? error : new BuildError("refused", explainFailure(error));
  }
}

/** Copies a table piece by piece to a path where nothing is; yields how many bytes are there. Fails like `openTableFile`. */
export async function* copyTableFile(path: string, to: string, signal?: AbortSignal): AsyncGenerator<number, void> {
  const { file } = await openTableFile(path);
  try {
    const target = await open(to, "wx");
    try {
      const piece = Buffer.alloc(pieceBytes);
      for (let bytes = 0; ; ) {
        signal?.throwIfAborted();
        const { bytesRead } = await file.read(piece, 0, piece.length, bytes);
        if (bytesRead === 0) return;
        await writeFully(target, piece.subarray(0, bytesRead), bytes);
        bytes += bytesRead;
        if (bytes > largestTable) throw new BuildError("refused", "It grows while it is read, beyond 4 GB.");
        yield bytes;
      }
    } finally {
      await target.close();
    }
  } finally {
    await file.close();
  }
}
