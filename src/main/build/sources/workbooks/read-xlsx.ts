import { getFormatFromId } from "numfmt";
import { BuildError } from "../../errors.ts";
import { type CellFormatter, createCellFormatter, printNumber } from "./format-cells.ts";
import {
  type CellReports,
  columnOf,
  mostRows,
  nameColumn,
  orderSheets,
  refuseWorkbook,
  type Sheet,
  type SheetRow,
  type Workbook,
  type WorkbookOptions,
} from "./workbook.ts";
import type { Listener, Relation, ZipPackage } from "./zip-package.ts";

/** The part that a zip file has at its root where it is a workbook; undefined where it is something else. */
export async function findMainPart(zip: ZipPackage): Promise<string | undefined> {
  const named = (await zip.relations("")).find(({ type }) => type === "officeDocument")?.target;
  if (named !== undefined) return named;
  return ["xl/workbook.xml", "xl/workbook.bin"].find(zip.has);
}

/**
 * Opens a workbook (.xlsx) whose main part is `main`. Its parts are read with a zip and an XML library, because no library
 * for workbooks both streams rows and reads its cells as spreadsheets show them. Only the shared strings are in memory.
 */
export async function openXlsx(
  zip: ZipPackage,
  main: string,
  { asShown = false }: WorkbookOptions = {},
): Promise<Workbook> {
  const relations = await zip.relations(main);
  const { sheets, parts, startsIn1904 } = await readSheets(zip, main, relations);
  const find = (type: string, byDefault: string) =>
    relations.find((relation) => relation.type === type)?.target ?? (zip.has(byDefault) ? byDefault : undefined);
  const strings: string[] = [];
  const stringsPart = find("sharedStrings", "xl/sharedStrings.xml");
  if (stringsPart !== undefined) await zip.read(stringsPart, collectStrings(strings));
  const codes: string[] = [];
  const stylesPart = find("styles", "xl/styles.xml");
  if (stylesPart !== undefined) await zip.read(stylesPart, collectFormats(codes));
  const formatter = createCellFormatter({ asShown, startsIn1904 });
  return {
    sheets: orderSheets(sheets),
    async *rows(sheet, reports = {}) {
      const part = parts.get(sheet);
      if (part === undefined) throw new BuildError("refused", `This workbook has no sheet “${sheet}”.`);
      const rows: SheetRow[] = [];
      for await (const _ of zip.readPieces(part, collectRows(rows, { strings, codes, formatter, reports }))) {
        if (rows.length > 0) yield rows.splice(0);
      }
    },
    close: zip.close,
  };
}

/** The sheets in the order of their tabs, and the part of each. Charts have none. */
async function readSheets(zip: ZipPackage, main: string, relations: readonly Relation[]) {
  const targets = new Map(
    relations.filter(({ type }) => type === "worksheet").map(({ id, target }) => [id, target] as const),
  );
  const sheets: Sheet[] = [];
  const parts = new Map<string, string>();
  let startsIn1904 = false;
  await zip.read(main, {
    open(element, attributes) {
      const { name = "", date1904 = "", state = "" } = attributes;
      if (element === "workbookPr") startsIn1904 = ["1", "true"].includes(date1904);
      const id = Object.entries(attributes).find(([key]) => /^\w+:id$/.test(key))?.[1];
      const part = id === undefined ? undefined : targets.get(id);
      if (element !== "sheet" || part === undefined) return;
      sheets.push({ name, isHidden: /hidden/i.test(state) });
      parts.set(name, part);
    },
  });
  return { sheets, parts, startsIn1904 };
}

