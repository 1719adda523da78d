import { BuildError } from "../../errors.ts";
import type { ZipPackage } from "./zip-package.ts";

/** The sheets and rows that an OpenDocument spreadsheet hides, which SheetJS doesn't return. */
export interface Hidden {
  readonly sheets: readonly string[];
  /** By sheet: the first and the last row of each run of hidden rows, from 0. */
  readonly rows: ReadonlyMap<string, readonly (readonly [from: number, to: number])[]>;
}

/** Cells of a sheet and rows are stored once with a count: more than these are no table, and would fill the memory. */
const mostCells = 20_000_000;

/** Throws a BuildError where repeated cells make more than a table has. */
export async function findHiddenInOds(zip: ZipPackage): Promise<Hidden> {
  const hiddenStyles = new Set<string>();
  const sheets: string[] = [];
  const rows = new Map<string, [number, number][]>();
  let style = "";
  let sheet = "";
  let at = 0;
  let row = { repeats: 1, isHidden: false, cells: 0 };
  let cell = { repeats: 1, isFilled: false };
  let cells = 0;
  await zip.read("content.xml", {
    open(name, attributes) {
      const read = (key: string) => attributes[`table:${key}`];
      if (name === "style") style = attributes["style:name"] ?? "";
      if (name === "table-properties" && read("display") === "false") hiddenStyles.add(style);
      if (name === "table") {
        sheet = read("name") ?? "";
        at = 0;
        if (hiddenStyles.has(read("style-name") ?? "")) sheets.push(sheet);
      }
      if (name === "table-row") {
        const isHidden = ["filter", "collapse"].includes(read("visibility") ?? "");
        row = { repeats: Number(read("number-rows-repeated") ?? 1), isHidden, cells: 0 };
      }
      if (name === "table-cell") {
        const isFilled = Object.keys(attributes).some((key) => key.endsWith(":value-type"));
        cell = { repeats: Number(read("number-columns-repeated") ?? 1), isFilled };
      }
    },
    text() {
      cell.isFilled = true;
    },
    close(name) {
      if (name === "table-cell") {
        if (cell.isFilled) row.cells += cell.repeats;
        cell.isFilled = false;
      }
      if (name !== "table-row") return;
      cells += row.cells * row.repeats;
      if (cells > mostCells) throw new BuildError("refused", tooManyCells);
      if (row.isHidden) rows.set(sheet, [...(rows.get(sheet) ?? []), [at, at + row.repeats - 1]]);
      at += row.repeats;
    },
  });
  return { sheets, rows };
}

const tooManyCells =
  "This OpenDocument spreadsheet (.ods) repeats its cells more than 20,000,000 times. Save the table as CSV, and add that.";
