import { formatCount } from "./format.ts";
import type { SourceNotes } from "./rpc/sources.ts";

/**
 * What one should know about a table before it is used, as parts of a sentence: cells that are empty, rows that don't fit,
 * names that were taken. Build shows them, and the commands print them.
 */
export function describeNotes(notes: SourceNotes): string[] {
  const { emptyCells, raggedRows, comments, renamed, formulas, failedFormulas, roundedNumbers, hiddenRows } = notes;
  const more = renamed.length > 3 ? ` and ${renamed.length - 3} more` : "";
  return [
    ...(emptyCells ? [formatCount(emptyCells, "empty cell")] : []),
    ...(raggedRows ? [`${formatCount(raggedRows, "row")} with too few or too many cells`] : []),
    ...(comments > 0 ? [`${formatCount(comments, "comment line")} left out`] : []),
    ...(formulas.count > 0
      ? [`${formatCount(formulas.count, "formula")} without a value: ${listCells(formulas)}`]
      : []),
    ...(failedFormulas.count > 0
      ? [`${formatCount(failedFormulas.count, "formula")} with an error: ${listCells(failedFormulas)}`]
      : []),
    ...(roundedNumbers.count > 0
      ? [`${formatCount(roundedNumbers.count, "number")} cut to 15 digits: ${listCells(roundedNumbers)}`]
      : []),
    ...(hiddenRows > 0 ? [formatCount(hiddenRows, "hidden row")] : []),
    ...(renamed.length > 0 ? [`repeated names: ${renamed.slice(0, 3).join(", ")}${more}`] : []),
  ];
}

function listCells({ count, first }: SourceNotes["formulas"]): string {
  const cells = first.slice(0, 3);
  return `${cells.join(", ")}${count > cells.length ? " …" : ""}`;
}
