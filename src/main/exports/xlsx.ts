import { PassThrough, Readable } from "node:stream";
import { ZipFile } from "yazl";
import { type Cell, isSheetNumber, textOf } from "./cells.ts";
import type { TableColumn } from "./csv.ts";

/** What a sheet takes, header and all, and a cell of it. */
const mostRows = 1_048_576;
const longestCell = 32_767;
/** Characters that are written at a time. */
const chunkLength = 256 * 1024;
/** Most of the time goes into compressing, and more of it saves little. */
const compressionLevel = 1;

/** A cell that had more in it than a cell takes. */
interface CutCell {
  readonly place: string;
  readonly customId: string;
  readonly column: string;
  readonly characters: number;
}

export interface XlsxOptions {
  /** Rows of a sheet, as far as the format allows. */
  readonly rowsPerSheet?: number;
}

/**
 * An Excel workbook, as a stream: a sheet is begun where the one before is full. Numbers that a spreadsheet would round are
 * text; what a cell has no room for is cut, and the last sheet lists where.
 */
export async function* writeXlsx<Row extends { readonly customId: string }>(
  columns: readonly TableColumn<Row>[],
  rows: AsyncIterable<readonly Row[]>,
  { rowsPerSheet = mostRows }: XlsxOptions = {},
): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile();
  const output = zip.outputStream.pipe(new PassThrough());
  const ended = new AbortController();
  zip.on("error", (error) => output.destroy(error));
  const limits = { rowsPerSheet: Math.min(rowsPerSheet, mostRows), signal: ended.signal };
  addSheets(zip, columns, rows, limits).catch((error: Error) => output.destroy(error));
  try {
    yield* output;
  } finally {
    ended.abort();
  }
}

async function addSheets<Row extends { readonly customId: string }>(
  zip: ZipFile,
  columns: readonly TableColumn<Row>[],
  rows: AsyncIterable<readonly Row[]>,
  { rowsPerSheet, signal }: { readonly rowsPerSheet: number; readonly signal: AbortSignal },
): Promise<void> {
  const names: string[] = [];
  const cut: CutCell[] = [];
  const source = rows[Symbol.asyncIterator]();
  const header = columns.map(({ name }) => name);

  let some: readonly Row[] = [];
  let at = 0;

  /** Reads on where all that was read is written. Whether there is another row. */
  async function hasRow(): Promise<boolean> {
    while (at >= some.length) {
      const next = await source.next();
      if (next.done) return false;
      some = next.value;
      at = 0;
    }
    return true;
  }

  async function addSheet(name: string, content: AsyncIterable<Buffer>): Promise<void> {
    names.push(name);
    const sheet = Readable.from(content, { signal });
    zip.addReadStream(sheet, `xl/worksheets/sheet${names.length}.xml`, { compressionLevel });
    await new Promise<void>((resolve, reject) => sheet.on("end", resolve).on("error", reject));
  }

  function readCells(row: Row, sheet: string, number: number): Cell[] {
    return columns.map(({ name, read }, column) => {
      const cell = read(row);
      if (typeof cell !== "string" || cell.length <= longestCell) return cell;
      const place = `${sheet}!${nameColumn(column)}${number}`;
      cut.push({ place, customId: row.customId, column: name, characters: cell.length });
      return cutText(cell, longestCell);
    });
  }

  async function* writeRows(sheet: string): AsyncGenerator<Buffer> {
    let number = 2;
    await hasRow();
    const sample = some.slice(at, at + sampleRows).map((row) => columns.map(({ read }) => read(row)));
    let text = startSheet(findWidths(header, sample)) + writeRow(1, header, headerStyle);
    for (; number <= rowsPerSheet && (at < some.length || (await hasRow())); number++) {
      const row = some[at++];
      if (row !== undefined) text += writeRow(number, readCells(row, sheet, number));
      if (text.length < chunkLength) continue;
      yield Buffer.from(text);
      text = "";
    }
    yield Buffer.from(text + endSheet(`A1:${nameColumn(Math.max(0, columns.length - 1))}${number - 1}`));
  }

  try {
    await addSheet("Results", writeRows("Results"));
    for (let number = 2; await hasRow(); number++) await addSheet(`Results ${number}`, writeRows(`Results ${number}`));
  } finally {
    await source.return?.();
  }
  if (cut.length > 0) await addSheet("Cut cells", listCut(cut));
  for (const [path, content] of describeWorkbook(names)) zip.addBuffer(Buffer.from(content), path);
  zip.end();
}

/** The start of a text, without half of its last character. */
function cutText(text: string, length: number): string {
  const start = text.slice(0, length);
  return /[\ud800-\udbff]$/.test(start) ? start.slice(0, -1) : start;
}

async function* listCut(cut: readonly CutCell[]): AsyncGenerator<Buffer> {
  const header = ["cell", "custom_id", "column", "characters"];
  yield Buffer.from(startSheet(findWidths(header, [])) + writeRow(1, header, headerStyle));
  for (const [at, { place, customId, column, characters }] of cut.entries()) {
    yield Buffer.from(writeRow(at + 2, [place, customId, column, characters]));
  }
  yield Buffer.from(endSheet(`A1:D${cut.length + 1}`));
}

const headerStyle = ' s="1"';

/** The rows by which columns get their widths, and how wide these are, in characters: at least and at most. */
const sampleRows = 100;
const [leastWidth, mostWidth] = [8, 60];

