import { once } from "node:events";
import { open, realpath, rename, rm, stat } from "node:fs/promises";
import { finished } from "node:stream/promises";
import { partialPathOf, removePartials } from "#main/storage";
import { describeFileError } from "./cli-error.ts";
import { type CommandProcess, printError } from "./command-process.ts";

/** A file that appears complete or not at all. */
export interface AtomicFile {
  write(bytes: Uint8Array): Promise<void>;
  /** Syncs the file to disk and moves it into place. */
  commit(): Promise<void>;
  /** Removes the file; does nothing after `commit`. */
  discard(): Promise<void>;
}

/**
 * Opens a temporary file next to `path`, which `commit` moves into place. What commands that ended left there is removed, and
 * named on stderr. What exists and is no regular file (a pipe, /dev/stdout) is written to directly.
 *
 * @throws CliError when the path cannot be written to
 */
export async function createAtomicFile(path: string, io: Pick<CommandProcess, "stderr">): Promise<AtomicFile> {
  const target = await realpath(path).catch(() => path);
  const present = await stat(target).catch(() => undefined);
  const inPlace = present !== undefined && !present.isFile();
  const working = inPlace ? target : partialPathOf(target);
  for (const name of inPlace ? [] : await removePartials(target)) {
    printError(`Removed ${name}, which a command that ended left half written.`, io);
  }
  const handle = await open(working, inPlace ? "a" : "wx").catch((error) => {
    throw describeFileError(error, path);
  });
  const stream = handle.createWriteStream({ flush: !inPlace });
  let failure: unknown;
  stream.on("error", (error) => {
    failure = error;
  });

  let settled = false;
  return {
    async write(bytes) {
      try {
        if (failure !== undefined) throw failure;
        if (!stream.write(bytes)) await once(stream, "drain");
      } catch (error) {
        throw describeFileError(error, path);
      }
    },
    async commit() {
      try {
        stream.end();
        await finished(stream);
        if (!inPlace) await rename(working, target);
        settled = true;
      } catch (error) {
        throw describeFileError(error, path);
      }
    },
    async discard() {
      if (settled) return;
      settled = true;
      stream.destroy();
      if (!inPlace) await rm(working, { force: true });
    },
  };
}

/** How messages name the path of an output. */
export const nameOutput = (path: string) => (path === "-" ? "standard output" : path);

/** The file at a path that the user gave; `-` is standard output, where what was written can't be taken back. */
export async function openOutput(path: string, io: CommandProcess): Promise<AtomicFile> {
  if (path !== "-") return await createAtomicFile(path, io);
  const { stdout } = io;
  return {
    async write(bytes) {
      if (!stdout.write(bytes)) await once(stdout, "drain");
    },
    commit: async () => {},
    discard: async () => {},
  };
}