/** Texts of a workbook write characters that XML does not have as `_x000D_`. */
function unescapeText(text: string): string {
  return text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Collects the texts that cells share, as JSON. `rPh` has the pronunciation of a text, and is not part of it. */
function collectStrings(strings: string[]): Listener {
  let text = "";
  let isText = false;
  let isPhonetic = false;
  return {
    open(name) {
      if (name === "si") text = "";
      if (name === "rPh") isPhonetic = true;
      isText = name === "t" && !isPhonetic;
    },
    text(piece) {
      if (isText) text += piece;
    },
    close(name) {
      isText = false;
      if (name === "rPh") isPhonetic = false;
      if (name === "si") strings.push(toText(unescapeText(text)));
    },
  };
}

/** Collects the number formats of the styles of cells. */
function collectFormats(codes: string[]): Listener {
  const custom = new Map<number, string>();
  let isCellFormats = false;
  return {
    open(name, { numFmtId = "0", formatCode = "" }) {
      if (name === "cellXfs") isCellFormats = true;
      if (name === "numFmt") custom.set(Number(numFmtId), formatCode);
      if (name !== "xf" || !isCellFormats) return;
      const id = Number(numFmtId);
      // Formats from 82 on are always custom ones.
      codes.push(custom.get(id) ?? (id < 82 ? getFormatFromId(id) : "General"));
    },
    close(name) {
      if (name === "cellXfs") isCellFormats = false;
    },
  };
}

const nothing = "null";

function toText(text: string): string {
  return text === "" ? nothing : JSON.stringify(text);
}

interface CellContext {
  readonly strings: readonly string[];
  readonly codes: readonly string[];
  readonly formatter: CellFormatter;
  readonly reports: CellReports;
}

/** Whether spreadsheets would show another whole number: they have 15 digits. */
function losesDigits(text: string): boolean {
  return /^-?\d{16,}$/.test(text) && printNumber(Number(text)) !== text;
}

function collectRows(rows: SheetRow[], { strings, codes, formatter, reports }: CellContext): Listener {
  let number = 0;
  let isHidden = false;
  let row: string[] = [];
  let cell = { at: -1, type: "n", style: 0, text: "", isFormula: false, hasValue: false };
  let isText = false;
  let isPhonetic = false;

  const reference = () => `${nameColumn(cell.at)}${number}`;

  function readNumber(text: string, code: string): string {
    const value = Number(text);
    if (text.trim() === "" || !Number.isFinite(value)) return toText(text.trim());
    if (losesDigits(text)) reports.onRounded?.(reference());
    return formatter.formatNumber(value, code);
  }

  function readCell(): string {
    const { type, style, text } = cell;
    const code = codes[style] ?? "General";
    if (type === "s") {
      if (text === "") return nothing;
      const shared = strings[Number(text)];
      if (shared !== undefined) return shared;
      throw refuseWorkbook(`This workbook is damaged: cell ${reference()} has a text that is not there`);
    }
    if (type === "b") return text === "" ? nothing : String(text === "1" || text === "true");
    if (type === "e") {
      if (text !== "") reports.onError?.(reference(), text);
      return nothing;
    }
    if (type === "d" && text !== "") return formatter.formatIsoMoment(text, code);
    return type === "n" ? readNumber(text, code) : toText(unescapeText(text));
  }

  /** Whether its program left out the value of a formula: a text may be empty, a number not. */
  const isUnknown = () => cell.isFormula && cell.text === "" && !(cell.type === "str" && cell.hasValue);

  return {
    open(name, attributes) {
      if (name === "row") {
        row = [];
        cell.at = -1;
        number = Math.min(mostRows, Number(attributes.r) || number + 1);
        isHidden = attributes.hidden === "1" || attributes.hidden === "true";
      } else if (name === "c") {
        const { r, t = "n", s = "0" } = attributes;
        const at = columnOf(r) ?? cell.at + 1;
        cell = { at, type: t, style: Number(s), text: "", isFormula: false, hasValue: false };
      } else if (name === "f") cell.isFormula = true;
      else if (name === "v") cell.hasValue = true;
      else if (name === "rPh") isPhonetic = true;
      isText = (name === "v" || name === "t") && !isPhonetic;
    },
    text(piece) {
      if (isText) cell.text += piece;
    },
    close(name) {
      isText = false;
      if (name === "rPh") isPhonetic = false;
      if (name === "c") {
        if (isUnknown()) reports.onUnknown?.(reference());
        const value = readCell();
        if (value === nothing) return;
        while (row.length < cell.at) row.push(nothing);
        row[cell.at] = value;
      }
      if (name === "row" && row.length > 0) rows.push({ number, isHidden, cells: row });
    },
  };
}
