import { useQueries } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { answerPrefix, finalStatuses, isInAnswer, type ResultChart, type ResultRow, sourcePrefix } from "#contract";
import { useApi } from "../../../bridge/index.ts";
import type { RowRange } from "../../../components/index.ts";
import { gradedField } from "../grading/graded-field.ts";
import { useResults } from "../results-context.tsx";
import type { ResultColumn } from "./result-columns.tsx";
import type { ResultRows } from "./result-rows.ts";
import { rowsIn } from "./use-seen-rows.ts";

/** A column that has the same value in all rows. */
export interface ConstantColumn {
  readonly id: string;
  readonly header: string;
  readonly value: string;
}

/** Reading whole columns of longer batches takes seconds: a column would leave the table long after it came. */
const mostLines = 50_000;
/** The most answers without a value of which it is read whether they have other fields. */
const mostLacking = 200;

/**
 * The columns of the table that have one value in all rows of a batch that ended, whatever it is filtered by. Answers without
 * fields (text, or cut off) don't count: they stand across the fields. The first field and those that are graded stay.
 */
export function useConstantColumns(
  columns: readonly ResultColumn[],
  rows: ResultRows,
  range: RowRange,
): readonly ConstantColumn[] {
  const { batch, batchId, merged, fields, grading } = useResults();
  const [seen, setSeen] = useState<{ readonly of: string; readonly alike: readonly string[] }>();
  const [first] = fields;
  const stays = [first, gradedField(grading.run)].map((field) => `${answerPrefix}${field}`);
  stays.push(`${sourcePrefix}${grading.run?.column}`);
  const { total } = batch.counts;
  const mayFold = first !== undefined && total > 1 && total <= mostLines && finalStatuses.has(batch.status);
  const ids = mayFold
    ? columns.map(({ id }) => id).filter((id) => (isInAnswer(id) || id.startsWith(sourcePrefix)) && !stays.includes(id))
    : [];
  const key = JSON.stringify([batchId, merged, ids]);
  const there = rowsIn(rows, range);
  // Rows that come later can't make a column constant: the batch has ended.
  if (there.length > 0 && seen?.of !== key) setSeen({ of: key, alike: findAlike(ids, there) });
  const alike = seen?.of === key ? seen.alike : noIds;
  const { results } = useApi();
  const of = { batchId, ...(merged && { merged }) };
  // Combined values stay the same object while they are equal: with another one the table draws all of its rows anew.
  const values = useQueries({
    queries: alike.map((column) => ({
      queryKey: [...results.chart.key({ input: { ...of, column } }), "constant"],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        findConstant(column, {
          chart: () => results.chart.call({ ...of, column }, { signal }),
          lacking() {
            const filter = { columns: [{ path: column, op: "empty" as const }] };
            return results.page.call({ ...of, offset: 0, limit: mostLacking, filter }, { signal });
          },
        }),
      staleTime: 60_000,
      retry: false,
    })),
    combine: (found) => found.map(({ data }) => data ?? null),
  });
  return useMemo(
    () =>
      alike.flatMap((id, at): ConstantColumn[] => {
        const value = values[at] ?? null;
        const header = columns.find((column) => column.id === id)?.header;
        return value === null || header === undefined ? [] : [{ id, header, value }];
      }),
    [alike, values, columns],
  );
}

const noIds: readonly string[] = [];

/** The columns whose values are the same in these rows, as far as an answer has fields. */
export function findAlike(ids: readonly string[], rows: readonly Pick<ResultRow, "values">[]): readonly string[] {
  return ids.filter((id) => {
    const known = rows.filter(({ values }) => Object.hasOwn(values, id));
    return known.length > 0 && known.every(({ values }) => values[id] === known[0]?.values[id]);
  });
}

/** What is read of a column. */
interface ColumnReads {
  /** All lines by its values. */
  readonly chart: () => Promise<ResultChart | null>;
  /** The answers that have no value in it. */
  readonly lacking: () => Promise<{ readonly total: number; readonly rows: readonly Pick<ResultRow, "values">[] }>;
}

/** The one value of a column; null where there are several, a row with fields lacks it, or it is not known as a whole. */
export async function findConstant(column: string, { chart, lacking }: ColumnReads): Promise<string | null> {
  const counted = await chart();
  const [group, ...others] = counted?.groups ?? [];
  if (counted === null || group === undefined || others.length > 0) return null;
  if (group.range !== null || group.isCut) return null;
  if (group.count === counted.lines) return group.value;
  if (!isInAnswer(column)) return null;
  const { total, rows } = await lacking();
  const hasFields = rows.some(({ values }) => Object.keys(values).some(isInAnswer));
  return total > rows.length || hasFields ? null : group.value;
}
