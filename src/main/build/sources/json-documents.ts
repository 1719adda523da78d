import { isJsonObject, type JsonObject } from "#main/answers";
import { BuildError } from "../errors.ts";
import { nameColumns, numberedColumn } from "./column-names.ts";
import { guessHeader } from "./guess-header.ts";
import { cellText, parseJson } from "./json-lines.ts";
import { type JsonEntry, type JsonSurvey, surveyJson } from "./json-scanner.ts";
import { skipBytes, splitJson } from "./split-json.ts";

/** Opens a document at its start, as pieces of UTF-8 that may be changed. */
type OpenDocument = () => AsyncIterable<Buffer>;

/** The arrays at the start of a table of arrays that decide whether the first one names the columns. */
const headerRows = 50;
/** A document that is turned around is in memory as a whole. */
const mostTurnedBytes = 200_000_000;
const tooLargeToTurn =
  "This JSON file has its columns one after the other, and more than 200 MB. Save it as JSON Lines, with a row on each line.";

/** The line of a row: an object as it is; any other value becomes the `value` of one. */
const toLine = (element: string) => (element.startsWith("{") ? element : `{"value":${element}}`);

/**
 * The rows of a JSON document as JSON Lines. Rows are the elements of its array, or of the largest array of objects that is
 * a value of its object; the values of a document that has several; the arrays of a table of arrays, as the Google Sheets
 * API and pandas write it; or what a table of columns has at each place. Any other document is one row.
 */
export async function* readJsonDocument(open: OpenDocument): AsyncGenerator<Buffer> {
  const survey = await surveyJson(open());
  const { kind, first, isSequence, entries } = survey;
  if (kind === "array") {
    if (first === "array") yield* readArrays(open, { level: "elements", isFirstOnly: false });
    else if (first === "object" || !isSequence) {
      yield* splitJson(open(), { level: "elements", isFirstOnly: false, toLine });
    } else yield* readArrays(open, { level: "values", isFirstOnly: false });
    return;
  }
  if (kind === "object" && !isSequence) {
    const rows = await readTurned(open, survey);
    if (rows !== null) return yield* rows;
    const array = findArray(entries) ?? (await findInnerArray(open, entries));
    const read = () => skipBytes(open(), array?.start ?? 0);
    if (array?.first === "array") {
      const names = entries.find(({ key, kind }) => key === "columns" && kind === "array");
      const given = names && array.key === "data" ? await readNames(open, names) : undefined;
      return yield* readArrays(read, { level: "elements", isFirstOnly: true }, given);
    }
    if (array !== undefined) return yield* splitJson(read(), { level: "elements", isFirstOnly: true, toLine });
  }
  yield* splitJson(open(), { level: "values", isFirstOnly: false, toLine });
}

/** The array that has the rows: the largest of objects, else of arrays, else the only value there is. */
function findArray(entries: readonly JsonEntry[]): JsonEntry | undefined {
  const bytes = ({ start, end }: JsonEntry) => end - start;
  const arrays = entries.filter(({ kind }) => kind === "array").toSorted((a, b) => bytes(b) - bytes(a));
  return (
    arrays.find(({ first }) => first === "object") ??
    arrays.find(({ first }) => first === "array") ??
    (entries.length === 1 ? arrays[0] : undefined)
  );
}

/** An array of objects further inside that is most of the document, as answers of services have it. */
async function findInnerArray(open: OpenDocument, entries: readonly JsonEntry[]): Promise<JsonEntry | undefined> {
  const total = entries.at(-1)?.end ?? 0;
  const outer = entries.find(({ kind, start, end }) => kind === "object" && (end - start) * 2 > total);
  if (outer === undefined) return undefined;
  const isMost = ({ kind, start, end }: JsonEntry) => kind !== "scalar" && (end - start) * 2 > total;
  const inner = (await surveyJson(skipBytes(open(), outer.start))).entries
    .filter(isMost)
    .map((entry) => ({ ...entry, start: outer.start + entry.start, end: outer.start + entry.end }));
  return inner.find(({ first }) => first === "object") ?? (await findInnerArray(open, inner));
}

/** The values of an array as texts; undefined where it is no array. */
function readCells(text: string): { values: readonly unknown[]; cells: string[] } | undefined {
  try {
    const value = parseJson(text);
    return Array.isArray(value) ? { values: value, cells: value.map(cellText) } : undefined;
  } catch {
    return undefined;
  }
}

async function readNames(open: OpenDocument, entry: JsonEntry): Promise<string[] | undefined> {
  return readCells(await readRange(open, entry))?.cells;
}

async function readRange(open: OpenDocument, { start, end }: Pick<JsonEntry, "start" | "end">): Promise<string> {
  const parts: Buffer[] = [];
  let left = end - start;
  for await (const piece of skipBytes(open(), start)) {
    parts.push(piece.subarray(0, left));
    left -= piece.length;
    if (left <= 0) break;
  }
  return Buffer.concat(parts).toString("utf8");
}

/** The rows of a table of arrays. Without names its first array has them, unless that looks like a row. */
async function* readArrays(
  open: OpenDocument,
  splitting: Pick<Parameters<typeof splitJson>[1], "level" | "isFirstOnly">,
  given?: readonly string[],
): AsyncGenerator<Buffer> {
  const first = given === undefined ? await readFirst(open, splitting) : [];
  const { header } = guessHeader(first);
  const names = nameColumns(given ?? (header === 1 ? (first[0] ?? []) : [])).columns;
  let isHeader = header === 1;
  const toRow = (element: string) => {
    const { values } = readCells(element) ?? {};
    if (values === undefined) return toLine(element);
    if (isHeader) {
      isHeader = false;
      return "";
    }
    return JSON.stringify(Object.fromEntries(values.map((value, at) => [names[at] ?? numberedColumn(at), value])));
  };
  yield* splitJson(open(), { ...splitting, toLine: toRow });
}

