import type { BatchView } from "#contract";

/** A row of the list: a batch, and where it stands among those that belong together. */
export interface BatchRow {
  readonly batch: BatchView;
  /** How many batches it belongs to, each to the next. */
  readonly depth: number;
  /** How many batches belong to it. */
  readonly linked: number;
  /** Whether they are shown below it. */
  readonly isOpen: boolean;
}

/** The batches with those that belong to others folded under them, oldest first, unless these are opened. */
export function foldBatches(sorted: readonly BatchView[], opened: ReadonlySet<string>): readonly BatchRow[] {
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
    rows.push({ batch, depth, linked: linked.length, isOpen });
    if (isOpen) for (const child of linked) add(child, depth + 1);
  };
  for (const batch of sorted) if (rootOf(batch) === null) add(batch, 0);
  return rows;
}
