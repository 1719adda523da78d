import { create } from "zustand";
import { createJSONStorage, persist } from "zustand/middleware";
import type { ResultSort } from "#contract";

/** How the table of a batch's results is set up. */
export interface ResultLayout {
  /** The columns in their order; null until the user has chosen: then the usual ones, as far as they fit. */
  readonly shown: readonly string[] | null;
  /** In CSS pixels, of the columns whose edge was moved. */
  readonly widths: Readonly<Record<string, number>>;
  readonly pinned: readonly string[];
  readonly sort: ResultSort | null;
}

export const usualLayout: ResultLayout = { shown: null, widths: {}, pinned: [], sort: null };

interface LayoutState {
  /** By batch, the longest untouched first. */
  readonly layouts: Readonly<Record<string, ResultLayout>>;
  change(batchId: string, change: Partial<ResultLayout>): void;
}

/** Batches whose layout is remembered. */
const mostLayouts = 200;

export const useLayouts = create<LayoutState>()(
  persist(
    (set) => ({
      layouts: {},
      change: (batchId, change) =>
        set(({ layouts: { [batchId]: before = usualLayout, ...others } }) => ({
          layouts: Object.fromEntries(
            [...Object.entries(others), [batchId, { ...before, ...change }] as const].slice(-mostLayouts),
          ),
        })),
    }),
    { name: "sheaf.results", version: 1, storage: createJSONStorage(() => localStorage) },
  ),
);

/** Shows or hides a column; one that is shown comes last. */
export function toggleColumn(shown: readonly string[], id: string): readonly string[] {
  return shown.includes(id) ? shown.filter((one) => one !== id) : [...shown, id];
}

/** Moves a column so many places; at the ends it stays. */
export function moveColumn(shown: readonly string[], id: string, by: number): readonly string[] {
  const from = shown.indexOf(id);
  const to = from + by;
  if (from < 0 || to < 0 || to >= shown.length) return shown;
  const rest = shown.filter((one) => one !== id);
  return [...rest.slice(0, to), id, ...rest.slice(to)];
}
