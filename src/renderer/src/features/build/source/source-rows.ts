import { useQueries } from "@tanstack/react-query";
import type { SourceRow } from "#contract";
import { useApi } from "../../../bridge/index.ts";
import { createBuildQueries, rowsPerPage } from "../queries.ts";

/** The rows of a source that are on screen, fetched page by page as they come into view. Indexes count from 0. */
export function useRows(sourceId: string, visible: { readonly first: number; readonly last: number }) {
  const queries = createBuildQueries(useApi());
  const firstPage = pageOf(visible.first);
  const pages = Array.from({ length: pageOf(visible.last) - firstPage + 1 }, (_, at) => firstPage + at);
  return useQueries({
    queries: pages.map((page) => queries.rows(sourceId, page)),
    combine: (results) => ({
      error: results.find(({ isError }) => isError)?.error ?? null,
      refetch: () => {
        for (const result of results) void result.refetch();
      },
      find: (index: number): SourceRow | undefined =>
        results[pageOf(index) - firstPage]?.data?.rows[index % rowsPerPage],
      loaded: results.flatMap(({ data }) => data?.rows ?? []),
    }),
  });
}

function pageOf(index: number): number {
  return Math.floor(index / rowsPerPage);
}

/** How a column shares the table's width: never narrower than `least` CSS pixels, growing by `weight`. */
interface ColumnWidth {
  readonly least: number;
  readonly weight: number;
}

/** How large the texts of a table are, in CSS pixels. */
interface TextSize {
  readonly character: number;
  /** Of a cell, both sides together. */
  readonly padding: number;
}

const usualSize: TextSize = { character: 8.8, padding: 20 };
const fewest = 3;
const most = 48;
/** A column of long text may be cut off to this many characters. */
const cutOff = 10;

/** The width of a column by its name and the texts at hand: the name and most texts fit, long ones are cut off. */
export function measureColumn(name: string, texts: readonly string[], { character, padding } = usualSize): ColumnWidth {
  const lengths = texts.map(({ length }) => length).toSorted((a, b) => a - b);
  const usual = lengths[Math.floor(lengths.length * 0.9)] ?? 0;
  const characters = Math.min(Math.max(usual, name.length, fewest), most);
  return { least: Math.round(Math.min(characters, cutOff) * character + padding), weight: characters };
}
