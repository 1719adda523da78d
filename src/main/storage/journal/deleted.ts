import type { BatchRecord } from "./records.ts";
import type { Rows } from "./rows.ts";

/**
 * Whether a batch is deleted and can still be restored. The retries of a deleted batch are deleted with it: only its own record says
 * so, and one line of the journal deletes or restores all of them.
 */
export function isDeleted(
  { deletedAt, link }: BatchRecord,
  batches: { get(id: string): BatchRecord | undefined },
): boolean {
  return deletedAt !== null || (link?.kind === "retry" && (batches.get(link.root)?.deletedAt ?? null) !== null);
}

/** Tells which records are out of sight: deleted batches, and the files that no other batch has. */
export interface DeletedRecords {
  hasBatch(batch: BatchRecord): boolean;
  hasFile(id: string): boolean;
  /** Takes notice of a batch that was changed or removed. */
  note(before: BatchRecord | undefined, after: BatchRecord | undefined): void;
}

export function createDeletedRecords({ batches }: Pick<Rows, "batches">): DeletedRecords {
  /** Batches whose own record says that they are deleted. */
  let count = [...batches.values()].filter(({ deletedAt }) => deletedAt !== null).length;
  /** Null until it is needed again. */
  let files: ReadonlySet<string> | null = null;

  function listFiles(): ReadonlySet<string> {
    const all = [...batches.values()];
    const { deleted = [], kept = [] } = Object.groupBy(all, (batch) =>
      isDeleted(batch, batches) ? "deleted" : "kept",
    );
    const used = new Set(kept.flatMap(filesOf));
    return new Set(deleted.flatMap(filesOf).filter((id) => !used.has(id)));
  }

  return {
    hasBatch: (batch) => count > 0 && isDeleted(batch, batches),
    hasFile(id) {
      if (count === 0) return false;
      files ??= listFiles();
      return files.has(id);
    },
    note(before, after) {
      if (before === after) return;
      count += Number((after?.deletedAt ?? null) !== null) - Number((before?.deletedAt ?? null) !== null);
      const isSame =
        before?.deletedAt === after?.deletedAt &&
        before?.outputFileId === after?.outputFileId &&
        before?.errorFileId === after?.errorFileId;
      if (!isSame) files = null;
    },
  };
}

/** The files of a batch, as far as it has them. */
export function filesOf({ inputFileId, outputFileId, errorFileId }: BatchRecord): string[] {
  return [inputFileId, outputFileId, errorFileId].filter((id) => id !== null);
}
