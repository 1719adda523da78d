import { open } from "node:fs/promises";
import type { Encoding, Source, SourceLayout } from "#contract";
import { detectContainer, detectEncoding, markLength } from "./detect-encoding.ts";
import { guessKind } from "./guess-format.ts";
import { readJsonDocument } from "./json-documents.ts";
import { readWindow } from "./lines.ts";
import { readParquet } from "./read-parquet.ts";
import { openWorkbook, type SheetRow, type Workbook } from "./read-xlsx.ts";
import { readPieces } from "./split-json.ts";

/** The format of a file, before its rows are read. */
export type SourceFormat = Pick<Source, "kind" | "holds" | "encoding" | "sheet" | "sheets">;

/** The bytes of a text by which its format is detected. */
const sampleBytes = 256 * 1024;
/** The rows of a sheet that decide how many columns it has. */
const widthRows = 1000;

/** Detects the format of a file, but for an encoding and a sheet that are given. */
export async function detectFormat(
  path: string,
  name: string,
  { encoding, sheet }: Pick<SourceLayout, "encoding" | "sheet">,
): Promise<SourceFormat> {
  const head = await readHead(path);
  const kind = detectContainer(head);
  if (kind === "parquet") return { kind, holds: "rows", encoding: null, sheet: null, sheets: [] };
  if (kind === "xlsx") {
    const book = await openWorkbook(path);
    try {
      const sheets = [...book.sheets];
      const chosen = sheets.find((name) => name === sheet) ?? (await findFilledSheet(book)) ?? sheets[0] ?? null;
      return { kind, holds: "rows", encoding: null, sheet: chosen, sheets };
    } finally {
      book.close();
    }
  }
  const found = encoding ?? (await detectEncoding(path));
  const sample = new TextDecoder(found).decode(head);
  return { ...guessKind(sample, name), encoding: found, sheet: null, sheets: [] };
}

/** The first sheet that has a row. */
async function findFilledSheet(book: Workbook): Promise<string | undefined> {
  for (const sheet of book.sheets) {
    for await (const rows of book.rows(sheet)) if (rows.length > 0) return sheet;
  }
  return undefined;
}

export async function readHead(path: string): Promise<Buffer> {
  const file = await open(path, "r");
  try {
    return await readWindow(file, 0, sampleBytes);
  } finally {
    await file.close();
  }
}

/**
 * Converts a file to UTF-8 text whose rows can be read from any byte on: JSON Lines, or records with delimiters. Null where
 * it is such text already. `onUnknown` gets the reference of each formula of a sheet whose value the workbook does not have.
 */
export function convertSource(
  path: string,
  format: SourceFormat,
  onUnknown: (cell: string) => void = () => {},
): AsyncIterable<string | Buffer> | null {
  const { kind, encoding, sheet } = format;
  if (kind === "parquet") return readParquet(path);
  if (kind === "xlsx") return convertSheet(path, sheet ?? "", onUnknown);
  const isUtf8 = encoding === "utf-8" || encoding === null;
  if (kind === "json") return readJsonDocument(() => (isUtf8 ? readPieces(path) : decode(path, encoding)));
  return isUtf8 ? null : decode(path, encoding);
}

/**
 * The name of the converted text, next to the original. Each choice of sheet and encoding has its own. Of an earlier version
 * is `content.sheet-1`, without blank rows: batches that were built from it still read it.
 */
export function convertedName({ kind, encoding, sheet, sheets }: SourceFormat): string {
  if (kind === "xlsx") return `content.rows-of-sheet-${sheets.indexOf(sheet ?? "") + 1}`;
  return kind === "parquet" || encoding === null ? "content.rows" : `content.${encoding}`;
}

async function* decode(path: string, encoding: Encoding): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding);
  for await (const piece of readPieces(path)) yield Buffer.from(decoder.decode(piece, { stream: true }));
  yield Buffer.from(decoder.decode());
}

/**
 * The rows of a sheet as comma-separated records, all as long as the longest of the first ones. A blank row is a blank line,
 * so that rows are counted as in the sheet.
 */
async function* convertSheet(path: string, sheet: string, onUnknown: (cell: string) => void): AsyncGenerator<string> {
  const book = await openWorkbook(path);
  let last = 0;
  const write = (rows: readonly SheetRow[], width: number) => {
    let text = "";
    for (const { number, cells } of rows) {
      text += "\n".repeat(Math.max(0, number - last - 1)) + toRecord(cells, width);
      last = Math.max(last, number);
    }
    return text;
  };
  const widthOf = (rows: readonly SheetRow[]) => Math.max(0, ...rows.map(({ cells }) => cells.length));
  try {
    let first: SheetRow[] | null = [];
    let width = 0;
    for await (const rows of book.rows(sheet, onUnknown)) {
      if (first === null) yield write(rows, width);
      else {
        first.push(...rows);
        if (first.length < widthRows) continue;
        width = widthOf(first);
        yield write(first, width);
        first = null;
      }
    }
    if (first !== null) yield write(first, widthOf(first));
  } finally {
    book.close();
  }
}

function toRecord(row: readonly string[], width: number): string {
  const cells = row.map((cell) => (cell === "" ? "" : `"${cell.replaceAll('"', '""')}"`)).join(",");
  return `${cells}${",".repeat(Math.max(0, width - row.length))}\n`;
}

/** Where the text of a UTF-8 file starts, after its byte-order mark. */
export async function findStart(path: string): Promise<number> {
  return markLength((await readHead(path)).subarray(0, 3));
}
