import type { CellReading, Grader } from "#contract";
import { parseExactJson, printValue } from "#main/answers";

/** How the cell of a grader is read; undefined where it is one value. */
export function cellOf(grader: Grader): CellReading | undefined {
  return "cell" in grader ? grader.cell : undefined;
}

/**
 * The values of a cell: a JSON list's, else what stands between its separators, without the spaces around it. The separator
 * that is not chosen is the first of `|`, `;` and `,` that the cell has; for numbers no comma.
 */
export function splitCell(cell: string, separator?: string, isNumber = false): string[] {
  const list = /^\s*\[/.test(cell) ? parseExactJson(cell) : undefined;
  if (Array.isArray(list)) return list.map(printValue);
  const marks = isNumber ? ["|", ";"] : ["|", ";", ","];
  const mark = separator ?? marks.find((one) => cell.includes(one));
  const parts = mark === undefined ? [cell] : cell.split(mark);
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

/** The values that a cell has for a grader; one where it is not split. */
export function valuesOf(cell: string, grader: Grader): string[] {
  const reading = cellOf(grader);
  return reading === undefined ? [cell] : splitCell(cell, reading.separator, grader.name === "number");
}
