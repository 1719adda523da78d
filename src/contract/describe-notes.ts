import { formatCount } from "./format.ts";
import type { SourceNotes } from "./rpc/sources.ts";

/**
 * What one should know about a table before it is used, as parts of a sentence: cells that are empty, rows that don't fit,
 * names that were taken. Build shows them, and the commands print them.
 */
export function describeNotes({ emptyCells, raggedRows, renamed, formulas }: SourceNotes): string[] {
  const more = renamed.length > 3 ? ` and ${renamed.length - 3} more` : "";
  return [
    ...(emptyCells ? [formatCount(emptyCells, "empty cell")] : []),
    ...(raggedRows ? [`${formatCount(raggedRows, "row")} with too few or too many cells`] : []),
    ...(formulas.count > 0
      ? [`${formatCount(formulas.count, "formula")} without a value: ${listCells(formulas)}`]
      : []),
    ...(renamed.length > 0 ? [`repeated names: ${renamed.slice(0, 3).join(", ")}${more}`] : []),
  ];
}

function listCells({ count, first }: SourceNotes["formulas"]): string {
  const cells = first.slice(0, 3);
  return `${cells.join(", ")}${count > cells.length ? " …" : ""}`;
}
