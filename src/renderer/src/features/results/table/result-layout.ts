import { useMemo } from "react";
import { z } from "zod";
import { create } from "zustand";
import { persist } from "zustand/middleware";
import {
  isInAnswer,
  listAnswerColumns,
  listColumnNames,
  listDefaultColumns,
  resultColumns,
  sourcePrefix,
} from "#contract";
import { useSourceColumns } from "../../../queries/batch-queries.ts";
import { keepInBrowser } from "../../../state/keep-in-browser.ts";

const layoutSchema = z.object({
  /** The columns in their order; null until the user has chosen: then the usual ones, as far as they fit. */
  shown: z.array(z.string()).readonly().nullable(),
  /** In CSS pixels, of the columns whose edge was moved. */
  widths: z.record(z.string(), z.number()).readonly(),
  pinned: z.array(z.string()).readonly(),
  /** The columns with one value in all rows that stay columns nevertheless. */
  unfolded: z.array(z.string()).readonly().default([]),
});
/** How the table of a batch's results is set up. */
export type ResultLayout = Readonly<z.infer<typeof layoutSchema>>;

export const usualLayout: ResultLayout = { shown: null, widths: {}, pinned: [], unfolded: [] };

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
    keepInBrowser("sheaf.results", { layouts: z.record(z.string(), layoutSchema.catch(usualLayout)) }),
  ),
);

interface DensityState {
  /** Whether each row has two lines of text. */
  readonly hasTwoLines: boolean;
  toggle(): void;
}

/** How high the rows are, in the results of all batches: the last choice is remembered. */
export const useDensity = create<DensityState>()(
  persist(
    (set) => ({ hasTwoLines: false, toggle: () => set(({ hasTwoLines }) => ({ hasTwoLines: !hasTwoLines })) }),
    keepInBrowser("sheaf.density", { hasTwoLines: z.boolean() }),
  ),
);

/** What the usual columns of a batch depend on. */
export interface LayoutFacts {
  /** The fields of the answers that are columns. */
  readonly fields: readonly string[];
  /** The column of its table that its grades have the expected answers from. */
  readonly gradedColumn: string | null;
}

/**
 * The layout of a batch: its own, else the last one of a batch whose table has the same columns. Such a one keeps its
 * columns of the table and the run, and takes the fields of this batch's answers.
 */
export function useResultLayout(batchId: string, { fields, gradedColumn }: LayoutFacts) {
  const source = useSourceColumns(batchId);
  const { columns } = source;
  const shape = columns.length === 0 ? null : JSON.stringify(columns.toSorted());
  const own = useLayouts(({ layouts }) => layouts[batchId]);
  const alike = useLayouts(({ layouts }) => (shape === null ? undefined : layouts[shape]));
  const put = useLayouts(({ change }) => change);
  const layout = useMemo(
    () => own ?? (alike ? { ...alike, shown: alike.shown && takeFields(alike.shown, fields) } : usualLayout),
    [own, alike, fields],
  );
  const usual = useMemo(() => {
    const expected = columns.find((column) => column === gradedColumn) ?? source.expected;
    return listUsualColumns(listDefaultColumns({ ...source, expected }, fields));
  }, [source, columns, gradedColumn, fields]);
  return {
    layout,
    sources: columns,
    pictures: source.pictures ?? none,
    usual,
    change(change: Partial<ResultLayout>) {
      const next = { ...layout, ...change };
      put(batchId, next);
      if (shape !== null) put(shape, next);
    },
  };
}

const none: readonly string[] = [];

const usualNames = listColumnNames().filter((name) => resultColumns[name].page?.isDefault);

/**
 * The columns of a batch's results without a choice: a line's number and its grade stand side by side. `defaults` are those
 * that a trial and a comparison have, too.
 */
export function listUsualColumns(defaults: readonly string[]): readonly string[] {
  const first = ["line", "grade"];
  return [...first, ...defaults, ...usualNames.filter((name) => !first.includes(name))];
}

/** The ids of the columns that a layout shows, pinned ones first; without a choice the usual ones. */
export function orderColumns(
  { shown, pinned }: Pick<ResultLayout, "shown" | "pinned">,
  usual: readonly string[],
): readonly string[] {
  const ids = shown ?? usual;
  return [...ids.filter((id) => pinned.includes(id)), ...ids.filter((id) => !pinned.includes(id))];
}

/** Columns with those of answers replaced by other fields; by the whole answer where there are none. */
export function takeFields(shown: readonly string[], fields: readonly string[]): readonly string[] {
  const isOfAnswer = (id: string) => id === "answer" || isInAnswer(id);
  const first = shown.findIndex(isOfAnswer);
  const at = first === -1 ? shown.findLastIndex((id) => id.startsWith(sourcePrefix)) + 1 : first;
  const rest = (ids: readonly string[]) => ids.filter((id) => !isOfAnswer(id));
  return [...rest(shown.slice(0, at)), ...listAnswerColumns(fields), ...rest(shown.slice(at))];
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
