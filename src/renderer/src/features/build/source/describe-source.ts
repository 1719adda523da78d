import type { CsvLayout, Encoding, Source } from "#contract";
import { formatBytes, formatCount, formatNumber } from "../../../components/index.ts";

/** The usual delimiters of a table, and what they are called. */
export const delimiterNames: Readonly<Record<string, string>> = {
  ",": "Comma",
  ";": "Semicolon",
  "\t": "Tab",
  "|": "Bar",
};

/** `comma`; a character without a name as it is, and one that can't be seen by its number: `U+001F`. */
function describeDelimiter(delimiter: string): string {
  const code = delimiter.codePointAt(0) ?? 0;
  const shown = code <= 0x20 ? `U+${code.toString(16).toUpperCase().padStart(4, "0")}` : delimiter;
  return delimiterNames[delimiter]?.toLowerCase() ?? `delimiter ${shown}`;
}

/** What encodings are called, with their scripts where the name does not contain them. */
export const encodingNames: Readonly<Record<Encoding, string>> = {
  "utf-8": "UTF-8",
  "utf-16le": "UTF-16",
  "utf-16be": "UTF-16 big-endian",
  "utf-32le": "UTF-32",
  "utf-32be": "UTF-32 big-endian",
  "windows-1252": "Windows-1252 (Western)",
  "iso-8859-15": "ISO-8859-15 (Western)",
  macintosh: "Mac Roman (Western)",
  cp437: "CP437 (DOS, US)",
  cp850: "CP850 (DOS, Western)",
  cp858: "CP858 (DOS, Western with €)",
  "windows-1250": "Windows-1250 (Central European)",
  "iso-8859-2": "ISO-8859-2 (Central European)",
  cp852: "CP852 (DOS, Central European)",
  "windows-1257": "Windows-1257 (Baltic)",
  "iso-8859-4": "ISO-8859-4 (Baltic)",
  "iso-8859-13": "ISO-8859-13 (Baltic)",
  "windows-1251": "Windows-1251 (Cyrillic)",
  "koi8-r": "KOI8-R (Russian)",
  "koi8-u": "KOI8-U (Ukrainian)",
  ibm866: "CP866 (DOS, Cyrillic)",
  "iso-8859-5": "ISO-8859-5 (Cyrillic)",
  "x-mac-cyrillic": "Mac Cyrillic",
  "windows-1253": "Windows-1253 (Greek)",
  "iso-8859-7": "ISO-8859-7 (Greek)",
  cp737: "CP737 (DOS, Greek)",
  "windows-1254": "Windows-1254 (Turkish)",
  cp857: "CP857 (DOS, Turkish)",
  "windows-1255": "Windows-1255 (Hebrew)",
  "iso-8859-8": "ISO-8859-8 (Hebrew)",
  cp862: "CP862 (DOS, Hebrew)",
  "windows-1256": "Windows-1256 (Arabic)",
  "iso-8859-6": "ISO-8859-6 (Arabic)",
  "windows-874": "Windows-874 (Thai)",
  "windows-1258": "Windows-1258 (Vietnamese)",
  "iso-8859-3": "ISO-8859-3 (South European)",
  "iso-8859-10": "ISO-8859-10 (Nordic)",
  "iso-8859-14": "ISO-8859-14 (Celtic)",
  "iso-8859-16": "ISO-8859-16 (Romanian)",
  shift_jis: "Shift JIS (Japanese)",
  "euc-jp": "EUC-JP (Japanese)",
  "iso-2022-jp": "ISO-2022-JP (Japanese)",
  gb18030: "GB 18030 (Simplified Chinese)",
  big5: "Big5 (Traditional Chinese)",
  "euc-kr": "EUC-KR (Korean)",
};

const kindNames: Readonly<Record<Exclude<Source["kind"], "csv">, string>> = {
  jsonl: "JSON Lines",
  json: "JSON",
  xlsx: "XLSX",
  xlsb: "XLSB",
  xls: "XLS",
  ods: "ODS",
  html: "HTML table",
  xml: "XML spreadsheet",
  parquet: "Parquet",
};

/** A source in short: `12,408 rows`, `3 columns`, `1.2 MB`, `comma`, `UTF-8`. */
export function describeSource(source: Source): string[] {
  const { kind, csv, encoding, sheet, sheets } = source;
  const content =
    source.holds === "requests"
      ? [formatCount(source.rowCount, "request")]
      : [formatCount(source.rowCount, "row"), formatCount(source.columns.length, "column")];
  const format = kind === "csv" ? describeDelimiter(csv?.delimiter ?? ",") : kindNames[kind];
  return [
    ...content,
    formatBytes(source.bytes),
    format,
    ...(encoding === null ? [] : [encodingNames[encoding].replace(/ \(.*/, "")]),
    // Several are listed, the one that is read among them.
    ...(sheet === null || sheets.length > 1 ? [] : [`sheet “${sheet}”`]),
    ...describeHeader(csv),
  ];
}

/** Which rows at the start are no data, where that is not the first alone: `header in row 4`, `1 row skipped`. */
function describeHeader(csv: CsvLayout | null): string[] {
  if (csv === null || (csv.header === 1 && csv.skip === 0)) return [];
  const { header, skip } = csv;
  return [
    header === null ? "no header" : `header in row ${formatNumber(header)}`,
    ...(skip === 0 ? [] : [`${formatCount(skip, "row")} skipped`]),
  ];
}
