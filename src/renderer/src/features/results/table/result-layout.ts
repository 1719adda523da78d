import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { create } from "zustand";
import { createJSONStorage, persist } from "zustand/middleware";
import { answerPrefix, listColumnNames, resultColumns, sourcePrefix } from "#contract";
import { useApi } from "../../../bridge/index.ts";

/** How the table of a batch's results is set up. */
export interface ResultLayout {
  /** The columns in their order; null until the user has chosen: then the usual ones, as far as they fit. */
  readonly shown: readonly string[] | null;
  /** In CSS pixels, of the columns whose edge was moved. */
  readonly widths: Readonly<Record<string, number>>;
  readonly pinned: readonly string[];
}

export const usualLayout: ResultLayout = { shown: null, widths: {}, pinned: [] };

interface LayoutState {
  /** By batch, or by the columns of the table that batches were built from; the longest untouched first. */
  readonly layouts: Readonly<Record<string, ResultLayout>>;
  change(key: string, change: ResultLayout): void;
}

/** Layouts that are remembered. */
const mostLayouts = 200;

const useLayouts = create<LayoutState>()(
  persist(
    (set) => ({
      layouts: {},
      change: (key, layout) =>
        set(({ layouts: { [key]: _before, ...others } }) => ({
          layouts: Object.fromEntries([...Object.entries(others), [key, layout] as const].slice(-mostLayouts)),
        })),
    }),
    { name: "sheaf.results", version: 1, storage: createJSONStorage(() => localStorage) },
  ),
);

const noColumns: readonly string[] = [];

/** The columns of the table that a batch was built from. */
export function useSourceColumns(batchId: string): readonly string[] {
  const options = useApi().results.sourceColumns.queryOptions({ input: { batchId }, staleTime: 60_000 });
  return useQuery(options).data ?? noColumns;
}

/**
 * The layout of a batch: its own, else the last one of a batch whose table has the same columns. Such a one keeps its
 * columns of the table and the run, and takes the fields of this batch's answers.
 */
export function useResultLayout(batchId: string, fields: readonly string[]) {
  const sources = useSourceColumns(batchId);
  const shape = sources.length === 0 ? null : JSON.stringify(sources.toSorted());
  const own = useLayouts(({ layouts }) => layouts[batchId]);
  const alike = useLayouts(({ layouts }) => (shape === null ? undefined : layouts[shape]));
  const put = useLayouts(({ change }) => change);
  const layout = useMemo(
    () => own ?? (alike ? { ...alike, shown: alike.shown && takeFields(alike.shown, fields) } : usualLayout),
    [own, alike, fields],
  );
  return {
    layout,
    sources,
    change(change: Partial<ResultLayout>) {
      const next = { ...layout, ...change };
      put(batchId, next);
      if (shape !== null) put(shape, next);
    },
  };
}

const usualNames = listColumnNames().filter((name) => resultColumns[name].page?.isDefault);

/** The ids of the columns that a layout shows, pinned ones first; without a choice the usual ones, next to the answers'. */
export function orderColumns({ shown, pinned }: ResultLayout, fields: readonly string[]): readonly string[] {
  const ids = shown ?? usualNames.flatMap((name) => (name === "answer" ? idsOfAnswers(fields) : [name]));
  return [...ids.filter((id) => pinned.includes(id)), ...ids.filter((id) => !pinned.includes(id))];
}

/** The fields of answers as columns; the whole answer where there are none. */
function idsOfAnswers(fields: readonly string[]): readonly string[] {
  return fields.length === 0 ? ["answer"] : fields.map((field) => `${answerPrefix}${field}`);
}

/** Columns with those of answers replaced by other fields; by the whole answer where there are none. */
export function takeFields(shown: readonly string[], fields: readonly string[]): readonly string[] {
  const isOfAnswer = (id: string) => id === "answer" || id.startsWith(answerPrefix);
  const first = shown.findIndex(isOfAnswer);
  const at = first === -1 ? shown.findLastIndex((id) => id.startsWith(sourcePrefix)) + 1 : first;
  const rest = (ids: readonly string[]) => ids.filter((id) => !isOfAnswer(id));
  return [...rest(shown.slice(0, at)), ...idsOfAnswers(fields), ...rest(shown.slice(at))];
}

/** Shows some columns or hides them; those that are shown anew come last. */
export function toggleColumns(shown: readonly string[], ids: readonly string[], isShown: boolean): readonly string[] {
  return [
    ...shown.filter((one) => isShown || !ids.includes(one)),
    ...ids.filter((id) => isShown && !shown.includes(id)),
  ];
}

/** Moves a column so many places; at the ends it stays. */
export function moveColumn(shown: readonly string[], id: string, by: number): readonly string[] {
  const from = shown.indexOf(id);
  const to = from + by;
  if (from < 0 || to < 0 || to >= shown.length) return shown;
  const rest = shown.filter((one) => one !== id);
  return [...rest.slice(0, to), id, ...rest.slice(to)];
}
