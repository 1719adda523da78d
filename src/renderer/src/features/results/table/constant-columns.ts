import { useQueries } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import {
  answerPrefix,
  type ColumnCondition,
  finalStatuses,
  isInAnswer,
  type ResultChart,
  type ResultRow,
  sourcePrefix,
} from "#contract";
import { useApi } from "../../../bridge/index.ts";
import type { RowRange } from "../../../components/index.ts";
import { gradedField } from "../grading/graded-field.ts";
import { useResults } from "../results-context.tsx";
import type { ResultColumn } from "./result-columns.tsx";
import type { ResultRows } from "./result-rows.ts";

/** A column that has the same value in all rows. */
export interface ConstantColumn {
  readonly id: string;
  readonly header: string;
  readonly value: string;
}

/** Reading whole columns of longer batches takes seconds: a column would leave the table long after it came. */
const mostLines = 50_000;

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
  const there: ResultRow[] = [];
  for (let index = range.first; index <= range.last; index++) {
    const row = rows.rowAt(index);
    if (row !== undefined) there.push(row);
  }
  // Rows that come later can't make a column constant: the batch has ended.
  if (there.length > 0 && seen?.of !== key) setSeen({ of: key, alike: findAlike(ids, there) });
  const alike = seen?.of === key ? seen.alike : [];
  const api = useApi();
  const hasFields: ColumnCondition = { path: `${answerPrefix}${first}`, op: "not_empty" };
  const charts = useQueries({
    queries: alike.map((column) =>
      api.results.chart.queryOptions({
        input: {
          batchId,
          column,
          ...(isInAnswer(column) && { filter: { columns: [hasFields] } }),
          ...(merged && { merged }),
        },
        staleTime: 60_000,
        retry: false,
      }),
    ),
  });
  const constants = JSON.stringify(
    alike.flatMap((id, at): ConstantColumn[] => {
      const value = readConstant(charts[at]?.data ?? null);
      const header = columns.find((column) => column.id === id)?.header;
      return value === null || header === undefined ? [] : [{ id, header, value }];
    }),
  );
  // The same list as long as it has the same columns: with another one the table draws all of its rows anew.
  return useMemo(() => JSON.parse(constants) as readonly ConstantColumn[], [constants]);
}

/** The columns whose values are the same in these rows, as far as an answer has fields. */
export function findAlike(ids: readonly string[], rows: readonly ResultRow[]): readonly string[] {
  return ids.filter((id) => {
    const known = rows.filter(({ values }) => Object.hasOwn(values, id));
    return known.length > 0 && known.every(({ values }) => values[id] === known[0]?.values[id]);
  });
}

/** The one value of all lines; null where there are several, one is missing, or it is not known as a whole. */
export function readConstant(chart: ResultChart | null): string | null {
  const [group, ...others] = chart?.groups ?? [];
  if (chart === null || group === undefined || others.length > 0) return null;
  return group.count === chart.lines && group.range === null && !group.isCut ? group.value : null;
}
