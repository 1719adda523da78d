import { randomUUID } from "node:crypto";
import { link, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { Machine } from "#main/base";
import { createSystemMachine } from "#main/base";
import { isErrno } from "./error.ts";

/** Between two attempts, in milliseconds. */
const retryDelay = 20;
/** A process that holds a lock for longer has ended: what is done under one takes milliseconds. */
const longestHold = 10_000;

/**
 * Runs a task that reads a file and writes it anew, while no other process does. The lock is a file beside it for that time,
 * with a word in it that is never used again; one that stays the same for ten seconds was left by a process that ended.
 */
export async function withFileLock<T>(
  path: string,
  task: () => Promise<T>,
  machine: Machine = createSystemMachine(),
): Promise<T> {
  const lock = `${path}.lock`;
  const own = randomUUID();
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  let seen: string | null = null;
  let since = 0;
  while (!(await takeLock(lock, own))) {
    const word = await readLock(lock);
    if (word !== seen) {
      seen = word;
      since = machine.monotonic();
    } else if (word !== null && machine.monotonic() - since >= longestHold) await breakLock(lock, word);
    await machine.sleep(retryDelay);
  }
  try {
    return await task();
  } finally {
    if ((await readLock(lock)) === own) await rm(lock, { force: true });
  }
}

async function takeLock(lock: string, word: string): Promise<boolean> {
  try {
    const file = await open(lock, "wx", 0o600);
    try {
      await file.writeFile(word);
    } catch (error) {
      // A lock without content would stay for ten seconds.
      await rm(lock, { force: true });
      throw error;
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if (isErrno(error, "EEXIST")) return false;
    throw error;
  }
}

async function readLock(lock: string): Promise<string | null> {
  try {
    return await readFile(lock, "utf8");
  } catch (error) {
    if (isErrno(error, "ENOENT")) return null;
    throw error;
  }
}

/** Another process may have broken it just now, and taken its own: that one is put back. */
async function breakLock(lock: string, word: string): Promise<void> {
  const broken = `${lock}.${randomUUID()}.tmp`;
  try {
    await rename(lock, broken);
    if ((await readLock(broken)) !== word) await link(broken, lock);
  } catch (error) {
    if (!isErrno(error, "ENOENT") && !isErrno(error, "EEXIST")) throw error;
  } finally {
    await rm(broken, { force: true });
  }
}
