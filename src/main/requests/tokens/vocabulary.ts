import { existsSync, readFileSync } from "node:fs";
import { findOwnFile } from "#app-paths";
import { createTable, hashBytes, slotCount } from "./vocabulary-table.ts";

/**
 * The o200k vocabulary as one table of bytes: the library's own tables of strings take 0.2 s and 60 MB to load, which is
 * more than all else that a mock server needs. It has, in 32-bit numbers, how many tokens there are, where the bytes of
 * each begin, and a hash table of their ranks, in order of their bytes; then the bytes.
 */
export interface Vocabulary {
  /** The rank of the token that has the bytes at `[start, end)`; -1 where there is none. */
  find(bytes: Uint8Array, start: number, end: number): number;
}

/** Where the builds have the table. */
const packagedTable = "out/main/o200k.bin";

/** Reads the table; in a checkout that has not been built, which has none, it is made of the library's. */
export function openVocabulary(): Vocabulary {
  const packaged = findOwnFile(packagedTable);
  return createVocabulary(existsSync(packaged) ? readFileSync(packaged) : createTable());
}

function createVocabulary(table: Buffer): Vocabulary {
  const { buffer, byteOffset } = table;
  const [count = 0] = new Uint32Array(buffer, byteOffset, 1);
  const offsets = new Uint32Array(buffer, byteOffset + 4, count + 1);
  const slots = new Uint32Array(buffer, offsets.byteOffset + offsets.byteLength, slotCount);
  const bytes = table.subarray(slots.byteOffset + slots.byteLength - byteOffset);
  return {
    find(text, start, end) {
      const length = end - start;
      for (let slot = hashBytes(text, start, end) & (slotCount - 1); ; slot = (slot + 1) & (slotCount - 1)) {
        const rank = (slots[slot] ?? 0) - 1;
        if (rank < 0) return -1;
        const offset = offsets[rank] ?? 0;
        if ((offsets[rank + 1] ?? 0) - offset !== length) continue;
        let at = 0;
        while (at < length && bytes[offset + at] === text[start + at]) at += 1;
        if (at === length) return rank;
      }
    },
  };
}
