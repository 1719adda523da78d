import { createRequire } from "node:module";

/** Slots of the hash table. A power of two, of which less than half is in use. */
export const slotCount = 524_288;

/** Ranks of the library, in their order: text, or bytes where these are no text. */
type Ranks = readonly (string | readonly number[])[];

/** The table, made of the library's ranks. */
export function createTable(): Buffer {
  const { default: ranks }: { default: Ranks } = createRequire(import.meta.url)("gpt-tokenizer/bpeRanks/o200k_base");
  const tokens = ranks.map((token) => (typeof token === "string" ? Buffer.from(token) : Uint8Array.from(token)));
  const offsets = new Uint32Array(tokens.length + 1);
  const slots = new Uint32Array(slotCount);
  for (const [rank, token] of tokens.entries()) {
    offsets[rank + 1] = (offsets[rank] ?? 0) + token.length;
    let slot = hashBytes(token, 0, token.length) & (slotCount - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (slotCount - 1);
    slots[slot] = rank + 1;
  }
  const parts = [Uint32Array.of(tokens.length), offsets, slots];
  return Buffer.concat([...parts.map(({ buffer }) => new Uint8Array(buffer)), ...tokens]);
}

/** FNV-1a. */
export function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  return hash ^ (hash >>> 15);
}
