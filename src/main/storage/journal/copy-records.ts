import { cpSync, existsSync, renameSync, rmSync } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { syncFolder } from "../io/durability.ts";
import { makeFolder } from "../io/folders.ts";
import type { Places } from "./folder.ts";
import { journalFormat } from "./read-journal.ts";

/** What a version of before knows a folder by; answers and uploads keep their form. */
const records = ["journal.jsonl", "connections.json", "server.json", "drafts", "secrets.json"];

/** Copies the records of an older folder to `before-<format>/`, once, and onto the disk itself, before anything in it is changed. */
export async function copyRecords({ dir }: Places): Promise<void> {
  const target = join(dir, `before-${journalFormat}`);
  if (existsSync(target)) return;
  // Whole or not at all, wherever this process ends.
  const copy = `${target}.tmp`;
  rmSync(copy, { recursive: true, force: true });
  makeFolder(copy);
  for (const name of records) {
    const path = join(dir, name);
    if (existsSync(path)) cpSync(path, join(copy, name), { recursive: true, preserveTimestamps: true });
  }
  await syncAll(copy);
  renameSync(copy, target);
  await syncFolder(dir);
}

/** Brings a folder and all that is in it to the disk. */
async function syncAll(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await syncAll(path);
    else {
      // Windows syncs only what is open for writing.
      const file = await open(path, "r+");
      await file.sync().finally(() => file.close());
    }
  }
  await syncFolder(folder);
}
