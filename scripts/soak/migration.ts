import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createManualClock } from "#main/base";
import { drawCrashState } from "./disk/crash-state.ts";
import type { Operation } from "./disk/disk-log.ts";
import { disk } from "./disk/patched-disk.ts";
import { createRandom } from "./random.ts";
import { createNotingEngine, openFolder, readLines, settleAll } from "./service-run.ts";

const oldFolders = join(import.meta.dirname, "../../src/main/cli/testing/old-folders");
/** An hour after the last batch was made in them. */
const later = Date.UTC(2026, 10, 1) + 27 * 3_600_000;
/** What a power cut may leave to be named. */
const allowed: ReadonlySet<string> = new Set(["journal_damaged", "files_quarantined"]);
/** How long the rest of all batches may take, in milliseconds. */
const longest = 15_000;

/** A start in the folder of an older version, as its disk saw it. */
export interface RecordedMigration {
  readonly root: string;
  readonly operations: readonly Operation[];
  /** Operations that made the folder of before, all of which are on the disk. */
  readonly syncedAt: number;
  /** The journal of before. */
  readonly journal: Buffer;
  /** What is in it once it is open. */
  readonly content: string;
  /** Removes its folder. */
  remove(): void;
}

/** Opens a copy of the folder of a version, by its commit, and records it. */
export async function recordMigration(commit: string): Promise<RecordedMigration> {
  const root = join(mkdtempSync(join(tmpdir(), "sheaf-old-")), "data");
  const operations = disk.record(root);
  cpSync(join(oldFolders, commit, "data"), root, { recursive: true });
  const syncedAt = operations.length;
  const journal = readFileSync(join(root, "journal.jsonl"));
  const content = await describeBatches(root);
  const remove = () => rmSync(dirname(root), { recursive: true, force: true });
  const recorded = { root, operations: [...operations], syncedAt, journal, content, remove };
  disk.record(join(root, "..", "no longer"));
  return recorded;
}

/** Draws one crash state of that start, and returns what is wrong with the next one. */
export async function tryMigration(recorded: RecordedMigration, seed: number): Promise<string[]> {
  const random = createRandom(seed);
  const { operations, syncedAt, journal, content } = recorded;
  // Most of them while the folder is brought to its new form.
  const end = random.chance(0.8) ? Math.min(operations.length, syncedAt + 60) : operations.length;
  const count = syncedAt + random.below(end - syncedAt + 1);
  const folder = mkdtempSync(join(tmpdir(), "sheaf-state-"));
  const dataDir = join(folder, "data");
  mkdirSync(dataDir, { mode: 0o700 });
  try {
    const habits = drawCrashState(recorded, count, random, dataDir);
    for (const name of readdirSync(dataDir)) if (name.startsWith("owner")) rmSync(join(dataDir, name));
    const where = `seed ${seed}, operation ${count} of ${syncedAt} to ${operations.length}, ${habits.names} ${habits.bytes}`;
    const found = await describeBatches(dataDir).catch((error: unknown) => `thrown: ${error}`);
    const problems = found === content ? [] : [`not the same: ${found} instead of ${content} (${where})`];
    const copy = join(dataDir, "before-2", "journal.jsonl");
    if (!readFileSync(copy).equals(journal)) problems.push(`not whole: the copy of the journal (${where})`);
    return problems;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Opens a folder, lets its batches end, and says how they did. */
async function describeBatches(dataDir: string): Promise<string> {
  const service = await openFolder(dataDir, createNotingEngine(), { clock: createManualClock(later) });
  try {
    await settleAll(service, longest);
    const batches = service.batches.list({ limit: 10_000, trials: true }).batches.map(async (batch) => {
      const { id, status, counts, outputFileId, errorFileId } = batch;
      const lines = [...(await readLines(service, outputFileId)), ...(await readLines(service, errorFileId))];
      const ids = lines.map((line) => (JSON.parse(line) as { custom_id: string }).custom_id).sort();
      return [id, status, counts.total, counts.completed, counts.failed, ids];
    });
    return JSON.stringify([
      await Promise.all(batches),
      service.files
        .list()
        .filter(({ purpose }) => purpose !== "batch_output")
        .map(({ id }) => id),
      service.notices
        .list()
        .filter(({ code }) => !allowed.has(code))
        .map(({ code }) => code),
    ]);
  } finally {
    await service.close(0);
  }
}
