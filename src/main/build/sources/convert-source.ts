import { open } from "node:fs/promises";
import { type Encoding, isWorkbook, type Source, type SourceLayout } from "#contract";
import { BuildError } from "../errors.ts";
import { detectContainer, detectEncoding, markLength } from "./detect-encoding.ts";
import { createPieceDecoder, decodeText } from "./encodings.ts";
import { guessKind } from "./guess-format.ts";
import { readJsonDocument } from "./json-documents.ts";
import { readWindow } from "./lines.ts";
import { readPieces } from "./split-json.ts";
import type { WorkbookFile } from "./workbooks/open-workbook.ts";
import type { SheetReports } from "./workbooks/sheet-records.ts";

/** The format of a file, before its rows are read. */
export interface SourceFormat
  extends Pick<Source, "kind" | "holds" | "encoding" | "sheet" | "sheets" | "valuesAsShown" | "visibleRowsOnly"> {
  /** Whether the encoding is a guess that may well be wrong. */
  readonly isDoubtful?: boolean;
}

/** The bytes of a text by which its format is detected. */
const sampleBytes = 256 * 1024;
const noSheets = { sheet: null, sheets: [], valuesAsShown: false, visibleRowsOnly: false };

/** Detects the format of a file, but for what is given: an encoding, a sheet, and how its cells are read. */
export async function detectFormat(path: string, name: string, layout: SourceLayout): Promise<SourceFormat> {
  const head = await readHead(path);
  const container = detectContainer(head);
  if (container === "parquet") return { kind: container, holds: "rows", encoding: null, ...noSheets };
  if (container !== "text") return await detectSheet({ path, container, encoding: null }, layout);
  const { encoding, isDoubtful } =
    layout.encoding === null ? await detectEncoding(path) : { encoding: layout.encoding, isDoubtful: false };
  const sample = decodeText(head, encoding);
  const markup = detectMarkup(sample);
  if (markup !== null) return await detectSheet({ path, container: markup, encoding }, layout);
  return { ...guessKind(sample, name), encoding, isDoubtful, ...noSheets };
}

const otherXml = "This is an XML file, not a table. Save its rows as CSV, XLSX or JSON, and add that.";

/** A text that has its table in tags: a web page, or a spreadsheet in one XML file. Null for any other. */
function detectMarkup(sample: string): "html" | "xml" | null {
  const start = sample.trimStart().slice(0, 2000);
  if (!start.startsWith("<")) return null;
  if (/^<\?xml/i.test(start) && /urn:schemas-microsoft-com:office:spreadsheet/.test(start)) return "xml";
  const isPage = /^(?:<\?xml[^>]*>|<!--[\s\S]*?-->|\s)*<(?:!doctype html|html|head|meta|body|table)\b/i.test(start);
  if (!isPage && /^<\?xml\s/i.test(start)) throw new BuildError("refused", otherXml);
  return isPage ? "html" : null;
}

async function detectSheet(
  file: WorkbookFile,
  { sheet, valuesAsShown = false, visibleRowsOnly = false }: SourceLayout,
): Promise<SourceFormat> {
  const { openWorkbook } = await import("./workbooks/open-workbook.ts");
  const { chooseSheet } = await import("./workbooks/choose-sheet.ts");
  const { kind, book } = await openWorkbook(file);
  try {
    const sheets = book.sheets.map(({ name }) => name);
    if (sheet !== null && !sheets.includes(sheet)) throw new BuildError("refused", describeMissing(sheet, sheets));
    const chosen = sheet ?? (await chooseSheet(book)) ?? sheets[0] ?? null;
    return { kind, holds: "rows", encoding: file.encoding, sheet: chosen, sheets, valuesAsShown, visibleRowsOnly };
  } finally {
    book.close();
  }
}

function describeMissing(sheet: string, sheets: readonly string[]): string {
  const few = sheets
    .slice(0, 10)
    .map((name) => `“${name}”`)
    .join(", ");
  return `This workbook has no sheet “${sheet}”. Choose one of ${few}${sheets.length > 10 ? " …" : ""}.`;
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
 * it is such text already. `reports` gets what is noticed about the cells of a sheet.
 */
export function convertSource(
  path: string,
  format: SourceFormat,
  reports: SheetReports = {},
): AsyncIterable<string | Buffer> | null {
  const { kind, encoding } = format;
  if (kind === "parquet") return convertParquet(path);
  if (isWorkbook(format)) return convertSheet(path, format, reports);
  const isUtf8 = encoding === "utf-8" || encoding === null;
  if (kind === "json") return readJsonDocument(() => (isUtf8 ? readPieces(path) : decode(path, encoding)));
  return isUtf8 ? null : decode(path, encoding);
}

/**
 * The name of the converted text, next to the original. Each choice of sheet, of encoding and of how cells are read has its
 * own. Earlier versions had sheets as text with delimiters, as `content.sheet-1` and `content.rows-of-sheet-1`: batches that
 * were built from these still read them.
 */
export function convertedName(format: SourceFormat): string {
  const { kind, encoding, sheet, sheets, valuesAsShown, visibleRowsOnly } = format;
  if (!isWorkbook(format)) return kind === "parquet" || encoding === null ? "content.rows" : `content.${encoding}`;
  const choices = [valuesAsShown && "as-shown", visibleRowsOnly && "visible", encoding].filter(Boolean);
  return [`${sheetCells}-${sheets.indexOf(sheet ?? "") + 1}`, ...choices].join(".");
}

const sheetCells = "content.cells-of-sheet";

/** Whether converted text has the cells of a sheet with their types, and not text with delimiters. */
export function hasSheetCells(content: string | undefined): boolean {
  return content?.startsWith(sheetCells) === true;
}

async function* convertParquet(path: string): AsyncGenerator<string> {
  const { readParquet } = await import("./parquet/read-parquet.ts");
  yield* readParquet(path);
}

async function* decode(path: string, encoding: Encoding): AsyncGenerator<Buffer> {
  const decoder = createPieceDecoder(encoding);
  for await (const piece of readPieces(path)) yield Buffer.from(decoder.write(piece));
  yield Buffer.from(decoder.end());
}

async function* convertSheet(path: string, format: SourceFormat, reports: SheetReports): AsyncGenerator<string> {
  const { openWorkbook } = await import("./workbooks/open-workbook.ts");
  const { writeSheetRecords } = await import("./workbooks/sheet-records.ts");
  const { encoding, sheet, valuesAsShown, visibleRowsOnly } = format;
  const container =
    format.kind === "html" || format.kind === "xml" ? format.kind : format.kind === "xls" ? "compound" : "zip";
  const { book } = await openWorkbook({ path, container, encoding }, { asShown: valuesAsShown });
  try {
    yield* writeSheetRecords(book, { sheet: sheet ?? "", visibleRowsOnly }, reports);
  } finally {
    book.close();
  }
}

/** Where the text of a UTF-8 file starts, after its byte-order mark. */
export async function findStart(path: string): Promise<number> {
  return markLength((await readHead(path)).subarray(0, 3));
}