async function readFirst(
  open: OpenDocument,
  splitting: Pick<Parameters<typeof splitJson>[1], "level" | "isFirstOnly">,
): Promise<string[][]> {
  const rows: string[][] = [];
  const collect = (element: string) => {
    rows.push(readCells(element)?.cells ?? [element]);
    return "";
  };
  const iterator = splitJson(open(), { ...splitting, toLine: collect });
  for await (const _ of iterator) if (rows.length >= headerRows) break;
  return rows.slice(0, headerRows);
}

/** The rows of an object of columns or of keyed rows; null where it is neither. */
async function readTurned(open: OpenDocument, { entries }: JsonSurvey): Promise<AsyncIterable<Buffer> | null> {
  const [one] = entries;
  const areObjects = one !== undefined && entries.every(({ kind }) => kind === "object");
  const areLists =
    entries.length > 1 &&
    entries.every(
      ({ kind, commas, first }) =>
        kind === "array" && commas === one?.commas && first !== "object" && first !== "array",
    );
  const bySheet = entries.some(({ key }) => ["majorDimension", "valueRanges"].includes(key));
  if (!areObjects && !areLists && !bySheet) return null;
  const bytes = Math.max(...entries.map(({ end }) => end));
  if (bytes > mostTurnedBytes) {
    if (bySheet) return null;
    throw new BuildError("refused", tooLargeToTurn);
  }
  const text = await readRange(open, { start: 0, end: Number.MAX_SAFE_INTEGER });
  const document = tryParse(text);
  if (!isJsonObject(document)) return null;
  if (bySheet) return turnSheet(document);
  const rows = areLists ? turnLists(document) : await turnObjects(document, entries, text);
  return rows === null ? null : writeLines(rows);
}

function tryParse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

async function* writeLines(rows: Iterable<Readonly<Record<string, unknown>>>): AsyncGenerator<Buffer> {
  for (const row of rows) yield Buffer.from(`${JSON.stringify(row)}\n`);
}

/** An answer of the Google Sheets API with one range whose arrays are columns, or that is one of a list. */
function turnSheet({ valueRanges, ...document }: JsonObject): AsyncIterable<Buffer> | null {
  const [range, ...others] = Array.isArray(valueRanges) ? valueRanges : [document];
  if (!isJsonObject(range) || others.length > 0 || !Array.isArray(range.values)) return null;
  const lines = range.values.map((line: unknown) => (Array.isArray(line) ? line : [line]));
  const length = Math.max(0, ...lines.map((line) => line.length));
  const isByColumn = range.majorDimension === "COLUMNS";
  const rows = isByColumn ? Array.from({ length }, (_, at) => lines.map((line) => line[at] ?? "")) : lines;
  const text = JSON.stringify(rows);
  return readArrays(
    async function* () {
      yield Buffer.from(text);
    },
    { level: "elements", isFirstOnly: true },
  );
}

/** `{"id": [1, 2], "text": ["a", "b"]}`. */
function turnLists(document: Readonly<Record<string, unknown>>): Record<string, unknown>[] | null {
  const columns = Object.entries(document).map(([name, list]) => [name, Array.isArray(list) ? list : []] as const);
  const length = columns[0]?.[1].length ?? 0;
  if (columns.some(([, list]) => list.length !== length)) return null;
  return Array.from({ length }, (_, at) => Object.fromEntries(columns.map(([name, list]) => [name, list[at]])));
}

const areNumbers = (keys: readonly string[]) => keys.every((key) => /^\d+$/.test(key));

/**
 * An object of objects as pandas writes it: columns by name with their values by index, or rows by index or key. Keys that
 * are numbers are in the order of the text, which objects of JavaScript don't keep.
 */
async function turnObjects(
  document: Readonly<Record<string, unknown>>,
  entries: readonly JsonEntry[],
  text: string,
): Promise<Record<string, unknown>[] | null> {
  const [first] = entries;
  if (first === undefined) return null;
  const bytes = Buffer.from(text);
  const inner = await surveyJson([bytes.subarray(first.start, first.end)]);
  const innerKeys = inner.entries.map(({ key }) => key);
  const outer = entries.map(({ key }) => ({ key, value: document[key] }));
  const haveSameKeys = outer.every(
    ({ value }) =>
      isJsonObject(value) &&
      Object.keys(value).length === innerKeys.length &&
      innerKeys.every((key) => Object.hasOwn(value, key)),
  );
  if (haveSameKeys && innerKeys.length > 0 && areNumbers(innerKeys)) {
    return innerKeys.map((index) =>
      Object.fromEntries(outer.map(({ key, value }) => [key, isJsonObject(value) ? value[index] : null])),
    );
  }
  const areRows = areNumbers(outer.map(({ key }) => key)) || (outer.length > 2 && haveSameKeys && innerKeys.length > 1);
  if (!areRows) return null;
  const areCounted = outer.every(({ key }, at) => key === String(at));
  return outer.map(({ key, value }) => ({
    ...(areCounted ? {} : { key }),
    ...(isJsonObject(value) ? value : { value }),
  }));
}
