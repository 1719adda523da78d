import { mkdtempSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findPlaceOfProcesses, isRunning } from "./running-process.ts";

const form = /^sheaf-(?<place>[0-9a-f]{8})-(?<pid>\d+)-\w{6}$/;

let hasSwept = false;

/**
 * Makes a folder in that for temporary files, under a name that says which process it belongs to. The first call also removes
 * the folders of processes that ended without doing so themselves.
 */
export function makeTemporaryFolder(): string {
  if (!hasSwept) {
    hasSwept = true;
    removeDeadFolders().catch(() => undefined);
  }
  return mkdtempSync(join(tmpdir(), `sheaf-${findPlaceOfProcesses()}-${process.pid}-`));
}

/** Answers with the names of the folders that it removed. One that can't be removed stays. */
export async function removeDeadFolders(): Promise<string[]> {
  const folder = tmpdir();
  const here = findPlaceOfProcesses();
  const dead = (await readdir(folder)).filter((name) => {
    const { place, pid } = form.exec(name)?.groups ?? {};
    // A process elsewhere can't be looked for.
    return place === here && !isRunning(Number(pid));
  });
  const removed = await Promise.allSettled(
    dead.map((name) => rm(join(folder, name), { recursive: true, force: true })),
  );
  return dead.filter((_, at) => removed[at]?.status === "fulfilled");
}
