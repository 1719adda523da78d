import {
  columnFilteringFeature,
  createColumnHelper,
  createFilteredRowModel,
  createSortedRowModel,
  filterFn_includesString,
  rowSortingFeature,
  sortFn_alphanumeric,
  sortFn_basic,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { useMemo } from "react";
import type { BatchStatus, BatchView } from "#contract";
import { shareEnded } from "../counts.ts";
import { describeModels } from "../model-name.ts";
import type { BatchesSearch, SortColumn } from "../search-params.ts";
import { statusOrder } from "../status.ts";

const features = tableFeatures({
  columnFilteringFeature,
  rowSortingFeature,
  filteredRowModel: createFilteredRowModel(),
  sortedRowModel: createSortedRowModel(),
  filterFns: { includesString: filterFn_includesString },
  sortFns: { alphanumeric: sortFn_alphanumeric, basic: sortFn_basic },
});

const helper = createColumnHelper<typeof features, BatchView>();

/** What the table sorts and searches by; how it looks is up to batch-columns.tsx. */
const columns = helper.columns([
  helper.accessor("name", { id: "name", sortFn: "alphanumeric" }),
  helper.accessor(({ status }) => statusOrder.indexOf(status), {
    id: "status",
    sortFn: "basic",
    filterFn: (row, _column, wanted: readonly BatchStatus[]) => wanted.includes(row.original.status),
  }),
  helper.accessor((batch) => shareEnded(batch) ?? undefined, {
    id: "progress",
    sortFn: "basic",
    sortUndefined: "last",
  }),
  helper.accessor(({ rate }) => rate ?? undefined, { id: "rate", sortFn: "basic", sortUndefined: "last" }),
  helper.accessor(({ models }) => describeModels(models), { id: "model", sortFn: "alphanumeric" }),
  helper.accessor(({ times }) => times.created, { id: "created", sortFn: "basic" }),
  helper.accessor(({ id, name, models }) => [name, id, ...models].join("\n"), {
    id: "find",
    filterFn: "includesString",
  }),
]);

/** The order in which the list is shown when the address does not say otherwise. */
export const usualSort: { readonly sort: SortColumn; readonly order: "asc" | "desc" } = {
  sort: "created",
  order: "desc",
};

/** The batches that the filters leave, in the order asked for. */
export function useBatchRows(batches: readonly BatchView[], search: BatchesSearch): readonly BatchView[] {
  const { status, find, sort = usualSort.sort, order = usualSort.order } = search;
  const state = useMemo(
    () => ({
      sorting: [{ id: sort, desc: order === "desc" }],
      columnFilters: [
        ...(status ? [{ id: "status", value: status }] : []),
        ...(find ? [{ id: "find", value: find }] : []),
      ],
    }),
    [status, find, sort, order],
  );
  const data = useMemo(() => [...batches], [batches]);
  const table = useTable({ features, columns, data, state, getRowId: ({ id }) => id });
  const { rows } = table.getRowModel();
  return useMemo(() => rows.map(({ original }) => original), [rows]);
}
