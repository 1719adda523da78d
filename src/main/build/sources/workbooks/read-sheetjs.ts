import { readFile, stat } from "node:fs/promises";
import type { CellObject, ParsingOptions, WorkBook } from "@e965/xlsx";
import { getFormatFromId } from "numfmt";
import type { Encoding } from "#contract";
import { BuildError } from "../../errors.ts";
import { decodeText } from "../encodings.ts";
import { checkCompound } from "./check-compound.ts";
import { type CellFormatter, createCellFormatter } from "./format-cells.ts";
import { findHiddenInOds, type Hidden } from "./ods-hidden.ts";
import {
  type CellReports,
  isProtected,
  nameColumn,
  orderSheets,
  type SheetRow,
  type Workbook,
  type WorkbookOptions,
} from "./workbook.ts";
import type { ZipPackage } from "./zip-package.ts";

/** The kinds of workbooks that SheetJS reads for us. It has a whole workbook in memory. */
export type OtherKind = "xls" | "xlsb" | "ods" | "xml";

const mostBytes = 50_000_000;
const mostUnpackedBytes = 300_000_000;
const rowsAtATime = 1_000;

const kindNames: Readonly<Record<OtherKind, string>> = {
  xls: "an Excel workbook of 1997 (.xls)",
  xlsb: "a binary Excel workbook (.xlsb)",
  ods: "an OpenDocument spreadsheet (.ods)",
  xml: "an XML spreadsheet of 2003",
};

/** What a workbook is read from: the file, its parts where it is a zip, its encoding where it is text. */
export interface OtherWorkbook {
  readonly kind: OtherKind;
  readonly path: string;
  readonly zip?: ZipPackage;
  readonly encoding?: Encoding | null;
}

/** Opens a workbook that is no .xlsx. Throws a BuildError where it is too large, protected, or has no table. */
export async function openOther(found: OtherWorkbook, { asShown = false }: WorkbookOptions = {}): Promise<Workbook> {
  const { kind, path, zip } = found;
  await refuseLarge(found);
  const hidden: Hidden =
    kind === "ods" && zip !== undefined ? await findHiddenInOds(zip) : { sheets: [], rows: new Map() };
  const lacksStyles = kind === "ods" && zip?.has("styles.xml") === false;
  zip?.close();
  const sheetJs = await loadSheetJs(kind);
  const bytes = await readFile(path);
  const content = kind === "xml" ? decodeText(bytes, found.encoding ?? "utf-8") : bytes;
  const book = parse(sheetJs, content, { kind, lacksStyles });
  const about = book.Workbook ?? {};
  const formatter = createCellFormatter({ asShown, startsIn1904: about.WBProps?.date1904 === true });
  const sheets = book.SheetNames.map((name, at) => ({
    name,
    isHidden: (about.Sheets?.[at]?.Hidden ?? 0) !== 0 || hidden.sheets.includes(name),
  }));
  return {
    sheets: orderSheets(sheets),
    async *rows(name, reports = {}) {
      const sheet = book.Sheets[name];
      if (sheet === undefined) throw new BuildError("refused", `This workbook has no sheet “${name}”.`);
      const hiddenRows = hidden.rows.get(name) ?? [];
      const table: (readonly (CellObject | undefined)[] | undefined)[] = sheet["!data"] ?? [];
      let rows: SheetRow[] = [];
      for (const [at, cells = []] of table.entries()) {
        const read = readRow(cells, at + 1, formatter, reports);
        if (read.length === 0) continue;
        const isHidden = sheet["!rows"]?.[at]?.hidden === true;
        rows.push({
          number: at + 1,
          isHidden: isHidden || hiddenRows.some(([from, to]) => from <= at && at <= to),
          cells: read,
        });
        if (rows.length < rowsAtATime) continue;
        yield rows;
        rows = [];
      }
      if (rows.length > 0) yield rows;
    },
    close() {},
  };
}

async function refuseLarge({ kind, path, zip }: OtherWorkbook): Promise<void> {
  const { size } = await stat(path);
  const bytes = Math.max(size, zip?.unpackedBytes ?? 0);
  if (size <= mostBytes && bytes <= mostUnpackedBytes) return;
  const found =
    size > mostBytes
      ? `has ${Math.round(size / 1e6)} MB, and 50 MB is the most`
      : `unpacks to ${Math.round(bytes / 1e6)} MB, and 300 MB is the most`;
  throw new BuildError("refused", `This is ${kindNames[kind]}. It ${found}. Save it as .xlsx or CSV, and add that.`);
}

