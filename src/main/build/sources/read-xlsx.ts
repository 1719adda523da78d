import type { Readable } from "node:stream";
import { SaxesParser } from "saxes";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { BuildError } from "../errors.ts";
import { createInflationGuard } from "./inflation.ts";
import { createDateStyles } from "./xlsx-dates.ts";

/** A row of a sheet that has a cell. */
export interface SheetRow {
  /** As the sheet counts. */
  readonly number: number;
  /** The text of its cells up to the last one that is written. */
  readonly cells: readonly string[];
}

export interface Workbook {
  readonly sheets: readonly string[];
  /**
   * The rows of a sheet that have a cell, as many at a time as a piece of the file gives. `onUnknown` gets the reference of
   * each formula whose value the workbook does not have.
   */
  rows(sheet: string, onUnknown?: (reference: string) => void): AsyncGenerator<SheetRow[]>;
  close(): void;
}

/** The callbacks of a parser, with the names of elements without their prefix. */
interface Listener {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
}

const unreadable =
  "This workbook can't be read. Open it in a spreadsheet program, save it as .xlsx again, and add that.";

const mostSheets = 1_000;
const mostRows = 1_048_576;
/** The most parts of a workbook, which has some for each sheet, picture and chart. */
const mostParts = 20_000;

/**
 * Opens a workbook (.xlsx). Its parts are read with a zip and an XML library, because no library for workbooks both streams
 * rows and leaves numbers as they are in the file. Only the shared strings are in memory.
 */
