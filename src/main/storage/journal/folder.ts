import { createHash } from "node:crypto";
import { chmodSync, createReadStream, rmSync, statSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { defaultScope, type Logger } from "#main/base";
import { listFiles, moveInto } from "../io/folders.ts";
import { parseJson } from "../io/json.ts";
import { scanLines } from "../io/scan-lines.ts";
import type { Notices } from "./notices.ts";
import type { FileRecord } from "./records.ts";

const uploadName = /^file-\w+$/;

/** Where the parts of a data folder are. */
export interface Places {
  readonly dir: string;
  readonly files: string;
  readonly journal: string;
  readonly quarantine: string;
}

export function placesIn(dir: string): Places {
  return {
    dir,
    files: join(dir, "files"),
    journal: join(dir, "journal.jsonl"),
    quarantine: join(dir, "quarantine"),
  };
}

/** Closes a folder to everybody but its owner when it is ours; returns that it is open when it belonged to someone before. */
export function keepPrivate(dir: string, isOurs: boolean, logger: Logger): void {
  if (process.platform === "win32" || (statSync(dir).mode & 0o077) === 0) return;
  try {
    if (isOurs) {
      chmodSync(dir, 0o700);
      return;
    }
  } catch {
    // It belongs to another user.
  }
  logger.warn(`Other users of this computer may read the data folder ${dir}. chmod 700 closes it to them.`);
}

/** The files in a folder that have names which uploads and results get. */
export function listUploads(filesDir: string): string[] {
  return listFiles(filesDir, uploadName);
}

/** What a folder of files is tidied by. */
export interface KnownFiles {
  has(id: string): boolean;
  /** Those whose removal the journal records. */
  readonly removed: ReadonlySet<string>;
}

/** Names in a notice. */
const mostNamed = 10;

/**
 * Removes what an end in the middle of something left: empty files, and bytes of files that were removed.
 * Other files that nothing names are moved to `quarantine`. Names that are not of our form are someone else's.
 */
export function tidyFiles(filesDir: string, known: KnownFiles, quarantine: string, notices: Notices): void {
  const unknown: string[] = [];
  for (const name of listUploads(filesDir)) {
    if (known.has(name)) continue;
    const path = join(filesDir, name);
    // A batch opens its answer files before their first line, and names them with it.
    if (known.removed.has(name) || statSync(path).size === 0) rmSync(path);
    else unknown.push(name);
  }
  if (unknown.length === 0) return;
  for (const name of unknown) moveInto(quarantine, join(filesDir, name), name);
  const [files, were] = unknown.length === 1 ? ["1 file", "was"] : [`${unknown.length} files`, "were"];
  const message = `${files} that no record names ${were} set aside. Nothing was deleted.`;
  notices.add({
    code: "files_quarantined",
    count: unknown.length,
    message,
    details: `From ${filesDir} to ${quarantine}: ${unknown.slice(0, mostNamed).join(", ")}${unknown.length > mostNamed ? " …" : ""}`,
  });
}

const ofBatch = /^(batch_[a-z0-9]+)(?:\.[\w.]+)?$/;

/** Removes what is left of batches that were removed by a process that ended before all of it was gone. */
export function removeOfBatches(dir: string, { has, removed }: KnownFiles): void {
  for (const folder of ["answers", "timings", "indexes", "verdicts", "grades"]) {
    for (const name of listFiles(join(dir, folder), ofBatch)) {
      const id = ofBatch.exec(name)?.[1] ?? "";
      if (removed.has(id) && !has(id)) rmSync(join(dir, folder, name));
    }
  }
}

const requestSchema = z.object({ custom_id: z.string(), body: z.looseObject({}) });

/** Records for the files that are whole batch inputs: every line is a request. The rest is left as it is. */
export async function adoptUploads(filesDir: string, isWanted = (_id: string) => true): Promise<FileRecord[]> {
  const records: FileRecord[] = [];
  for (const id of listUploads(filesDir).filter(isWanted)) {
    const path = join(filesDir, id);
    if (!(await isBatchInput(path))) continue;
    const { size: bytes, mtimeMs } = await stat(path);
    const about = {
      filename: `${id}.jsonl`,
      purpose: "batch",
      expiresAt: null,
      faulty: false,
      connection: null,
      generated: false,
      scope: defaultScope,
      vendor: "openai",
      mimeType: null,
    } as const;
    records.push({ id, ...about, bytes, sha256: await hashFile(path), createdAt: Math.floor(mtimeMs) });
  }
  return records.sort((a, b) => a.createdAt - b.createdAt);
}

/** The largest request that a batch takes by default, in bytes. */
const longestAdopted = 16_000_000;

async function isBatchInput(path: string): Promise<boolean> {
  const other = new AbortController();
  let requests = 0;
  const onLine = ({ bytes }: { readonly bytes: Buffer | null }) => {
    const text = bytes?.toString() ?? "";
    if (bytes !== null && text.trim() === "") return;
    if (requestSchema.safeParse(parseJson(text)).success) requests += 1;
    else other.abort();
  };
  await scanLines(path, onLine, { maxLineBytes: longestAdopted, signal: other.signal }).catch((error: unknown) => {
    if (!other.signal.aborted) throw error;
  });
  return requests > 0 && !other.signal.aborted;
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest("hex");
}
