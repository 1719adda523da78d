import { answerPrefix, sourcePrefix } from "#contract";
import { type Cell, isExactNumber, isNumberText, isRawJson, toCell, valueAt, walkObject } from "./cells.ts";
import type { ExportRow } from "./export-row.ts";

/** What the values of a column are, all of them; text where they differ. */
export type ColumnType = "text" | "integer" | "decimal" | "boolean";

export interface ExportColumn {
  /** As the results table calls it: `answer.score`, `source.name`, `finish` … */
  readonly path: string;
  /** In the file. */
  readonly name: string;
  readonly type: ColumnType;
  read(row: ExportRow): Cell;
}

/** What is found in a first pass over the rows. */
export interface RowSurvey {
  add(row: ExportRow): void;
  /** A row of the table, where it is read apart from the answers. */
  addCells(cells: readonly string[]): void;
  /** The columns that are asked for, in that order; all that have something in them by default. */
  columns(wanted?: readonly string[]): ExportColumn[];
}

/** Columns of answers, at most: the answers have more in them in any case. */
const mostPaths = 500;

/** Finds out which columns rows have, and what is in them. `tableColumns` are the names of the table's. */
export function createRowSurvey(tableColumns: readonly string[]): RowSurvey {
  const paths = new Map<string, KindTally>();
  const cellKinds = tableColumns.map(() => createKindTally());
  let hasVerdicts = false;
  let hasGrades = false;
  let hasCosts = false;

  const isOptional = (path: string) =>
    onlyWhenWanted.has(path) ||
    (path === "cost" && !hasCosts) ||
    (path === "verdict" && !hasVerdicts) ||
    (path === "grade" && !hasGrades);

  function answerColumn(path: string): ExportColumn {
    const at = path.slice(answerPrefix.length);
    const type = paths.get(at)?.type() ?? "text";
    return { path, name: path, type, read: ({ object }) => (object === null ? null : toCell(valueAt(object, at))) };
  }

  function addCells(cells: readonly string[]): void {
    for (const [at, cell] of cells.entries()) cellKinds[at]?.add(cell === "" ? null : numberOrText(cell));
  }

  return {
    addCells,
    add({ object, cells, verdict, grade, cost }) {
      hasCosts ||= cost !== null;
      hasVerdicts ||= verdict !== null;
      hasGrades ||= grade !== null;
      if (object !== null) {
        walkObject(object, (path, value) => {
          const tally = paths.get(path) ?? (paths.size < mostPaths ? createKindTally() : null);
          if (tally === null) return;
          paths.set(path, tally);
          tally.add(toCell(value));
        });
      }
      if (cells !== null) addCells(cells);
    },
    columns(wanted) {
      const answers = [...paths.keys()].map((path) => `${answerPrefix}${path}`);
      const isWritten = ({ path }: ExportColumn) => wanted?.includes(path) ?? !isOptional(path);
      const taken = new Set([...ownColumns.filter(isWritten).map(({ name }) => name), ...answers]);
      const table = tableColumns.map((column, at): ExportColumn => {
        const name = findFreeName(column, taken);
        taken.add(name);
        const type = cellKinds[at]?.type() ?? "text";
        const read = ({ cells }: ExportRow) =>
          type === "text" ? (cells?.[at] ?? null) : numberOrText(cells?.[at] ?? "");
        return { path: `${sourcePrefix}${column}`, name, type, read };
      });
      const [id, ...others] = ownColumns;
      const split = others.findIndex(({ path }) => path === "answer") + 1;
      const all = [
        id,
        ...table,
        ...others.slice(0, split),
        ...answers.map(answerColumn),
        ...others.slice(split),
      ].filter((column) => column !== undefined);
      if (wanted === undefined) return all.filter(({ path }) => !isOptional(path));
      return wanted.flatMap((path) => {
        const found = all.find((column) => column.path === path);
        return found ?? (path.startsWith(answerPrefix) ? answerColumn(path) : []);
      });
    },
  };
}

function findFreeName(column: string, taken: ReadonlySet<string>): string {
  let name = taken.has(column) ? `table.${column}` : column;
  for (let copy = 2; taken.has(name); copy++) name = `table.${column}_${copy}`;
  return name;
}

const onlyWhenWanted: ReadonlySet<string> = new Set(["line", "question", "model", "milliseconds"]);

/** The columns that every export may have. */
const ownColumns: readonly ExportColumn[] = [
  { path: "custom_id", name: "custom_id", type: "text", read: ({ customId }) => customId },
  { path: "question", name: "question", type: "text", read: ({ question }) => question },
  { path: "answer", name: "answer", type: "text", read: ({ answer }) => answer },
  { path: "finish", name: "finish_reason", type: "text", read: ({ finishReason }) => finishReason },
  {
    path: "status",
    name: "status",
    type: "text",
    read: ({ state }) => (state === "skipped" ? "never_ran" : state),
  },
  { path: "error", name: "error", type: "text", read: ({ error }) => error },
  { path: "prompt_tokens", name: "prompt_tokens", type: "integer", read: ({ promptTokens }) => promptTokens },
  { path: "completion_tokens", name: "completion_tokens", type: "integer", read: (row) => row.completionTokens },
  { path: "cost", name: "cost_usd", type: "decimal", read: ({ cost }) => cost },
  { path: "line", name: "line", type: "integer", read: ({ line }) => line },
  { path: "model", name: "model", type: "text", read: ({ model }) => model },
  { path: "milliseconds", name: "milliseconds", type: "decimal", read: ({ milliseconds }) => milliseconds },
  { path: "verdict", name: "verdict", type: "text", read: ({ verdict }) => verdict },
  { path: "grade", name: "grade", type: "text", read: ({ grade }) => grade },
];

function numberOrText(cell: string): Cell {
  if (cell === "") return null;
  return isNumberText(cell) ? Number(cell) : cell;
}

interface KindTally {
  add(cell: Cell): void;
  type(): ColumnType;
}

/** Integers that a column of 64 bits takes. */
const integer = /^-?\d{1,18}$/;

/** Which type has room for all cells of a column, with nothing lost of any. */
function createKindTally(): KindTally {
  const found = new Set<ColumnType>();
  let hasLongIntegers = false;
  return {
    add(cell) {
      if (cell === null) return;
      if (typeof cell === "boolean") found.add("boolean");
      else if (typeof cell === "string") found.add("text");
      else {
        const text = isRawJson(cell) ? cell.rawJSON : String(cell);
        if (integer.test(text)) {
          found.add("integer");
          hasLongIntegers ||= !isExactNumber(text);
        } else found.add(isExactNumber(text) ? "decimal" : "text");
      }
    },
    type() {
      const [only] = found;
      if (found.size === 1 && only !== undefined) return only;
      const areNumbers = found.size === 2 && found.has("integer") && found.has("decimal");
      return areNumbers && !hasLongIntegers ? "decimal" : "text";
    },
  };
}
