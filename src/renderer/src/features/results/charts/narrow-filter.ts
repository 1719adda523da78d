import { type ChartGroup, type ColumnCondition, filterMemberOf, type ResultFilter } from "#contract";
import type { Results } from "../results-context.tsx";

/** What the lines of a bar have in common: a value, or the range that a number is in. */
export type BarLines = Partial<Pick<ChartGroup, "value" | "isCut" | "range">> & {
  /** Lines without a value, or with a blank one. */
  readonly isEmpty?: boolean;
};

/** The filter with the lines of one bar of a column alone. */
export function narrowFilter(
  filter: ResultFilter,
  path: string,
  { value = "", isCut = false, range = null, isEmpty = false }: BarLines,
): ResultFilter {
  const member = filterMemberOf(path);
  if (member !== undefined) return { ...filter, [member]: [value] };
  const conditions: ColumnCondition[] = isEmpty
    ? [{ path, op: "empty" }]
    : range === null
      ? [{ path, op: isCut ? "starts_with" : "equals", value }]
      : [
          { path, op: "at_least", value: String(range.from) },
          { path, op: "less", value: String(range.to) },
        ];
  const others = (filter.columns ?? []).filter((condition) => condition.path !== path);
  return { ...filter, columns: [...others, ...conditions] };
}

/** What can be done with the lines of a bar. */
export interface BarActions {
  readonly onNarrow: (lines: BarLines) => void;
  readonly onShow: (lines: BarLines) => void;
}

/** What can be done with the bars of a column. */
export function barActions(
  { filter, onFilter, onShow }: Pick<Results, "filter" | "onFilter" | "onShow">,
  path: string,
): BarActions {
  return {
    onNarrow: (lines) => onFilter(narrowFilter(filter, path, lines)),
    onShow: (lines) => onShow(narrowFilter(filter, path, lines)),
  };
}
