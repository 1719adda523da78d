import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { valueListSchema } from "#contract";
import type { WriteRules } from "./io/durability.ts";
import { makeFolder } from "./io/folders.ts";
import { readJsonFile, writeJsonFile } from "./io/json.ts";
import { findNames } from "./journal/debris.ts";

/** The folder of the lists of values that batches are filtered by, and the form of their names: the batch and the list. */
export const listFolder = "lists";
export const listFile = /^batch_[0-9a-f]{32}\.[0-9a-f]{32}\.json$/;
export const storedListSchema = z.object({ values: valueListSchema });

/** Lists of a batch: with one more, the one that was stored longest ago is removed. */
const mostLists = 50;

/** The lists of values that are stored with batches. */
export interface ValueLists {
  /** Resolves with its id when it is stored; the same values have the same id. */
  keep(batchId: string, values: readonly string[]): Promise<string>;
  /** Null for one that is not there, or not as it was written. */
  read(batchId: string, id: string): Promise<readonly string[] | null>;
  /** Removes all lists of a batch. */
  forget(batchId: string): Promise<void>;
}

/** @param isThere whether there is such a batch: lists of others are left over, and removed */
export function createValueLists(dir: string, rules: WriteRules, isThere: (batchId: string) => boolean): ValueLists {
  const pathOf = (batchId: string, id: string) => join(dir, listFolder, `${batchId}.${id}.json`);
  const listAll = () => findNames(dir, [listFolder], listFile).map((name) => join(dir, name));
  const isOf = (path: string, batchId: string) => path.startsWith(join(dir, listFolder, `${batchId}.`));
  const remove = (paths: readonly string[]) => Promise.all(paths.map((path) => rm(path, { force: true })));

  async function tidy(batchId: string): Promise<void> {
    const all = listAll();
    const batchOf = (path: string) => /batch_[0-9a-f]{32}(?=\.[0-9a-f]{32}\.json$)/.exec(path)?.[0] ?? "";
    const own = await Promise.all(
      all
        .filter((path) => isOf(path, batchId))
        .map(async (path) => ({
          path,
          stored: await stat(path).then(
            ({ mtimeMs }) => mtimeMs,
            () => 0,
          ),
        })),
    );
    const oldest = own
      .toSorted((one, other) => one.stored - other.stored)
      .slice(0, Math.max(0, own.length - mostLists + 1));
    await remove([...all.filter((path) => !isThere(batchOf(path))), ...oldest.map(({ path }) => path)]);
  }

  return {
    async keep(batchId, values) {
      const id = createHash("sha256").update(JSON.stringify(values)).digest("hex").slice(0, 32);
      const path = pathOf(batchId, id);
      rules.assertHeld();
      if (!existsSync(path)) await tidy(batchId);
      makeFolder(join(dir, listFolder));
      await writeJsonFile(path, { values }, rules);
      return id;
    },
    async read(batchId, id) {
      const stored = await readJsonFile(pathOf(batchId, id)).catch((error: unknown) => {
        if (error instanceof SyntaxError) return undefined;
        throw error;
      });
      return storedListSchema.safeParse(stored).data?.values ?? null;
    },
    async forget(batchId) {
      await remove(listAll().filter((path) => isOf(path, batchId)));
    },
  };
}
