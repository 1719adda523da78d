import { finalStatuses } from "#contract";
import { assertNever } from "#main/base";
import type { JournalDamage, ReadChange } from "./read-journal.ts";
import type { BatchRecord, Change, ClockDoubt, FileRecord } from "./records.ts";

/** The records of a folder in memory, as its journal makes them. */
export interface Rows {
  readonly files: Map<string, FileRecord>;
  readonly batches: Map<string, BatchRecord>;
  /** The ids of files and batches whose end the journal has. */
  readonly removed: Set<string>;
  /** When each record was changed last, in Unix milliseconds of the computer. */
  readonly changedAt: Map<string, number>;
  mcpEnabled: boolean;
  isDamaged: boolean;
  clockDoubt: ClockDoubt | null;
  /** Of the change that counts for each record, also for one that was removed. */
  readonly seqs: Map<string, number>;
  /** Bytes of lines that count, and of those that don't any more. */
  liveBytes: number;
}

export function createRows(): Rows {
  return {
    files: new Map(),
    batches: new Map(),
    removed: new Set(),
    changedAt: new Map(),
    mcpEnabled: false,
    isDamaged: false,
    clockDoubt: null,
    seqs: new Map(),
    liveBytes: 0,
  };
}

/** Takes one change after the other; of the same record the one with the highest number counts, in whatever order they come. */
export function createReplay(rows: Rows): (read: ReadChange) => void {
  const lineBytes = new Map<string, number>();
  return ({ change, seq, bytes }) => {
    const key = keyOf(change);
    if ((rows.seqs.get(key) ?? 0) >= seq) return;
    rows.seqs.set(key, seq);
    const isLive = change.kind !== "file_removed" && change.kind !== "batch_removed";
    rows.liveBytes += (isLive ? bytes : 0) - (lineBytes.get(key) ?? 0);
    lineBytes.set(key, isLive ? bytes : 0);
    applyChange(rows, change);
  };
}

function keyOf(change: Change): string {
  if ("record" in change) return change.record.id;
  return "id" in change ? change.id : change.kind;
}

/** Makes one change in memory. */
export function applyChange(rows: Rows, change: Change): void {
  if ("record" in change && change.at !== undefined) rows.changedAt.set(change.record.id, change.at);
  if ("id" in change) rows.changedAt.delete(change.id);
  switch (change.kind) {
    case "file":
      rows.files.set(change.record.id, change.record);
      break;
    case "batch":
      rows.batches.set(change.record.id, change.record);
      break;
    case "file_removed":
      rows.files.delete(change.id);
      rows.removed.add(change.id);
      break;
    case "batch_removed":
      rows.batches.delete(change.id);
      rows.removed.add(change.id);
      break;
    case "mcp_endpoint":
      rows.mcpEnabled = change.enabled;
      break;
    case "damage":
      rows.isDamaged = change.found;
      break;
    case "clock_doubt":
      rows.clockDoubt = change.doubt;
      break;
    default:
      assertNever(change);
  }
}

/** All that counts, as changes. Never without one: an empty journal is one whose content was lost. */
export function* listChanges(rows: Rows): Generator<Change, void> {
  yield* listSettings(rows);
  for (const id of [...rows.files.keys(), ...rows.batches.keys()]) {
    const change = changeOf(rows, id);
    if (change !== undefined) yield change;
  }
}

/** The change that makes a record; undefined where there is none. */
export function changeOf({ files, batches, changedAt }: Rows, id: string): Change | undefined {
  const at = changedAt.get(id);
  const file = files.get(id);
  if (file !== undefined) return { kind: "file", record: file, at };
  const batch = batches.get(id);
  return batch && { kind: "batch", record: batch, at };
}

export function listSettings({
  mcpEnabled,
  isDamaged,
  clockDoubt,
}: Pick<Rows, "mcpEnabled" | "isDamaged" | "clockDoubt">): Change[] {
  return [
    { kind: "mcp_endpoint", enabled: mcpEnabled },
    { kind: "damage", found: isDamaged },
    ...(clockDoubt === null ? [] : [{ kind: "clock_doubt" as const, doubt: clockDoubt }]),
  ];
}

/** Records that an older whole journal has and the damaged one has nothing of, neither a version nor an end. */
export function restoreRows(rows: Rows, previous: Rows): string[] {
  const restored: string[] = [];
  for (const table of ["files", "batches"] as const) {
    for (const [id, record] of previous[table]) {
      if (rows.seqs.has(id)) continue;
      (rows[table] as Map<string, typeof record>).set(id, record);
      const at = previous.changedAt.get(id);
      if (at !== undefined) rows.changedAt.set(id, at);
      restored.push(id);
    }
  }
  return restored;
}

/**
 * The batches of which it is not known what was done for them since: their newest version is damaged, or a line is that can't be
 * told whose it was, and asking again may cost. Batches of the mock and of rules know it by their files.
 */
export function findUnclear({ batches, seqs }: Rows, damages: readonly JournalDamage[]): string[] {
  return [...batches.values()].flatMap(({ id, status, connection, mayCost }) => {
    if (finalStatuses.has(status) || (connection === null && !mayCost)) return [];
    const seq = seqs.get(id) ?? 0;
    const isLost = damages.some(
      ({ afterSeq, missing, ids }) => afterSeq >= seq && (ids.includes(id) || missing > ids.length),
    );
    return isLost ? [id] : [];
  });
}

/**
 * Gives answer files of ended batches their size where the line that had it is lost: in a damaged journal one of before may count, which
 * was written when the journal was written anew. `sizeOf`: in bytes, 0 for a file that isn't there.
 */
export function measureAnswers({ files, batches }: Rows, isDamaged: boolean, sizeOf: (fileId: string) => number): void {
  for (const { status, outputFileId, errorFileId } of batches.values()) {
    if (!finalStatuses.has(status)) continue;
    for (const id of [outputFileId, errorFileId]) {
      const file = id === null ? undefined : files.get(id);
      // No such file is empty, and none grows after its end.
      if (file === undefined || (file.bytes > 0 && !isDamaged)) continue;
      files.set(file.id, { ...file, bytes: Math.max(file.bytes, sizeOf(file.id)) });
    }
  }
}

/** Files of journals that don't record their connection belong to the one whose batches alone have them. */
export function nameConnections(files: Map<string, FileRecord>, batches: ReadonlyMap<string, BatchRecord>): void {
  const connections = new Map<string, string | null>();
  for (const { connection, inputFileId, outputFileId, errorFileId } of batches.values()) {
    for (const id of [inputFileId, outputFileId, errorFileId]) {
      if (id !== null) connections.set(id, connections.get(id) === null ? null : connection);
    }
  }
  for (const [id, connection] of connections) {
    const file = files.get(id);
    if (file !== undefined && file.connection === null && connection !== null) files.set(id, { ...file, connection });
  }
}
