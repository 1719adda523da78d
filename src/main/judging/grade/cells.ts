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
  const list = parseList(cell);
  if (list !== null) return list.map(printValue);
  const marks = isNumber ? ["|", ";"] : ["|", ";", ","];
  const mark = separator ?? marks.find((one) => cell.includes(one));
  const parts = mark === undefined ? [cell] : cell.split(mark);
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

function parseList(cell: string): readonly unknown[] | null {
  const list = /^\s*\[/.test(cell) ? parseExactJson(cell) : undefined;
  return Array.isArray(list) ? list : null;
}

/** Whether a cell that is no JSON list has a mark that may part its values, where no separator is chosen. */
export function isSplitByGuess(cell: string, { separator }: CellReading): boolean {
  return separator === undefined && /[|;,]/.test(cell) && parseList(cell) === null;
}

/** The values that a cell has for a grader; one where it is not split. */
export function valuesOf(cell: string, grader: Grader): string[] {
  const reading = cellOf(grader);
  return reading === undefined ? [cell] : splitCell(cell, reading.separator, grader.name === "number");
}
