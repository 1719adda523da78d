import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isErrno } from "./error.ts";
import { findPlaceOfProcesses, isRunning } from "./running-process.ts";

/** `.name.<where>-<pid>-<random>.tmp`, and as it was once: `.name.<pid>.tmp`. */
const partialForm = /^\.(?<name>.+)\.(?:(?<where>[0-9a-f]{8})-)?(?<pid>\d+)(?:-[0-9a-f]{8})?\.tmp$/;

/** What this process writes: another one may have had its id. */
const own = new Set<string>();

/** A path beside a file, for what becomes that file when it is whole. It tells which process writes it. */
export function partialPathOf(path: string): string {
  const random = randomBytes(4).toString("hex");
  const name = `.${basename(path)}.${findPlaceOfProcesses()}-${process.pid}-${random}.tmp`;
  own.add(name);
  return join(dirname(path), name);
}

/** The path of what a partial file becomes; of any other file it is its own. */
export function wholePathOf(path: string): string {
  const { name = basename(path) } = partialForm.exec(basename(path))?.groups ?? {};
  return join(dirname(path), name);
}

/** Removes what processes that ended left beside a file that they were writing, and answers with the names of it. */
export async function removePartials(path: string): Promise<string[]> {
  const here = findPlaceOfProcesses();
  const left = listNames(dirname(path)).filter((name) => {
    const { name: of, where = here, pid } = partialForm.exec(name)?.groups ?? {};
    // A process elsewhere can't be looked for.
    return of === basename(path) && where === here && !isWriting(Number(pid), name);
  });
  for (const name of left) await rm(join(dirname(path), name), { force: true });
  return left;
}

function isWriting(pid: number, name: string): boolean {
  return pid === process.pid ? own.has(name) : isRunning(pid);
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    // The writer's own error says more.
    if (["ENOENT", "ENOTDIR", "EACCES"].some((code) => isErrno(error, code))) return [];
    throw error;
  }
}
