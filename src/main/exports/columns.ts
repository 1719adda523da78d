import {
  answerPrefix,
  type ColumnName,
  choicePrefix,
  isDouble,
  isInAnswer,
  listColumnNames,
  resultColumns,
  sourcePrefix,
} from "#contract";
import { isJsonObject, type JsonObject, listCallColumns, parseExactJson, valueAt } from "#main/answers";
import {
  type Cell,
  isCode,
  isInteger64,
  isNumberText,
  isSheetNumber,
  textOf,
  toCell,
  toSheetCell,
  walkObject,
} from "./cells.ts";
import type { ExportRow } from "./export-row.ts";

/** What the values of a column are, all of them; text where they differ. */
export type ColumnType = "text" | "integer" | "decimal" | "boolean";

/** A row as it is stored between the pass that finds the columns and the one that writes them. */
export interface StoredRow {
  readonly customId: string;
  /** The values of the request and its answer, at the places that the survey has given them. */
  readonly cells: readonly Cell[];
  /** In the order of the table's columns; null where the table has no such row. */
  readonly tableCells: readonly string[] | null;
}

export interface ExportColumn {
  /** As the results table calls it: `answer.score`, `source.name`, `finish` … */
  readonly path: string;
  /** In the file. */
  readonly name: string;
  readonly type: ColumnType;
  /** A number that a double would change, where a column of numbers is text because of it. */
  readonly inexactNumber: string | null;
  /** A number that spreadsheets would round, and have as text therefore. */
  readonly roundedNumber: string | null;
  read(row: StoredRow): Cell;
  /** As spreadsheets and CSV have it: numbers among texts are numbers, too. */
  readForSheet(row: StoredRow): Cell;
}

/** What is found in the one pass over the rows. */
export interface RowSurvey {
  /** Takes note of a row, and returns its cells. */
  add(row: ExportRow): StoredRow;
  /** A row of the table, where it is read apart from the answers. */
  addCells(cells: readonly string[]): void;
  /** The columns that were asked for, in that order; all that have something in them by default. */
  columns(): ExportColumn[];
  /** How many fields of answers got no column; of very many not all are counted. */
  fieldsLeftOut(): number;
}

/** Columns of answers, at most: the answers have more in them in any case. */
const mostPaths = 500;
/** Fields beyond these that are counted, at most. */
const mostCounted = 10_000;

export interface ColumnChoice {
  /** Paths of columns; default: all that have something in them. */
  readonly wanted?: readonly string[] | undefined;
  /** Whether all other columns that have something in them come beside the wanted ones. */
  readonly withOthers?: boolean | undefined;
}

/** Finds out which columns rows have, and what is in them. `tableColumns` are the names of the table's. */
export function createRowSurvey(
  tableColumns: readonly string[],
  { wanted, withOthers = wanted === undefined }: ColumnChoice = {},
): RowSurvey {
  const isWanted = (path: string) => wanted?.includes(path) ?? false;
  const own = ownColumns.filter(({ path, when }) => isWanted(path) || (withOthers && when !== "asked"));
  const hasContent = own.map(() => false);
  const answers = createAnswerColumns(wanted?.filter(isInAnswer) ?? [], withOthers);
  const tableTallies = tableColumns.map(createTypeTally);
  const hasCodes = tableColumns.map(() => false);

  function addCells(cells: readonly string[]): void {
    for (const [at, cell] of cells.entries()) {
      tableTallies[at]?.add(cell === "" ? null : numberOrText(cell));
      if (isCode(cell)) hasCodes[at] = true;
    }
  }

  function listOwn(): ExportColumn[] {
    return own.flatMap(({ path, name, type, when }, at) =>
      when === "filled" && !isWanted(path) && !hasContent[at]
        ? []
        : [{ path, name, ...noValues, type, ...readAlike(({ cells }) => cells[at] ?? null) }],
    );
  }

  function listTable(taken: Set<string>): ExportColumn[] {
    return tableColumns.map((column, at) => {
      const name = findFreeName(column, taken);
      taken.add(name);
      const found = tableTallies[at]?.result() ?? noValues;
      const read = ({ tableCells }: StoredRow) => {
        const cell = tableCells?.[at] ?? null;
        return found.type === "text" || cell === null ? cell : numberOrText(cell);
      };
      const readForSheet = ({ tableCells }: StoredRow) => {
        const cell = tableCells?.[at] ?? null;
        return hasCodes[at] || cell === null ? cell : toSheetCell(cell);
      };
      return { path: `${sourcePrefix}${column}`, name, ...found, read, readForSheet };
    });
  }

  return {
    addCells,
    fieldsLeftOut: answers.leftOut,
    add(row) {
      const cells: Cell[] = own.map(({ read }) => read(row));
      for (const [at, cell] of cells.entries()) if (cell !== null) hasContent[at] = true;
      answers.add(row, cells, own.length);
      if (row.cells !== null) addCells(row.cells);
      return { customId: row.line.customId, cells, tableCells: row.cells };
    },
    columns() {
      const owned = listOwn();
      const answered = answers.list(own.length);
      const table = listTable(new Set([...owned, ...answered].map(({ name }) => name)));
      if (wanted !== undefined && !withOthers) {
        const all = new Map([...owned, ...table, ...answered].map((column) => [column.path, column]));
        return wanted.flatMap((path) => all.get(path) ?? []);
      }
      const split = owned.findIndex(({ path }) => path === "answer") + 1;
      return [...owned.slice(0, 1), ...table, ...owned.slice(1, split), ...answered, ...owned.slice(split)];
    },
  };
}

