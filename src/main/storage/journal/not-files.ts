import { type Dirent, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { isErrno } from "../io/error.ts";
import { moveInto } from "../io/folders.ts";
import { priceFile, priceFolder } from "../price-records.ts";
import type { Places } from "./folder.ts";
import type { Notices } from "./notices.ts";
import { shortList } from "./open-journal.ts";

/** Files of a data folder that are opened by their name, by folder. Anything of another form is someone else's. */
const files = [
  { folder: "", form: /^(journal\.jsonl(\.previous|\.next)?|verifications\.jsonl|verdicts\.jsonl|reserve)$/ },
  { folder: "", form: /^(connections|server|storage|secrets|secrets\.system|job)\.json$/ },
  { folder: "files", form: /^file-[0-9a-f]{32}$/ },
  ...["answers", "indexes", "timings", "verdicts", "grades", "origins", "lists"].map((folder) => ({
    folder,
    form: /^batch_[0-9a-f]{32}(\.|$)/,
  })),
  { folder: priceFolder, form: priceFile },
  { folder: "drafts", form: /^draft_\w+\.json$/ },
] as const;
const inSources = /^(source\.json$|content)/;

/** Its folders. */
const folders: ReadonlySet<string> = new Set([...files.map(({ folder }) => folder), "sources", "cli"]);

/**
 * Paths in a data folder at which there is something else than the file or folder of this name: a folder, a pipe, a link that leads
 * nowhere. Opening such a thing fails in many ways, and that of a pipe waits without end.
 */
export function listNotFiles(dir: string): string[] {
  const top = listEntries(dir, "");
  const found = top.filter((entry) => folders.has(entry.name) && !isOf(entry, "folder"));
  for (const { folder, form } of files) {
    const entries = folder === "" ? top : listEntries(dir, folder);
    found.push(...entries.filter((entry) => form.test(entry.name) && !isOf(entry, "file")));
  }
  for (const { name } of listEntries(dir, "sources").filter((entry) => isOf(entry, "folder"))) {
    const entries = listEntries(dir, join("sources", name));
    found.push(...entries.filter((entry) => inSources.test(entry.name) && !isOf(entry, "file")));
  }
  return found.map(({ place, name }) => join(place, name));
}

/** Moves such things to `quarantine`, so that what should be there counts as missing. */
export function moveNotFiles({ dir, quarantine }: Places, notices: Notices): void {
  const found = listNotFiles(dir);
  if (found.length === 0) return;
  for (const name of found) moveInto(quarantine, join(dir, name), basename(name));
  const message = `${shortList(found)} in ${dir}: no file of Sheaf's, but a folder, a pipe or a link that leads nowhere. Moved to ${quarantine}.`;
  notices.add({ code: "files_quarantined", count: found.length, message });
}

interface Entry {
  readonly dir: string;
  /** In `dir`. */
  readonly place: string;
  readonly name: string;
  readonly type: Dirent;
}

function listEntries(dir: string, place: string): Entry[] {
  try {
    const entries = readdirSync(join(dir, place), { withFileTypes: true });
    return entries.map((type) => ({ dir, place, name: type.name, type }));
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "ELOOP"].some((code) => isErrno(error, code))) return [];
    throw error;
  }
}

/** A link counts as what it leads to. */
function isOf({ dir, place, name, type }: Entry, kind: "file" | "folder"): boolean {
  const about = type.isSymbolicLink() ? statOf(join(dir, place, name)) : type;
  return (kind === "file" ? about?.isFile() : about?.isDirectory()) ?? false;
}

function statOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (isErrno(error, "ELOOP")) return undefined;
    throw error;
  }
}
