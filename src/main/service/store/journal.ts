import { readFileSync, renameSync } from "node:fs";
import { isErrno, openSyncAppender, parseJson } from "../io/index.ts";
import { DataDirError } from "./data-dir-error.ts";
import { type Change, changeSchema } from "./records.ts";

/** The changes of records on disk: one line of JSON each, in the order in which they were made. */
export interface Journal {
  /** Returns when the operating system has the line. On failure nothing of it stays and this throws. */
  append(change: Change): void;
  close(): void;
}

/**
 * Reads the changes that a journal has; none where there is no journal. A last line without its end counts when it is
 * whole: else it was being written when the process ended, was never answered, and is dropped. Throws a DataDirError for
 * any other line that can't be read: what it meant is not to be guessed.
 */
export function readJournal(path: string): Change[] {
  const lines = readText(path).split("\n");
  const last = changeSchema.safeParse(parseJson(lines.pop() ?? ""));
  const changes = lines.map((line, index) => {
    const change = changeSchema.safeParse(parseJson(line));
    if (change.success) return change.data;
    throw new DataDirError(
      "data_dir_unreadable",
      `Line ${index + 1} of ${path} can't be read. Restore the file from a copy, or start with another data folder.`,
    );
  });
  return last.success ? [...changes, last.data] : changes;
}

/**
 * Starts a journal with `snapshot`, in the place of the one before, and takes changes from then on.
 *
 * Lines are written synchronously: a change is a few hundred bytes and there are few for each batch, so that it costs
 * microseconds, and there is no moment in which memory and journal differ. The lines are left to the operating system
 * (no fsync for each): they outlive a crash of this process, which is what the service promises, not of the machine.
 */
export function startJournal(path: string, snapshot: readonly Change[]): Journal {
  const next = `${path}.next`;
  const file = openSyncAppender(next);
  const append = (change: Change) => file.append(Buffer.from(`${JSON.stringify(change)}\n`));
  for (const change of snapshot) append(change);
  file.flush();
  renameSync(next, path);
  return { append, close: file.close };
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (isErrno(error, "ENOENT")) return "";
    throw error;
  }
}
