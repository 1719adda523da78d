import { existsSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import { copyFile, open, rename, rm } from "node:fs/promises";
import { dirname, isAbsolute, join, relative } from "node:path";
import { syncFolder } from "./durability.ts";
import { isErrno } from "./error.ts";

/**
 * Makes a folder and those around it, for their owner alone. Where the system has it that there can be no such folder,
 * as under /proc, it throws: Node's own recursive way would try without end.
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  if (!existsSync(dirname(path))) makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it just now.
    if (!existsSync(path)) throw error;
  }
}

/** Whether the path is one of the folders or below one. All paths are resolved. */
export function isInside(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => {
    const way = relative(folder, path);
    return way !== ".." && !/^\.\.[\\/]/.test(way) && !isAbsolute(way);
  });
}

/** Moves a file or folder, under a name that is not taken. */
export function moveInto(folder: string, path: string, name: string): void {
  makeFolder(folder);
  renameSync(path, findFreeName(folder, name));
}

/** Keeps a copy of a file, under a name that is not taken. It is on the disk when this resolves. */
export async function copyInto(folder: string, path: string, name: string): Promise<void> {
  makeFolder(folder);
  const target = findFreeName(folder, name);
  const part = `${target}.part`;
  await copyFile(path, part);
  // Windows syncs only what is open for writing.
  const copy = await open(part, "r+");
  await copy.sync().finally(() => copy.close());
  await rename(part, target);
  await syncFolder(folder);
  await syncFolder(dirname(folder));
}

function findFreeName(folder: string, name: string): string {
  let target = join(folder, name);
  for (let copy = 2; existsSync(target); copy++) target = join(folder, `${name}.${copy}`);
  return target;
}

/** The files of a folder whose names have a form; none where there is no folder. Other names are someone else's. */
export function listFiles(folder: string, form: RegExp): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isFile() && form.test(entry.name)).map(({ name }) => name);
  } catch (error) {
    if (isErrno(error, "ENOENT")) return [];
    throw error;
  }
}

/** Removes the files of a folder whose names have a form, and nothing else. */
export async function removeFiles(folder: string, form: RegExp): Promise<void> {
  await Promise.all(listFiles(folder, form).map((name) => rm(join(folder, name), { force: true })));
}
