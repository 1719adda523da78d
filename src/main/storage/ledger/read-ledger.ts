import { isErrno } from "../io/error.ts";
import { openFiles } from "../io/open-files.ts";
import type { LedgerAnswer } from "./answer.ts";
import { createRecordReader, type LedgerFormat, type LedgerPlace, readHeader, recordBytes } from "./records.ts";

/** A ledger as it was found. */
export interface LedgerReading {
  /** False where there is no file with bytes in it, or that of another batch: the answers may be from before there were ledgers. */
  readonly isThere: boolean;
  /** Whether its first line is sound. It is flushed to the disk before the first entry is written. */
  readonly hasHeader: boolean;
  /** Up to the end of the last sound record, in bytes: where the next one goes. 0 where there is no ledger of this batch. */
  readonly size: number;
  /** In which it goes on. */
  readonly format: LedgerFormat;
  /** By their numbers less one; undefined for one whose records are damaged. */
  readonly names: readonly (string | undefined)[];
  /** Before this byte all was on the disk, with the bytes of the answers, when the last mark was written. */
  readonly synced: number;
  /** Records that are not as they were written; those at the end of the file, which were being written, are not counted. */
  readonly damaged: number;
  /** Where the first of these begins that no mark says was on the disk; null where none does. */
  readonly tornAt: number | null;
}

export interface FoundAnswer {
  readonly answer: LedgerAnswer;
  /** Where its entry begins in the ledger. */
  readonly at: number;
  /** False where the records of a name or a bill are damaged that it has. */
  readonly isNamed: boolean;
}

/** Read at a time: about two milliseconds of work. */
const chunkRecords = 4_096;
const longestHeader = 1_024;

export const noLedger: LedgerReading = {
  isThere: false,
  hasHeader: false,
  size: 0,
  format: 1,
  names: [],
  synced: 0,
  damaged: 0,
  tornAt: null,
};

/**
 * Reads the answers of a ledger, in the order in which they were entered, from the byte `from` of it on and before `to`. Of a line
 * that is entered twice the later entry counts.
 */
export async function readLedger(
  place: LedgerPlace,
  onAnswer: (found: FoundAnswer) => void,
  { from = 0, to = Number.POSITIVE_INFINITY }: { readonly from?: number; readonly to?: number } = {},
): Promise<LedgerReading> {
  const file = await openFiles.open(place.path).catch((error: unknown) => {
    if (isErrno(error, "ENOENT")) return null;
    throw error;
  });
  if (file === null) return noLedger;
  try {
    const bytes = Buffer.allocUnsafeSlow(chunkRecords * recordBytes);
    const start = await file.read(bytes, 0, longestHeader, 0);
    const header = readHeader(place, bytes.subarray(0, start.bytesRead));
    if (header === null || start.bytesRead === 0) return noLedger;
    const reader = createRecordReader();
    let size = 0;
    let { format } = header;
    let synced = 0;
    let damaged = header.isSound ? 0 : 1;
    /** Since the last sound one. */
    let bad = 0;
    /** Where damaged records begin that have sound ones behind them. */
    const damages: number[] = [];
    let position = header.bytes;
    for (;;) {
      const { bytesRead } = await file.read(bytes, 0, Math.min(bytes.length, to - position), position);
      const whole = bytesRead - (bytesRead % recordBytes);
      // One that was begun, and in which nothing is entered yet.
      if (bytesRead === 0 && position === header.bytes && header.isSound) size = header.bytes;
      if (whole === 0) break;
      for (let at = 0; at < whole; at += recordBytes) {
        const record = reader.read(bytes, at);
        if (record === null) {
          bad += 1;
          continue;
        }
        if (bad > 0) damages.push(position + at - bad * recordBytes);
        damaged += bad;
        bad = 0;
        size = position + at + recordBytes;
        if (record.kind === "bill") format = 2;
        if (record.kind === "mark") synced = Math.max(synced, record.synced);
        if (record.kind !== "answer" || position + at < from) continue;
        onAnswer({ answer: record.answer, isNamed: record.isNamed, at: position + at });
      }
      position += whole;
    }
    // Of one without a single record nothing is known that the answers don't tell.
    const tornAt = damages.find((at) => at >= synced) ?? null;
    return size === 0
      ? { ...noLedger, isThere: true, hasHeader: header.isSound }
      : { isThere: true, hasHeader: header.isSound, size, format, names: reader.names, synced, damaged, tornAt };
  } finally {
    await file.close();
  }
}

/** How many bytes after the last sound record are searched for others. */
const shiftedBytes = 64 * 1024;

/**
 * Whether sound records follow at a place where none can start: bytes before them were lost or added. A power cut leaves
 * none there.
 */
export async function hasShiftedRecords(path: string, { size }: Pick<LedgerReading, "size">): Promise<boolean> {
  const file = await openFiles.open(path);
  try {
    const bytes = Buffer.alloc(shiftedBytes);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, size);
    const reader = createRecordReader();
    for (let at = 0; at + recordBytes <= bytesRead; at++) if (reader.read(bytes, at) !== null) return true;
    return false;
  } finally {
    await file.close();
  }
}
