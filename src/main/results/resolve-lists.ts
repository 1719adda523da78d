import { z } from "zod";
import { type ColumnCondition, columnConditionSchema, findColumn, formatCount, type ResultFilter } from "#contract";
import { ServiceError } from "#main/base";
import type { ValueLists } from "#main/storage";

/** A condition with a stored list and its values. Its JSON has none of them, so selections are cached by the list's id. */
const resolvedListSchema = z.object({
  path: z.string(),
  op: z.literal("in_list"),
  list: z.string(),
  count: z.int(),
  values: z.set(z.string()),
});
/** What the thread that reads columns gets. */
export const resolvedConditionSchema = z.union([resolvedListSchema, columnConditionSchema]);
export type ResolvedCondition = z.infer<typeof resolvedConditionSchema>;

/** A filter with the values of the lists that it names. Rejects with a ServiceError that names a list that is gone. */
export async function resolveLists(
  filter: ResultFilter,
  batchId: string,
  lists: Pick<ValueLists, "read">,
): Promise<ResultFilter> {
  if (!filter.columns?.some(({ op }) => op === "in_list")) return filter;
  const columns = await Promise.all(
    filter.columns.map(async (condition): Promise<ColumnCondition & { values?: unknown }> => {
      if (condition.op !== "in_list") return condition;
      const values = await lists.read(batchId, condition.list);
      if (values === null) throw new ServiceError("not_found", describeGone(condition), "columns");
      return { ...condition, values: new Set(values) };
    }),
  );
  return { ...filter, columns };
}

function describeGone({ path, count }: Extract<ColumnCondition, { op: "in_list" }>): string {
  const name = findColumn(path)?.header ?? path.replace(/^(source|answer)\./, "");
  const values = formatCount(count, "value");
  return `The list of ${values} that “${name}” is filtered by is no longer stored with this batch. Remove the filter, or paste the values again.`;
}
