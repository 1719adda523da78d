import { formatCount, type Problem, type SourceNotes } from "#contract";
import type { PassSource } from "../sources/stored-source.ts";

/** What no row of a workbook's table shows: cells that are empty or other than in the file, and rows that it hides. */
export function findSheetProblems({ notes, visibleRowsOnly }: PassSource): Problem[] {
  const { formulas, failedFormulas, roundedNumbers, hiddenRows } = notes;
  const warn = (code: Problem["code"], message: string): Problem => ({
    code,
    message,
    param: null,
    line: null,
    severity: "warning",
  });
  const problems: Problem[] = [];
  if (formulas.count > 0) {
    const found = `The workbook has no value for ${formatCount(formulas.count, "formula")}${listCells(formulas)}`;
    const empty = formulas.count === 1 ? "its cell is" : "their cells are";
    const next = "Open it in a spreadsheet program, save it, and add it again.";
    problems.push(warn("formula_without_value", `${found}: ${empty} empty. ${next}`));
  }
  if (failedFormulas.count > 0) {
    const [verb, empty] = failedFormulas.count === 1 ? ["has", "its cell is"] : ["have", "their cells are"];
    const found = `${formatCount(failedFormulas.count, "formula")} of the workbook ${verb} an error${listCells(failedFormulas)}`;
    problems.push(warn("failed_formula", `${found}: ${empty} empty. Correct the workbook, and add it again.`));
  }
  if (roundedNumbers.count > 0) {
    const [verb, are] = roundedNumbers.count === 1 ? ["has", "It is"] : ["have", "They are"];
    const found = `${formatCount(roundedNumbers.count, "number")} of the workbook ${verb} more than 15 digits${listCells(roundedNumbers)}.`;
    problems.push(warn("rounded_number", `${found} ${are} cut, as in spreadsheets. Store long numbers as text.`));
  }
  if (hiddenRows > 0) {
    const rows = `${formatCount(hiddenRows, "row")} of the sheet ${hiddenRows === 1 ? "is" : "are"} hidden`;
    const message = visibleRowsOnly
      ? `${rows} and left out.`
      : `${rows}, and read like the others. To leave them out, choose “Visible rows only” (--visible-rows-only).`;
    problems.push(warn("hidden_rows", message));
  }
  return problems;
}

function listCells({ count, first }: SourceNotes["formulas"]): string {
  return ` (${first.join(", ")}${count > first.length ? " …" : ""})`;
}
