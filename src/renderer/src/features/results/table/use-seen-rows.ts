import { useMemo, useState } from "react";
import { answerPrefix, isInAnswer, isJsonNumber, type ResultRow } from "#contract";
import type { RowRange } from "../../../components/index.ts";
import { type ColumnMeasure, longestPart, measureColumns, widthInCell } from "./measure-columns.ts";
import type { ResultColumn } from "./result-columns.tsx";
import type { ResultRows } from "./result-rows.ts";

/** The rows of a range, as far as they are there. */
export function rowsIn(rows: Pick<ResultRows, "rowAt">, { first, last }: RowRange): readonly ResultRow[] {
  const there: ResultRow[] = [];
  for (let index = first; index <= last; index++) {
    const row = rows.rowAt(index);
    if (row !== undefined) there.push(row);
  }
  return there;
}

/**
 * The paths into answers that are JSON, as far as such answers have been seen: first the fields that are columns by
 * themselves, last those that are shown anyway; and which of them have had nothing but numbers.
 */
export function useAnswerPaths(
  rows: ResultRows,
  range: RowRange,
  fields: readonly string[],
  shown: readonly string[] | null,
) {
  const [seen, setSeen] = useState<readonly string[]>([]);
  const [texts, setTexts] = useState<readonly string[]>([]);
  const [decimals, setDecimals] = useState<ReadonlyMap<string, number>>(new Map());
  const longest = new Map(decimals);
  const [found, others] = [new Set(seen), new Set(texts)];
  for (const { values } of rowsIn(rows, range)) {
    for (const [path, value] of Object.entries(values)) {
      if (!isInAnswer(path)) continue;
      found.add(path);
      const room = longestPart([String(value)]);
      if (room > (longest.get(path) ?? 0)) longest.set(path, room);
      if (value !== null && !isNumber(value)) others.add(path);
    }
  }
  if (found.size > seen.length) setSeen([...found]);
  if (others.size > texts.length) setTexts([...others]);
  if ([...longest].some(([path, room]) => room !== decimals.get(path))) setDecimals(longest);
  return useMemo(() => {
    const usual = fields.map((field) => `${answerPrefix}${field}`);
    const chosen = (shown ?? []).filter(isInAnswer);
    const paths = [...new Set([...usual, ...seen, ...chosen])];
    return { paths, decimals, numeric: new Set(seen.filter((path) => !texts.includes(path))) };
  }, [fields, seen, shown, texts, decimals]);
}

/** How wide columns are, and what they were measured by. */
interface Measured {
  readonly of: string;
  readonly hasAnswers: boolean;
  readonly by: ReadonlyMap<string, ColumnMeasure>;
}

/**
 * How wide columns are by the rows that came first: nothing moves while others are read. They are measured anew for other
 * columns or another batch, as `of` names it, and when the first answers come.
 */
export function useMeasures(of: string, columns: readonly ResultColumn[], rows: ResultRows, range: RowRange) {
  const [measured, setMeasured] = useState<Measured>();
  const there = rowsIn(rows, range);
  const key = JSON.stringify([of, ...columns.map(({ id }) => id)]);
  const hasAnswers = there.some(({ state }) => state === "answered");
  const isOld = measured?.of !== key || (hasAnswers && !measured.hasAnswers);
  if (there.length > 0 && isOld) {
    setMeasured({ of: key, hasAnswers, by: measureColumns(columns, there, widthInCell) });
  }
  return measured?.by;
}

/** A number, also one that JavaScript would print otherwise than it was written: it comes as text. */
function isNumber(value: ResultRow["values"][string]): boolean {
  if (typeof value !== "string") return typeof value === "number";
  return isJsonNumber(value) && String(Number(value)) !== value;
}
