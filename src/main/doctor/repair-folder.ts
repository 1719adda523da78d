import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Logger, Machine } from "#main/base";
import { ServiceError } from "#main/base";
import { createIndexCache } from "#main/results";
import {
  copyInto,
  DataDirError,
  lockDataDir,
  lostOrigin,
  moveInto,
  openLedger,
  openStore,
  placesIn,
  removeDebris,
  replaceFile,
  type Store,
  scanLines,
  shortList,
  type WriteRules,
  writeJsonFile,
} from "#main/storage";
import { isSoundLine, toQuarantine } from "./check-small-files.ts";
import { examineOne, listJobFolders } from "./examine-folder.ts";
import type { Finding } from "./findings.ts";

interface RepairDeps {
  readonly machine: Machine;
  readonly logger: Logger;
}

/** What a repair did. */
export interface Repaired {
  /** What it did something about. */
  readonly findings: readonly Finding[];
  /** Jobs with more to repair, as paths in the folder: a command is at work in them, and nothing was changed. */
  readonly inUse: readonly string[];
}

/**
 * Does what is safe about each finding in a data folder and its jobs, and confirms damage of the journal, so that the folder is tidied again.
 * Nothing is deleted but what is made anew or was never whole. Rejects with a DataDirError where another process holds the folder, or its
 * journal is lost.
 */
export async function repairFolder(dir: string, parts: RepairDeps): Promise<Repaired> {
  // Who asks for a repair is told that the folder is in use, whatever there is to do.
  (await lockDataDir(dir, parts)).release();
  const findings = await repairOne(dir, parts);
  const inUse: string[] = [];
  for (const job of await listJobFolders(dir)) {
    try {
      const found = await repairOne(join(dir, job), parts);
      findings.push(...found.map((finding) => ({ ...finding, path: join(job, finding.path) })));
    } catch (error) {
      if (!(error instanceof DataDirError && error.code === "data_dir_in_use")) throw error;
      inUse.push(job);
    }
  }
  return { findings, inUse };
}

/** What its user does about jobs that were in use; null where none was. */
export function describeInUse({ inUse }: Repaired): string | null {
  if (inUse.length === 0) return null;
  return `Not repaired, because a command is at work there: ${shortList(inUse)}. Wait until it has ended, then repair again.`;
}

async function repairOne(dir: string, { machine, logger }: RepairDeps): Promise<Finding[]> {
  // A start tidies what the examination is to name.
  const { findings } = await examineOne(dir, machine);
  const repaired = findings.filter(({ repair }) => repair !== null);
  if (repaired.length === 0) return [];
  const store = await openStore({ dataDir: dir }, { machine, logger });
  if (repaired.some(({ kind }) => kind === "not_a_file")) {
    // The start has moved it: now the rest can be examined.
    await store.close();
    return [...repaired, ...(await repairOne(dir, { machine, logger }))];
  }
  try {
    if (store.isDamaged.get()) await store.confirmDamage();
    for (const finding of repaired)
      if (existsSync(join(dir, finding.path))) await repairFile(dir, finding, store.durability);
    const batchIds = repaired.filter(({ kind }) => ledgerKinds.has(kind)).flatMap(({ ids }) => ids);
    if (batchIds.length > 0) await completeLedgers(store, batchIds, { machine, logger });
    removeDebris(dir, { machine, logger });
    return repaired;
  } finally {
    await store.close();
  }
}

async function repairFile(dir: string, { kind, path: name, repair }: Finding, rules: WriteRules): Promise<void> {
  const { quarantine } = placesIn(dir);
  const path = join(dir, name);
  switch (kind) {
    case "settings_damaged":
    case "file_unknown":
      return moveInto(quarantine, path, basename(path));
    case "record_damaged":
      // The content of a table goes with its record.
      if (name.startsWith("sources")) return moveInto(quarantine, dirname(path), basename(dirname(path)));
      moveInto(quarantine, path, basename(path));
      // Without a record its exports would lack the columns of the table, and not say so.
      if (name.startsWith("origins")) await writeJsonFile(path, lostOrigin, rules);
      return;
    case "lines_damaged":
      if (repair === toQuarantine) return moveInto(quarantine, path, basename(path));
      return await keepSoundLines(path, quarantine, rules);
    case "ledger_damaged":
    case "ledger_replaced":
      return await copyInto(quarantine, path, `ledger-${basename(path)}`);
    case "index_damaged":
    case "column_damaged":
    case "table_damaged":
      return await rm(path, { force: true });
    default:
    // The journal was written anew before, and what is half written is removed behind it.
  }
}

const ledgerKinds: ReadonlySet<Finding["kind"]> = new Set(["ledger_damaged", "ledger_replaced"]);

/** Adds missing entries to ledgers from the answer files, as the service does when it opens a batch. */
async function completeLedgers(store: Store, ids: readonly string[], parts: RepairDeps): Promise<void> {
  // Deleted batches can be restored.
  const whole = { ...store, ...store.all };
  const indexes = createIndexCache({ store: whole, own: whole, durability: store.durability, ...parts });
  try {
    for (const id of ids) {
      const batch = store.all.batches.get(id);
      try {
        if (batch === undefined) continue;
        const opened = await indexes.open(batch);
        // Opening an ended batch has added its entries already.
        if (opened.missing.length === 0) continue;
        const ledger = openLedger(store.ledgerOf(id), opened.ledger, { ...parts, durability: store.durability });
        try {
          ledger.append(opened.missing);
        } finally {
          await ledger.close();
        }
      } catch (error) {
        // Without its input it can't be told whose the answers are: the next examination finds it as it was.
        if (!(error instanceof ServiceError)) throw error;
      }
    }
  } finally {
    await indexes.close();
  }
}

async function keepSoundLines(path: string, quarantine: string, rules: WriteRules): Promise<void> {
  const lines: Buffer[] = [];
  await scanLines(path, ({ bytes, terminated }) => {
    if (terminated && bytes !== null && isSoundLine(bytes)) lines.push(bytes, Buffer.from("\n"));
  });
  await copyInto(quarantine, path, basename(path));
  await replaceFile(path, Buffer.concat(lines), rules, 0o600);
}
