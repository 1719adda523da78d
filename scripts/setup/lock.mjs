import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { printLine } from "./print.mjs";

const lookEvery = 200;

/**
 * Does a piece of work while no other process does the same, and says so when it waits for one. A lock that was left by a process that is gone is taken over.
 *
 * @template T
 * @param {string} path a file that is there while the work is done; it holds the id of the process
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(path, work) {
  mkdirSync(dirname(path), { recursive: true });
  let said = false;
  while (!take(path)) {
    const holder = holderOf(path);
    if (!isAlive(holder)) {
      rmSync(path, { force: true });
      continue;
    }
    if (!said && holder !== process.pid) {
      printLine(`Waiting for another start of Sheaf, which does the same (process ${holder}).`);
      said = true;
    }
    await wait(lookEvery);
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

/** @param {string} path */
function take(path) {
  try {
    writeFileSync(path, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/** @param {string} path */
function holderOf(path) {
  try {
    return Number(readFileSync(path, "utf8")) || process.pid;
  } catch {
    // It has just been given back.
    return process.pid;
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
