import type { ChartGroup, ColumnCondition, ResultFilter } from "#contract";

/** Columns of known words have a member of the filter of their own. */
const members = {
  status: "states",
  finish: "finish",
  error: "errors",
  verdict: "verdicts",
  grade: "grades",
} as const satisfies Record<string, keyof ResultFilter>;

/** The filter with the lines of one bar alone: those of a value, or of a range of numbers, of a column. */
export function narrowFilter(
  filter: ResultFilter,
  path: string,
  { value, isCut, range }: Pick<ChartGroup, "value" | "range"> & Partial<Pick<ChartGroup, "isCut">>,
): ResultFilter {
  if (path in members) return { ...filter, [members[path as keyof typeof members]]: [value] };
  const conditions: ColumnCondition[] =
    range === null
      ? [{ path, op: isCut ? "contains" : "equals", value }]
      : [
          { path, op: "at_least", value: String(range.from) },
          { path, op: "less", value: String(range.to) },
        ];
  const others = (filter.columns ?? []).filter((condition) => condition.path !== path);
  return { ...filter, columns: [...others, ...conditions] };
}
