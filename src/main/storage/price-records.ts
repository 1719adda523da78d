import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { type PriceRecord, priceRecordSchema } from "#main/base";
import type { WriteRules } from "./io/durability.ts";
import { makeFolder } from "./io/folders.ts";
import { readJsonFile, writeJsonFile } from "./io/json.ts";

/** The folder of price records in a data folder, and the form of their names. */
export const priceFolder = "prices";
export const priceFile = /^[0-9a-f]{32}\.json$/;

const pathOf = (dir: string, id: string) => join(dir, priceFolder, `${id}.json`);

/** Stores a record, once for all batches that have it, and returns its id. What names it may be stored then. */
export async function keepPrices(dir: string, record: PriceRecord, rules: WriteRules): Promise<string> {
  const id = createHash("sha256").update(JSON.stringify(record)).digest("hex").slice(0, 32);
  const path = pathOf(dir, id);
  if ((await readPrices(dir, id)) !== null) return id;
  makeFolder(dirname(path));
  await writeJsonFile(path, record, rules);
  return id;
}

/** Null for one that is not there, or not as it was written. */
export async function readPrices(dir: string, id: string): Promise<PriceRecord | null> {
  const stored = await readJsonFile(pathOf(dir, id)).catch((error: unknown) => {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  });
  return priceRecordSchema.safeParse(stored).data ?? null;
}
