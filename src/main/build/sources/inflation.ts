import { BuildError } from "../errors.ts";

/** Any table may unpack to this many bytes, a larger one to more: real tables are compressed to a tenth or a thirtieth. */
const freeBytes = 100_000_000;
const mostRatio = 100;
/** The largest allowed ratio for a compressed table; for text, the most that a change of encoding can add. */
const mostBytes = 4_000_000_000;
const mostTextRatio = 6;

const refusal =
  "This file unpacks to far more than its size: it is damaged, or made to fill a disk. Save the table as CSV, and add that.";

/**
 * Counts the bytes that `packedBytes` unpack to, a piece at a time, before they are stored. Throws when they are more than a
 * real table has.
 */
export function createInflationGuard(packedBytes: number): (bytes: number) => void {
  const most = Math.max(freeBytes, Math.min(mostBytes, packedBytes * mostRatio), packedBytes * mostTextRatio);
  let unpacked = 0;
  return (bytes) => {
    unpacked += bytes;
    if (unpacked > most) throw new BuildError("refused", refusal);
  };
}
