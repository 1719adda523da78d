import type { CsvLayout, Encoding, Source } from "#contract";
import { formatBytes, formatCount, formatNumber } from "../../../components/index.ts";

/** The delimiters a table can have, and what they are called. */
export const delimiterNames: Readonly<Record<CsvLayout["delimiter"], string>> = {
  ",": "Comma",
  ";": "Semicolon",
  "\t": "Tab",
  "|": "Bar",
};

/** What encodings are called, with their scripts where the name does not contain them. */
export const encodingNames: Readonly<Record<Encoding, string>> = {
  "utf-8": "UTF-8",
  "utf-16le": "UTF-16",
  "utf-16be": "UTF-16 big-endian",
  "windows-1252": "Windows-1252 (Western)",
  "windows-1250": "Windows-1250 (Central European)",
  "windows-1251": "Windows-1251 (Cyrillic)",
  "iso-8859-15": "ISO-8859-15 (Western)",
  shift_jis: "Shift JIS (Japanese)",
  "euc-jp": "EUC-JP (Japanese)",
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
  html: "web page",
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
  const format = kind === "csv" ? delimiterNames[csv?.delimiter ?? ","].toLowerCase() : kindNames[kind];
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