/** The widths of columns that their first cells have room in, as far as that is readable. The header has a button. */
function findWidths(header: readonly string[], rows: readonly (readonly Cell[])[]): number[] {
  const longestLine = (text: string) =>
    Math.max(
      ...text
        .slice(0, 1_000)
        .split("\n", 20)
        .map(({ length }) => length),
    );
  return header.map((name, at) => {
    const cells = rows.map((cells) => longestLine(textOf(cells[at] ?? null)) + 1);
    return Math.min(mostWidth, Math.max(leastWidth, longestLine(name) + 4, ...cells));
  });
}

function writeRow(number: number, cells: readonly Cell[], style = ""): string {
  let text = `<row r="${number}">`;
  for (const [at, cell] of cells.entries()) {
    if (cell !== null && cell !== "") text += writeCell(`${nameColumn(at)}${number}`, cell, style);
  }
  return `${text}</row>`;
}

function writeCell(place: string, cell: Cell, style: string): string {
  if (typeof cell === "boolean") return `<c r="${place}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  const text = textOf(cell);
  if (typeof cell !== "string" && isSheetNumber(text))
    return `<c r="${place}"${decimalsStyle(text)}><v>${text}</v></c>`;
  return `<c r="${place}" t="inlineStr"${style || wrappedStyle}><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`;
}

/** The most decimals with a format of their own. */
const mostDecimals = 15;

/** Text is shown whole, over several lines. */
const wrappedStyle = ` s="${2 + mostDecimals}"`;

/** The style of a number whose last decimal is a zero, which would not be shown otherwise. */
function decimalsStyle(text: string): string {
  const decimals = /\.(\d*0)$/.exec(text)?.[1]?.length ?? 0;
  return decimals === 0 || decimals > mostDecimals ? "" : ` s="${1 + decimals}"`;
}

const columnNames: string[] = [];

/** `A` … `Z`, `AA` … */
function nameColumn(at: number): string {
  const known = columnNames[at];
  if (known !== undefined) return known;
  const last = String.fromCharCode(65 + (at % 26));
  const name = at < 26 ? last : `${nameColumn(Math.floor(at / 26) - 1)}${last}`;
  columnNames[at] = name;
  return name;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML has no place for.
const special = /[&<>\r\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)/g;

function escapeXml(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return whole.replace(special, (character) => {
    if (character === "&") return "&amp;";
    if (character === "<") return "&lt;";
    if (character === ">") return "&gt;";
    // A bare one would be read as a line feed.
    if (character === "\r") return "&#13;";
    // What XML can't have, spreadsheets write this way; so text that looks like it needs the same.
    return `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`;
  });
}

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packaged = "http://schemas.openxmlformats.org/package/2006";

/** The header stays in sight. */
const frozen = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>';
function startSheet(widths: readonly number[]): string {
  const columns = widths.map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`);
  const cols = columns.length === 0 ? "" : `<cols>${columns.join("")}</cols>`;
  return `${xml}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0">${frozen}</sheetView></sheetViews>${cols}<sheetData>`;
}

/** Each column can be filtered. */
function endSheet(cells: string): string {
  return `</sheetData><autoFilter ref="${cells}"/></worksheet>`;
}

/** `0.0`, `0.00` …; formats of a workbook's own begin at 164. */
const decimalFormats = Array.from({ length: mostDecimals }, (_, at) => ({
  id: 164 + at,
  code: `0.${"0".repeat(at + 1)}`,
}));

/** The files of the package besides its sheets. */
function describeWorkbook(names: readonly string[]): [path: string, content: string][] {
  const spreadsheet = "application/vnd.openxmlformats-officedocument.spreadsheetml";
  const sheets = names.map((name, at) => `<sheet name="${escapeXml(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`);
  const parts = names.map(
    (_, at) => `<Relationship Id="rId${at + 1}" Type="${relations}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`,
  );
  const styles = `<Relationship Id="rId${names.length + 1}" Type="${relations}/styles" Target="styles.xml"/>`;
  const overrides = names.map(
    (_, at) => `<Override PartName="/xl/worksheets/sheet${at + 1}.xml" ContentType="${spreadsheet}.worksheet+xml"/>`,
  );
  return [
    [
      "[Content_Types].xml",
      `${xml}<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${spreadsheet}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${spreadsheet}.styles+xml"/>${overrides.join("")}</Types>`,
    ],
    [
      "_rels/.rels",
      `${xml}<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
    [
      "xl/workbook.xml",
      `${xml}<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${sheets.join("")}</sheets></workbook>`,
    ],
    [
      "xl/_rels/workbook.xml.rels",
      `${xml}<Relationships xmlns="${packaged}/relationships">${parts.join("")}${styles}</Relationships>`,
    ],
    [
      "xl/styles.xml",
      `${xml}<styleSheet xmlns="${main}"><numFmts count="${mostDecimals}">${decimalFormats.map(({ id, code }) => `<numFmt numFmtId="${id}" formatCode="${code}"/>`).join("")}</numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="${3 + mostDecimals}"><xf xfId="0"/><xf xfId="0" fontId="1" applyFont="1"/>${decimalFormats.map(({ id }) => `<xf xfId="0" numFmtId="${id}" applyNumberFormat="1"/>`).join("")}<xf xfId="0" applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`,
    ],
  ];
}