export async function openWorkbook(path: string): Promise<Workbook> {
  const zip = await openZip(path);
  try {
    const parts = new Map<string, Entry>();
    if (zip.entryCount > mostParts) throw new BuildError("refused", unreadable);
    for await (const entry of zip.eachEntry()) parts.set(entry.fileName.replace(/^\//, "").toLowerCase(), entry);
    const read = async (part: string, listener: Listener) => {
      for await (const _ of readPart(zip, parts.get(part), listener));
    };
    if (!parts.has("xl/workbook.xml")) {
      throw new BuildError("refused", "This is a zip file, not a workbook. Unpack it and add the table inside.");
    }
    const { sheets, startsIn1904 } = await readSheets(read);
    const strings: string[] = [];
    await read("xl/sharedstrings.xml", collectStrings(strings));
    const dates = createDateStyles(startsIn1904);
    await read("xl/styles.xml", dates);
    return {
      sheets: [...sheets.keys()],
      async *rows(sheet, onUnknown = () => {}) {
        const rows: SheetRow[] = [];
        const listener = collectRows(rows, strings, dates.format, onUnknown);
        for await (const _ of readPart(zip, parts.get(sheets.get(sheet)?.toLowerCase() ?? ""), listener)) {
          if (rows.length > 0) yield rows.splice(0);
        }
      },
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error instanceof BuildError ? error : new BuildError("refused", unreadable);
  }
}

async function openZip(path: string): Promise<ZipFile> {
  try {
    return await openPromise(path, { lazyEntries: true, autoClose: false });
  } catch {
    throw new BuildError("refused", unreadable);
  }
}

/** Parses a part of the workbook, and stops after each piece of it. A part that is not there is empty. */
async function* readPart(zip: ZipFile, entry: Entry | undefined, listener: Listener): AsyncGenerator<void> {
  if (entry === undefined) return;
  const parser = new SaxesParser<{ position: false; xmlns: false }>({ position: false, xmlns: false });
  parser.on("opentag", ({ name, attributes }) => listener.open?.(localName(name), attributes));
  parser.on("text", (text) => listener.text?.(text));
  parser.on("closetag", ({ name }) => listener.close?.(localName(name)));
  parser.on("error", () => {
    throw new BuildError("refused", unreadable);
  });
  const decoder = new TextDecoder();
  // The declared size: yauzl refuses a part that has more.
  createInflationGuard(entry.compressedSize)(entry.uncompressedSize);
  try {
    const stream: Readable = await zip.openReadStreamPromise(entry);
    for await (const chunk of stream) {
      if (!(chunk instanceof Uint8Array)) continue;
      parser.write(decoder.decode(chunk, { stream: true }));
      yield;
    }
    parser.write(decoder.decode()).close();
    yield;
  } catch (error) {
    throw error instanceof BuildError ? error : new BuildError("refused", unreadable);
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

/** The sheets in the order of their tabs, each with its part of the file. Charts have none. */
async function readSheets(read: (part: string, listener: Listener) => Promise<void>) {
  const ids: [name: string, id: string][] = [];
  let startsIn1904 = false;
  await read("xl/workbook.xml", {
    open(element, attributes) {
      const { name = "", date1904 = "" } = attributes;
      if (element === "workbookPr") startsIn1904 = ["1", "true"].includes(date1904);
      const id = Object.entries(attributes).find(([key]) => /^\w+:id$/.test(key))?.[1];
      if (element === "sheet" && id !== undefined) ids.push([name, id]);
    },
  });
  const targets = new Map<string, string>();
  await read("xl/_rels/workbook.xml.rels", {
    open(name, { Id = "", Target = "", Type = "" }) {
      if (name !== "Relationship" || !Type.endsWith("/worksheet")) return;
      targets.set(Id, Target.startsWith("/") ? Target.slice(1) : `xl/${Target}`);
    },
  });
  const sheets = new Map(
    ids.flatMap(([name, id]) => [targets.get(id)].flatMap((part) => (part ? [[name, part]] : []))),
  );
  if (sheets.size > mostSheets) throw new BuildError("refused", "This workbook has more than 1,000 sheets.");
  if (sheets.size === 0) throw new BuildError("refused", "This workbook has no sheet with cells.");
  return { sheets, startsIn1904 };
}

/** Texts of a workbook write characters that XML does not have as `_x000D_`. */
function unescapeText(text: string): string {
  return text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Collects the texts that cells share. `rPh` has the pronunciation of a text, and is not part of it. */
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
      if (name === "si") strings.push(unescapeText(text));
    },
  };
}

/** The column of a reference such as `AB12`, from 0; undefined where the cell has none. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? "")?.[0];
  if (letters === undefined) return undefined;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** The letters of a column, counted from 0: `AB` for 27. */
function nameColumn(at: number): string {
  return (at < 26 ? "" : nameColumn(Math.floor(at / 26) - 1)) + String.fromCharCode(65 + (at % 26));
}

function collectRows(
  rows: SheetRow[],
  strings: readonly string[],
  formatNumber: (value: string, style: number) => string,
  onUnknown: (reference: string) => void,
): Listener {
  let number = 0;
  let row: string[] = [];
  let cell = { at: -1, type: "n", style: 0, text: "", isFormula: false, hasValue: false };
  let isText = false;
  let isPhonetic = false;

  function readCell(): string {
    const { type, style, text } = cell;
    if (type === "s") return strings[Number(text)] ?? "";
    if (type === "b") return text === "" ? "" : String(text === "1");
    if (type === "n") return formatNumber(text, style);
    return type === "inlineStr" || type === "str" ? unescapeText(text) : text;
  }

  /** Whether its program left out the value of a formula: a text may be empty, a number not. */
  const isUnknown = () => cell.isFormula && cell.text === "" && !(cell.type === "str" && cell.hasValue);

  return {
    open(name, attributes) {
      if (name === "row") {
        row = [];
        cell.at = -1;
        number = Math.min(mostRows, Number(attributes.r) || number + 1);
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
        const text = readCell();
        if (isUnknown()) onUnknown(`${nameColumn(cell.at)}${number}`);
        if (text === "") return;
        while (row.length < cell.at) row.push("");
        row[cell.at] = text;
      }
      if (name === "row" && row.length > 0) rows.push({ number, cells: row });
    },
  };
}
