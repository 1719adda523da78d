import { Parser } from "htmlparser2";
import type { Encoding } from "#contract";
import { BuildError } from "../../errors.ts";
import { createPieceDecoder } from "../encodings.ts";
import { readPieces } from "../split-json.ts";
import { orderSheets, type SheetRow, type Workbook } from "./workbook.ts";

/** A table that is open while a page is parsed. Tables within its cells are tables of their own. */
interface OpenTable {
  readonly number: number;
  /** The number of the row that is open, or was last. */
  row: number;
  isHidden: boolean;
  cells: string[];
  /** The text of the cell that is open, and its place in the row. */
  cell: string | null;
  at: number;
  /** Rows below that a cell of a column still spans. */
  spans: number[];
}

/** The most columns or rows that a cell spans. */
const mostSpan = 1_000;
/** The most elements inside of one another: the parser moves all that are open for each that begins. Browsers stop at 512. */
const deepest = 2_000;
/** Elements that begin a line of their own. */
const lines: ReadonlySet<string> = new Set("p div li ul ol h1 h2 h3 h4 h5 h6 pre section article tr table".split(" "));
/** Elements whose text is not shown. */
const unseen: ReadonlySet<string> = new Set(["script", "style", "template", "title"]);

/** Opens a page. Each of its tables is a sheet; cells are texts as a browser shows them. */
export async function openHtml(path: string, encoding: Encoding | null): Promise<Workbook> {
  const pieces = () => decodePieces(path, encoding ?? "utf-8");
  let count = 0;
  const countTable = (table: number) => {
    count = table;
    return false;
  };
  for await (const _ of parseRows(pieces(), countTable));
  if (count === 0) throw new BuildError("refused", noTable);
  const names = Array.from({ length: count }, (_, at) => `Table ${at + 1}`);
  return {
    sheets: orderSheets(names.map((name) => ({ name, isHidden: false }))),
    rows: (name) => parseRows(pieces(), (table) => names[table - 1] === name),
    close() {},
  };
}

async function* decodePieces(path: string, encoding: Encoding): AsyncGenerator<string> {
  const decoder = createPieceDecoder(encoding);
  for await (const piece of readPieces(path)) yield decoder.write(piece);
  yield decoder.end();
}

const noTable = "This is an HTML page without a table. Download the table itself as CSV or XLSX, and add that.";

const tooDeep =
  "This page is damaged: more than 2,000 of its elements are inside of one another. Download the table as CSV or XLSX, and add that.";

/** The rows of the tables that are wanted; `isWanted` is asked for each table by its number, from 1. */
async function* parseRows(
  pieces: AsyncIterable<string>,
  isWanted: (table: number) => boolean,
): AsyncGenerator<readonly SheetRow[]> {
  const rows: SheetRow[] = [];
  const parser = createParser(isWanted, (row) => rows.push(row));
  for await (const piece of pieces) {
    parser.write(piece);
    if (rows.length > 0) yield rows.splice(0);
  }
  parser.end();
  if (rows.length > 0) yield rows;
}

function createParser(isWanted: (table: number) => boolean, onRow: (row: SheetRow) => void): Parser {
  const open: OpenTable[] = [];
  const wanted = new Set<number>();
  let tables = 0;
  let depth = 0;
  let unseenDepth = 0;

  const addText = (text: string) => {
    const table = open.at(-1);
    if (table !== undefined && table.cell !== null && unseenDepth === 0) table.cell += text;
  };

  function beginCell(table: OpenTable, { colspan, rowspan }: Readonly<Record<string, string>>): void {
    endCell(table);
    while ((table.spans[table.cells.length] ?? 0) > 0) table.cells.push("");
    table.at = table.cells.length;
    table.cell = "";
    // The text is in the first of the columns and rows that a cell spans.
    for (let column = readSpan(colspan); column > 0; column--) {
      table.spans[table.cells.length] = readSpan(rowspan);
      table.cells.push("");
    }
  }

  function endCell(table: OpenTable): void {
    if (table.cell !== null) table.cells[table.at] = tidy(table.cell);
    table.cell = null;
  }

  function endRow(table: OpenTable): void {
    endCell(table);
    const last = table.cells.findLastIndex((cell) => cell !== "");
    if (last !== -1 && wanted.has(table.number)) {
      const cells = table.cells.slice(0, last + 1).map((cell) => (cell === "" ? "null" : JSON.stringify(cell)));
      onRow({ number: table.row, isHidden: table.isHidden, cells });
    }
    table.cells = [];
    table.spans = table.spans.map((rows) => Math.max(0, rows - 1));
  }

  return new Parser({
    onopentag(name, attributes) {
      depth += 1;
      if (depth > deepest) throw new BuildError("refused", tooDeep);
      if (unseen.has(name)) unseenDepth += 1;
      const table = open.at(-1);
      if (name === "table") {
        tables += 1;
        if (isWanted(tables)) wanted.add(tables);
        open.push({ number: tables, row: 0, isHidden: false, cells: [], cell: null, at: 0, spans: [] });
      } else if (table === undefined) return;
      else if (name === "tr") {
        table.row += 1;
        table.isHidden = "hidden" in attributes || /display:\s*none/i.test(attributes.style ?? "");
      } else if (name === "td" || name === "th") {
        beginCell(table, attributes);
      } else if (name === "br" || lines.has(name)) addText("\n");
    },
    ontext: (text) => addText(text.replaceAll(/\s+/g, " ")),
    onclosetag(name) {
      depth -= 1;
      if (unseen.has(name)) unseenDepth -= 1;
      const table = open.at(-1);
      if (table === undefined) return;
      if (name === "td" || name === "th") endCell(table);
      else if (name === "tr") endRow(table);
      else if (name === "table") {
        endRow(table);
        open.pop();
      } else if (lines.has(name)) addText("\n");
    },
  });
}

function readSpan(text: string | undefined): number {
  return Math.min(mostSpan, Math.max(1, Math.trunc(Number(text)) || 1));
}

/** The text of a cell as it is shown: without spaces at the ends of lines, and without lines that are empty. */
function tidy(text: string): string {
  const shown = text.split("\n").map((line) => line.replaceAll(/[ \u00a0]+/g, " ").trim());
  return shown.filter((line) => line !== "").join("\n");
}
