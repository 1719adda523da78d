import { randomUUID } from "node:crypto";
import { readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DataDirError } from "./data-dir-error.ts";

/** Folders that this process holds: its own pid in a lock file is stale unless the folder is among them. */
const heldHere = new Set<string>();

/**
 * Takes a data folder for this process: a file `lock` in it holds the pid. The lock of a process that is gone is taken
 * over. Throws a DataDirError when the folder is held by a living process. The answer gives the folder back.
 */
export function lockDataDir(dir: string): () => void {
  const path = join(realpathSync(dir), "lock");
  for (;;) {
    if (writeIfAbsent(path)) break;
    const holder = readHolder(path);
    if (holder !== null && isAlive(holder, path)) throw inUse(dir, holder);
    removeStale(path, dir, holder);
  }
  heldHere.add(path);
  return () => {
    heldHere.delete(path);
    rmSync(path, { force: true });
  };
}

function writeIfAbsent(path: string): boolean {
  try {
    writeFileSync(path, `${process.pid}\n`, { flag: "wx" });
    return true;
  } catch (error) {
    if (isErrno(error, "EEXIST")) return false;
    throw error;
  }
}

/** The pid in a lock file; null when the file is gone or holds none. */
function readHolder(path: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(path, "utf8"), 10);
    return pid > 0 ? pid : null;
  } catch (error) {
    if (isErrno(error, "ENOENT")) return null;
    throw error;
  }
}

function isAlive(pid: number, path: string): boolean {
  if (pid === process.pid) return heldHere.has(path);
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isErrno(error, "EPERM");
  }
}

/** Another process may have taken the stale lock over since it was read: only what was read is removed. */
function removeStale(path: string, dir: string, stale: number | null): void {
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (isErrno(error, "ENOENT")) return;
    throw error;
  }
  const holder = readHolder(aside);
  if (holder !== null && holder !== stale) {
    renameSync(aside, path);
    throw inUse(dir, holder);
  }
  rmSync(aside, { force: true });
}

function inUse(dir: string, pid: number): DataDirError {
  return new DataDirError(
    "data_dir_in_use",
    `The data folder ${dir} is in use by process ${pid}. Stop that process, or start with another folder.`,
  );
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