type SheetJs = typeof import("@e965/xlsx");

async function loadSheetJs(kind: OtherKind): Promise<SheetJs> {
  const xlsx = await import("@e965/xlsx");
  // Workbooks before 1997 have their texts in the code page of their computer.
  if (kind === "xls") xlsx.set_cptable(await import("@e965/xlsx/dist/cpexcel.full.mjs"));
  return xlsx;
}

function parse(
  xlsx: SheetJs,
  content: string | Buffer,
  { kind, lacksStyles }: { readonly kind: OtherKind; readonly lacksStyles: boolean },
): WorkBook {
  const options: ParsingOptions = { dense: true, cellNF: true, cellFormula: true, cellHTML: false, raw: true };
  try {
    if (typeof content === "string") return xlsx.read(content, { ...options, type: "string" });
    if (kind === "xls") {
      checkCompound(content);
      refuseOtherDocuments(xlsx, content);
    }
    return xlsx.read(lacksStyles ? addStyles(xlsx, content) : content, { ...options, type: "buffer" });
  } catch (error) {
    if (error instanceof BuildError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    if (/password|encrypt/i.test(reason)) throw new BuildError("refused", isProtected);
    const message = `This is ${kindNames[kind]} that can't be read. Save it as .xlsx or CSV, and add that.`;
    throw new BuildError("refused", message);
  }
}

/** An OpenDocument spreadsheet with the part of styles that SheetJS asks for, and small libraries leave out. */
function addStyles({ CFB }: SheetJs, content: Buffer): Buffer {
  const parts = CFB.read(content, { type: "buffer" });
  CFB.utils.cfb_add(parts, "/styles.xml", Buffer.from("<office:document-styles/>"));
  return CFB.write(parts, { type: "buffer", fileType: "zip" });
}

/** Files of old Office programs have the same container: what is in it shows which one it is. */
function refuseOtherDocuments({ CFB }: SheetJs, content: Buffer): void {
  const names = CFB.read(content, { type: "buffer" }).FullPaths.map((path: string) => path.split("/").at(-1) ?? "");
  const has = (...wanted: readonly string[]) => names.some((name: string) => wanted.includes(name));
  if (has("EncryptedPackage", "EncryptionInfo")) throw new BuildError("refused", isProtected);
  if (has("Workbook", "Book")) return;
  const found = has("WordDocument") ? "a Word document" : has("PowerPoint Document") ? "a presentation" : "no workbook";
  throw new BuildError("refused", `This file is ${found}. Save its table as .xlsx or CSV, and add that.`);
}

/** The errors of formulas by their numbers in old workbooks. */
const errorNames: Readonly<Record<number, string>> = {
  0: "#NULL!",
  7: "#DIV/0!",
  15: "#VALUE!",
  23: "#REF!",
  29: "#NAME?",
  36: "#NUM!",
  42: "#N/A",
};
/** Of OpenDocument, which stores them as text. */
const errorText = /^(?:#(?:NULL!|DIV\/0!|VALUE!|REF!|NAME\?|NUM!|N\/A)|Err:\d+)$/;

const nothing = "null";

function readRow(
  row: readonly (CellObject | undefined)[],
  number: number,
  formatter: CellFormatter,
  reports: CellReports,
): string[] {
  const cells: string[] = [];
  for (const [at, cell] of row.entries()) {
    const read = cell === undefined ? nothing : readCell(cell, `${nameColumn(at)}${number}`, formatter, reports);
    if (read === nothing) continue;
    while (cells.length < at) cells.push(nothing);
    cells.push(read);
  }
  return cells;
}

function readCell(
  { t, v, z, f }: CellObject,
  reference: string,
  formatter: CellFormatter,
  reports: CellReports,
): string {
  const code = typeof z === "number" ? getFormatFromId(z) : (z ?? "General");
  if (t === "e" || (typeof v === "string" && f !== undefined && errorText.test(v))) {
    reports.onError?.(reference, typeof v === "number" ? (errorNames[v] ?? "#ERROR") : String(v));
    return nothing;
  }
  if (v instanceof Date) return formatter.formatIsoMoment(v.toISOString(), code);
  if (typeof v === "number") return formatter.formatNumber(v, odsTime.test(code) && v >= 1 ? "[h]:mm" : code);
  if (typeof v === "boolean") return String(v);
  return v === undefined || v === "" ? nothing : JSON.stringify(v);
}

/** The format that each time of an OpenDocument spreadsheet gets: more than a day is a length of time. */
const odsTime = /^HH:MM:SS$/;
