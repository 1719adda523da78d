import type { AnswerEnd } from "#contract";
import { openFiles } from "../io/open-files.ts";
import { readUpTo } from "../io/read-ranges.ts";
import { endOf, type LedgerPlace, lineStates, readHeader, recordBytes, tallyRecords } from "./records.ts";

export interface EnteredCounts {
  completed: number;
  failed: number;
  reused: number;
  /** Of those that are completed. */
  ends: Partial<Record<AnswerEnd, number>>;
}

const chunkRecords = 20_000;
const longestHeader = 1_024;

/**
 * How many of the lines of a batch have an answer by their entries: what was shown of it last. Nothing is compared with its checksum,
 * which takes longer. Null where that can't be told.
 */
export async function countEntered(place: LedgerPlace, total: number): Promise<EnteredCounts | null> {
  const file = await openFiles.open(place.path).catch(() => null);
  if (file === null) return null;
  try {
    const header = readHeader(place, await readUpTo(file, 0, longestHeader));
    if (header === null) return null;
    const states = new Uint8Array(total + 1);
    for (let at = header.bytes; ; ) {
      const bytes = await readUpTo(file, at, chunkRecords * recordBytes);
      tallyRecords(bytes, states);
      if (bytes.length < chunkRecords * recordBytes) break;
      at += bytes.length;
    }
    const counts: EnteredCounts = { completed: 0, failed: 0, reused: 0, ends: {} };
    for (const state of states) {
      if (state === 0) continue;
      if (state & lineStates.completed) {
        counts.completed += 1;
        const end = endOf(state);
        if (end !== null) counts.ends[end] = (counts.ends[end] ?? 0) + 1;
      }
      if (state & lineStates.failed) counts.failed += 1;
      if (state & lineStates.reused) counts.reused += 1;
    }
    return counts;
  } catch {
    return null;
  } finally {
    await file.close();
  }
}