/** The columns of what is in answers: those that are wanted, and with others each path as it is found. */
function createAnswerColumns(wanted: readonly string[], withOthers: boolean) {
  const tallies = new Map<string, TypeTally & { readonly at: number }>();
  const addPath = (path: string) => {
    const tally = { ...createTypeTally(), at: tallies.size };
    tallies.set(path, tally);
    return tally;
  };
  for (const path of wanted) addPath(path);
  const leftOut = new Set<string>();
  const findTally = (path: string) => {
    const known = tallies.get(path);
    if (known !== undefined || !withOthers) return known ?? null;
    if (tallies.size < mostPaths) return addPath(path);
    if (leftOut.size < mostCounted) leftOut.add(path);
    return null;
  };

  return {
    leftOut: () => leftOut.size,
    /** Puts the values of an answer behind the first cells of its row. */
    add({ object, line }: ExportRow, cells: Cell[], first: number): void {
      const put = (path: string, value: unknown) => {
        const tally = findTally(path);
        if (tally === null) return;
        const cell = toCell(value);
        tally.add(cell);
        while (cells.length <= first + tally.at) cells.push(null);
        cells[first + tally.at] ??= cell;
      };
      const putMembers = (value: JsonObject, prefix: string) => {
        if (withOthers) walkObject(value, (path, member) => put(prefix + path, member));
        for (const path of wanted) if (path.startsWith(prefix)) put(path, valueAt(value, path.slice(prefix.length)));
      };
      if (object !== null) putMembers(object, answerPrefix);
      for (const [path, input] of listCallColumns(line.calls ?? [])) {
        put(path, input);
        const value = parseExactJson(input);
        if (isJsonObject(value)) putMembers(value, `${path}.`);
      }
      for (const [at, text] of line.otherChoices?.entries() ?? []) put(`${choicePrefix}${at + 2}`, text);
    },
    list: (first: number): ExportColumn[] =>
      Array.from(tallies, ([path, tally]) => {
        return { path, name: path, ...tally.result(), ...readAlike(({ cells }) => cells[first + tally.at] ?? null) };
      }),
  };
}

function findFreeName(column: string, taken: ReadonlySet<string>): string {
  let name = taken.has(column) ? `table.${column}` : column;
  for (let copy = 2; taken.has(name); copy++) name = `table.${column}_${copy}`;
  return name;
}

/** Their order in a file; the others come after them. */
const firstInFile: readonly ColumnName[] = [
  "custom_id",
  "question",
  "answer",
  "finish",
  "status",
  "error",
  "prompt_tokens",
  "cached_tokens",
  "cache_write_tokens",
  "completion_tokens",
  "reasoning_tokens",
  "cost",
  "model",
];

/** Values that a file has in another way than the page. */
const inFile: Partial<Readonly<Record<ColumnName, (line: ExportRow["line"]) => Cell>>> = {
  answer: ({ state, answer }) => (state === "answered" ? answer : null),
  milliseconds: ({ milliseconds }) => (typeof milliseconds === "number" ? Math.round(milliseconds * 10) / 10 : null),
  status: ({ state }) => (state === "skipped" ? "never_ran" : state),
  error: ({ state, answer, errorCode }) => {
    if (state === "answered" || state === "waiting") return null;
    return errorCode ? `${errorCode}: ${answer}` : answer;
  },
};

/** The columns that every export may have. */
const ownColumns = listColumnNames(firstInFile).flatMap((path) => {
  const { kind: type = "text" as const, row, exported } = resultColumns[path];
  if (row === undefined || exported === undefined) return [];
  const { when, name = path } = exported;
  const read = inFile[path] ?? ((line: ExportRow["line"]) => line[row.member] ?? null);
  return [{ path, name, type, when, read: ({ line }: ExportRow) => read(line) }];
});

function numberOrText(cell: string): Cell {
  if (cell === "") return null;
  return isNumberText(cell) ? Number(cell) : cell;
}

function readAlike(read: ExportColumn["read"]): Pick<ExportColumn, "read" | "readForSheet"> {
  return { read, readForSheet: read };
}

type TypeResult = Pick<ExportColumn, "type" | "inexactNumber" | "roundedNumber">;

interface TypeTally {
  add(cell: Cell): void;
  result(): TypeResult;
}

const noValues: TypeResult = { type: "text", inexactNumber: null, roundedNumber: null };

/** Which type has room for all cells of a column, with nothing lost of any. */
function createTypeTally(): TypeTally {
  let [hasText, hasBooleans, hasNumbers] = [false, false, false];
  let areIntegers = true;
  /** The first number that is another one as a double. */
  let inexactNumber: string | null = null;
  let roundedNumber: string | null = null;

  function addNumber(cell: Cell): void {
    hasNumbers = true;
    if (typeof cell === "number" && Number.isInteger(cell) && Math.abs(cell) < 1e15) return;
    const text = textOf(cell);
    if (roundedNumber === null && !isSheetNumber(text)) roundedNumber = text;
    if (Number.isSafeInteger(cell)) return;
    areIntegers &&= isInteger64(text);
    if (inexactNumber === null && !isDouble(text)) inexactNumber = text;
  }

  return {
    add(cell) {
      if (cell === null) return;
      if (typeof cell === "string") hasText = true;
      else if (typeof cell === "boolean") hasBooleans = true;
      else addNumber(cell);
    },
    result() {
      if (hasText || hasBooleans === hasNumbers) return { ...noValues, roundedNumber };
      if (hasBooleans) return { ...noValues, type: "boolean" };
      if (areIntegers) return { ...noValues, type: "integer", roundedNumber };
      return { type: inexactNumber === null ? "decimal" : "text", inexactNumber, roundedNumber };
    },
  };
}
