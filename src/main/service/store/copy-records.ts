import { cpSync, existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../io/index.ts";
import type { Places } from "./folder.ts";
import { journalFormat } from "./read-journal.ts";

/** What a version of before knows a folder by; answers and uploads keep their form. */
const records = ["journal.jsonl", "connections.json", "server.json", "drafts", "secrets.json"];

/** Copies the records of an older folder to `before-<format>/`, once, before anything in it is changed. */
export function copyRecords({ dir }: Places): void {
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
  renameSync(copy, target);
}
