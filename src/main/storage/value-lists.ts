import { createHash } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { z } from "zod";
import { valueListSchema } from "#contract";
import type { WriteRules } from "./io/durability.ts";
import { makeFolder } from "./io/folders.ts";
import { readJsonFile, writeJsonFile } from "./io/json.ts";
import { findNames } from "./journal/debris.ts";

/** The folder of the lists that batches are filtered by. Each file is named after its batch and its list. */
export const listFolder = "lists";
export const listFile = /^batch_[0-9a-f]{32}\.[0-9a-f]{32}\.json$/;
export const storedListSchema = z.object({ values: valueListSchema });

/** Most lists of a batch. One more removes the list that was stored longest ago. */
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

/** @param isThere whether a batch exists: lists of other batches are removed */
export function createValueLists(dir: string, rules: WriteRules, isThere: (batchId: string) => boolean): ValueLists {
  const pathOf = (batchId: string, id: string) => join(dir, listFolder, `${batchId}.${id}.json`);
  const listAll = () => findNames(dir, [listFolder], listFile).map((name) => join(dir, name));
  const batchOf = (path: string) => basename(path).split(".")[0] ?? "";
  const remove = (paths: readonly string[]) => Promise.all(paths.map((path) => rm(path, { force: true })));

  /** Makes room for one more list of a batch, and removes those of batches that are gone. */
  async function tidy(batchId: string): Promise<void> {
    const all = listAll();
    const newestFirst = all
      .filter((path) => batchOf(path) === batchId)
      .map((path) => ({ path, stored: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
      .sort((one, other) => other.stored - one.stored);
    const surplus = newestFirst.slice(mostLists - 1).map(({ path }) => path);
    await remove([...all.filter((path) => !isThere(batchOf(path))), ...surplus]);
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
      await remove(listAll().filter((path) => batchOf(path) === batchId));
    },
  };
}
