import { deletedDays } from "#contract";
import { ServiceError, shorten } from "#main/base";
import { type BatchRecord, isDeleted, type Store } from "#main/storage";
import { nameOf } from "./batch-name.ts";
import type { BatchDeps } from "./deps.ts";
import { createOwnFileFinder } from "./remove-batch.ts";

/** How long a deleted batch can be restored, in milliseconds of the computer. */
export const deletedLifetime = deletedDays * 24 * 60 * 60_000;

/** A deleted batch with the retries that were deleted with it. */
export interface DeletedBatch {
  readonly batch: BatchRecord;
  readonly retries: readonly BatchRecord[];
  readonly name: string;
  /** In Unix milliseconds of the computer. */
  readonly deletedAt: number;
  /** Of the files that go with it. */
  readonly bytes: number;
}

/** The batches that can be restored, the last deleted first. */
export function listDeletedBatches({ all }: Pick<Store, "all">): DeletedBatch[] {
  const batches = all.batches.list();
  const roots = batches.filter(({ deletedAt }) => deletedAt !== null);
  if (roots.length === 0) return [];
  const retries = Map.groupBy(batches, ({ link, deletedAt }) =>
    link?.kind === "retry" && deletedAt === null ? link.root : null,
  );
  const findOwnFiles = createOwnFileFinder({ all });
  return roots
    .map((batch) => {
      const group = [batch, ...(retries.get(batch.id) ?? [])];
      const bytes = sumBytes(all, findOwnFiles(group));
      const name = nameOf(batch, all);
      return { batch, retries: group.slice(1), name, deletedAt: batch.deletedAt ?? 0, bytes };
    })
    .sort((one, other) => other.deletedAt - one.deletedAt);
}

/** Throws a ServiceError where there is no such batch, or it isn't deleted. */
export function findDeleted({ all: { batches } }: Pick<Store, "all">, id: string): BatchRecord {
  const batch = batches.get(id);
  if (batch !== undefined && isDeleted(batch, batches)) return batch;
  throw new ServiceError("not_found", `No such deleted batch: ${shorten(id)}. It may be deleted for good.`, "batch_id");
}

/**
 * All retries of a batch, deleted ones among them: these were sent, can be restored under their names, and go with their batch. What
 * is shown, counted and asked again is read of `listRetries`.
 */
export function listAllRetries({ all }: Pick<Store, "all">, rootId: string): BatchRecord[] {
  return all.batches.list().filter(({ link }) => link?.kind === "retry" && link.root === rootId);
}

export function sumBytes({ files }: Store["all"], ids: readonly string[]): number {
  return ids.reduce((sum, id) => sum + (files.get(id)?.bytes ?? 0), 0);
}

/**
 * Deletes a batch that has ended, with its retries, so that it can be restored. One line of the journal does it: all of them are
 * deleted, or none is.
 */
export async function deleteBatch(
  { store, indexes, machine }: BatchDeps,
  batch: BatchRecord,
  retries: readonly BatchRecord[],
): Promise<void> {
  store.batches.put({ ...batch, deletedAt: machine.wall() });
  await store.synced();
  for (const { id } of [batch, ...retries]) indexes.forget(id);
}

/**
 * Restores a deleted batch with its retries. A retry that was deleted before the batch that it belongs to restores that, too.
 * Returns the restored batches. Throws a ServiceError where the batch isn't deleted.
 */
export async function restoreBatch({ store }: Pick<BatchDeps, "store">, id: string): Promise<BatchRecord[]> {
  const { batches } = store.all;
  const batch = findDeleted(store, id);
  const root = batch.link?.kind === "retry" ? batches.get(batch.link.root) : undefined;
  // The root last: until then the retry is deleted with it.
  for (const one of [batch, root]) if (one && one.deletedAt !== null) store.batches.put({ ...one, deletedAt: null });
  await store.synced();
  const top = root ?? batch;
  return [top, ...listAllRetries(store, top.id)].flatMap((one) => store.batches.get(one.id) ?? []);
}
