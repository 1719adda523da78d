import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import type { Rows } from "#contract";
import { createSample } from "#service/validation";
import type { StoredSource } from "../sources/stored-source.ts";

/** The rows of a source that become requests. */
export interface ChosenRows {
  readonly total: number;
  /** Asked of each row once, in their order. */
  take(row: number): boolean;
}

/** As much of the content as chooses between random rows. */
const seedBytes = 1024 * 1024;

/** Chooses rows. Random ones follow from the content: the same file gives the same rows. */
export async function chooseRows(
  { path, source }: { readonly path: string; readonly source: StoredSource },
  rows: Rows | undefined,
): Promise<ChosenRows> {
  const { rowCount } = source;
  if (rows === undefined || rows.take === "all") return { total: rowCount, take: () => true };
  const total = Math.min(rows.count, rowCount);
  if (rows.take === "first") return { total, take: (row) => row <= total };
  if (rows.take === "last") return { total, take: (row) => row > rowCount - total };
  return { total, take: createSample(rowCount, total, await readSeed(path, source.bytes)) };
}

async function readSeed(path: string, bytes: number): Promise<number> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(Math.min(bytes, seedBytes)), position: 0 });
    return createHash("sha256").update(`${bytes}\n`).update(buffer.subarray(0, bytesRead)).digest().readUInt32LE(0);
  } finally {
    await file.close();
  }
}
