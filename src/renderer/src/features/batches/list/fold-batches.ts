import type { BatchDetail, BatchView } from "#contract";
import { withRetries } from "../describe-batch.ts";

/** A row of the list: a batch, and its place among those that belong together. */
export interface BatchRow {
  readonly batch: BatchView;
  /** The batch as its row shows it: with the answers of its retries as long as they are folded. */
  readonly shown: BatchView;
  /** How many batches it belongs to, each to the next. */
  readonly depth: number;
  /** How many batches belong to it. */
  readonly linked: number;
  /** Whether they are shown below it. */
  readonly isOpen: boolean;
}

/** The retries of each batch that are in the list. */
export function groupRetries(batches: readonly BatchView[]): ReadonlyMap<string, readonly BatchView[]> {
  const retries = batches.flatMap((batch) => (batch.link?.kind === "retry" ? [{ batch, root: batch.link.root }] : []));
  const groups = Map.groupBy(retries, ({ root }) => root);
  return new Map(Array.from(groups, ([root, group]) => [root, group.map(({ batch }) => batch)]));
}

/** The batches with those that belong to others folded under them, oldest first, unless these are opened. */
export function foldBatches(
  sorted: readonly BatchView[],
  opened: ReadonlySet<string>,
  /** What is left to ask of batches with retries, as far as it is known. */
  lefts: ReadonlyMap<string, BatchDetail["left"]>,
): readonly BatchRow[] {
  const retriesOf = groupRetries(sorted);
  const ids = new Set(sorted.map(({ id }) => id));
  const rootOf = ({ link }: BatchView) => (link !== null && ids.has(link.root) ? link.root : null);
  const children = Map.groupBy(
    sorted.toSorted((one, other) => one.times.created - other.times.created),
    rootOf,
  );
  const rows: BatchRow[] = [];
  const add = (batch: BatchView, depth: number) => {
    const linked = children.get(batch.id) ?? [];
    const isOpen = linked.length > 0 && opened.has(batch.id);
    const [retries, left] = [retriesOf.get(batch.id), lefts.get(batch.id)];
    const shown = isOpen || retries === undefined || left === undefined ? batch : withRetries(batch, retries, left);
    rows.push({ batch, shown, depth, linked: linked.length, isOpen });
    if (isOpen) for (const child of linked) add(child, depth + 1);
  };
  for (const batch of sorted) if (rootOf(batch) === null) add(batch, 0);
  return rows;
}
