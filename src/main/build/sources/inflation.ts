import { BuildError } from "../errors.ts";

/** Any table may unpack to this many bytes, a larger one to more: real tables are packed to a tenth or a thirtieth. */
const freeBytes = 100_000_000;
const mostRatio = 100;
/** The most that is made of a packed table. Text is not packed: another encoding alone may make it so many times as large. */
const mostBytes = 4_000_000_000;
const mostTextRatio = 6;

const refusal =
  "This file unpacks to far more than its size: it is damaged, or made to fill a disk. Save the table as CSV, and add that.";

/**
 * Counts what `packedBytes` unpack to, a piece at a time, before it is kept. Throws when it is more than a table can be that
 * was packed.
 */
export function createInflationGuard(packedBytes: number): (bytes: number) => void {
  const most = Math.max(freeBytes, Math.min(mostBytes, packedBytes * mostRatio), packedBytes * mostTextRatio);
  let unpacked = 0;
  return (bytes) => {
    unpacked += bytes;
    if (unpacked > most) throw new BuildError("refused", refusal);
  };
}
