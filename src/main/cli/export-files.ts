import { open } from "node:fs/promises";
import { join } from "node:path";
import type { SourceLayout } from "#contract";
import { loadTables } from "#main/build";
import {
  createRowStore,
  createRowSurvey,
  type ExportRow,
  emptyRow,
  inParts,
  type JoinedColumns,
  parseExportRow,
  type RowStore,
  type RowSurvey,
  type StoredRow,
} from "#main/exports";
import { readRanges } from "#main/storage";
import { CliError, exitCodes } from "./cli-error.ts";
import { createLinePlaces, indexLines, type LinePlaces } from "./line-places.ts";
import { type OpenTable, openTable, toTableError } from "./open-table.ts";

/** The files of an export, joined by custom_id. */
export interface ExportFiles {
  /** The columns, found when the files were opened. */
  readonly survey: Pick<RowSurvey, "columns" | "fieldsLeftOut">;
  /** How many rows there are. */
  readonly count: number;
  /** Answers whose requests aren't in the file that sets the order: they are the last rows. */
  readonly surplus: number;
  /** Rows that the table lacks. */
  readonly rowsWithoutTable: number;
  /** Rows of the table that can't be read in full; null where all can. */
  readonly faulty: FaultyRows | null;
  /** The rows, in the blocks in which they are read. */
  rows(): AsyncIterable<readonly StoredRow[]>;
  /** The lines of the answers as they are, in the order of the rows. */
  lines(): AsyncIterable<Uint8Array>;
  close(): void;
}

export interface FaultyRows {
  readonly count: number;
  /** The first of them, from 1. */
  readonly row: number;
  /** What is wrong with it, as a sentence. */
  readonly fault: string;
}

export interface ExportPaths {
  /** Where temporary files go. */
  readonly folder: string;
  readonly answers: string;
  readonly input?: string | undefined;
  readonly table?: { readonly path: string; readonly id: string; readonly layout: SourceLayout } | undefined;
  /** Adds columns to the row of an answer; null where the request has none. */
  readonly join?: (customId: string, answer: string | null) => JoinedColumns;
  /** Called when the table has been read, before its rows are. */
  readonly onTable?: (table: OpenTable) => void;
  /** Whether rows are read, and not only lines. */
  readonly asTable: boolean;
}

/**
 * Opens the files. What is parsed of the answers is in a temporary file next to the rows of the table; memory has the
 * positions of both.
 * @throws CliError with what is wrong, as file:line: message
 */
export async function openExportFiles({ folder, table, onTable, ...paths }: ExportPaths): Promise<ExportFiles> {
  const spooled = table === undefined ? null : await spoolTable(folder, table, onTable);
  const store = createRowStore(join(folder, "answers"));
  try {
    return await joinFiles({ ...paths, spooled, store });
  } catch (error) {
    store.close();
    throw error;
  }
}

interface FilesToJoin extends Omit<ExportPaths, "folder" | "table" | "onTable"> {
  readonly spooled: SpooledTable | null;
  readonly store: RowStore;
}

async function joinFiles({
  answers,
  input,
  join: joinColumns,
  asTable,
  spooled,
  store,
}: FilesToJoin): Promise<ExportFiles> {
  const survey = spooled?.survey ?? createRowSurvey([]);
  /** The stored row of each answer, by its number. */
  const rowOf: number[] = [];
  const answered = await indexLines(answers, (line, number, place) => {
    const row = parseAnswer(line, `${answers}:${number}`, joinColumns);
    if (asTable) rowOf[place] = store.append(survey.add(row));
  });
  const order = input === undefined ? (spooled?.places ?? answered) : await indexLines(input);
  const surplus = [...answered.ids()].filter((id) => !order.has(id));
  const ids = [...order.ids(), ...surplus];
  const storedRow = (id: string) => rowOf[answered.number(id) ?? -1];

  return {
    survey,
    count: ids.length,
    surplus: surplus.length,
    rowsWithoutTable: spooled === null ? 0 : ids.filter((id) => !spooled.places.has(id)).length,
    faulty: spooled?.faulty ?? null,
    async *rows() {
      const lengthOf = (id: string) => store.length(storedRow(id) ?? -1) + (spooled?.places.length(id) ?? 0);
      for (const some of inParts(ids, lengthOf)) {
        const tableRows = spooled === null ? [] : await readSome(spooled.path, some, spooled.places);
        const found = store.read(some.flatMap((id) => storedRow(id) ?? [])).values();
        yield some.map((id, at) => {
          const row = tableRows[at];
          const tableCells = row ? (JSON.parse(row.toString()) as readonly string[]) : null;
          const stored = storedRow(id) === undefined ? undefined : found.next().value;
          return { ...(stored ?? survey.add(emptyRow(id, null))), tableCells };
        });
      }
    },
    async *lines() {
      for (const some of inParts(ids, answered.length)) {
        for (const line of await readSome(answers, some, answered))
          if (line !== null) yield Buffer.concat([line, lineEnd]);
      }
    },
    close: () => store.close(),
  };
}

function parseAnswer(line: unknown, place: string, joinColumns: ExportPaths["join"]): ExportRow {
  try {
    return parseExportRow(line, null, joinColumns);
  } catch {
    throw new CliError(`${place}: It is no line of an output or error file.`, exitCodes.unusable);
  }
}

const lineEnd = Buffer.from("\n");

/** The lines of some ids; null for an id without a line. */
async function readSome(path: string, ids: readonly string[], places: LinePlaces) {
  const ranges = ids.map((id) => places.get(id));
  const found = await readRanges(
    path,
    ranges.filter((range) => range !== null),
  );
  let next = 0;
  return ranges.map((range) => (range === null ? null : (found[next++] ?? null)));
}

/** A table whose rows were written anew, so that each is found by its id. */
interface SpooledTable {
  readonly path: string;
  readonly places: LinePlaces;
  /** The columns of its cells. */
  readonly survey: RowSurvey;
  readonly faulty: FaultyRows | null;
}

async function spoolTable(
  folder: string,
  { path, id, layout }: NonNullable<ExportPaths["table"]>,
  onTable: ExportPaths["onTable"],
): Promise<SpooledTable> {
  const table = await openTable(path, folder, layout);
  try {
    onTable?.(table);
    const { columns } = table.source;
    const at = columns.indexOf(id);
    if (at === -1) {
      const list = columns.map((name) => `'${name}'`).join(", ");
      throw new CliError(`${path}: there is no column '${id}'. The columns are ${list}.`, exitCodes.unusable);
    }
    const spool = join(folder, "rows.jsonl");
    const survey = createRowSurvey(columns);
    return { path: spool, survey, ...(await spoolRows(spool, { file: path, table, at, survey })) };
  } catch (error) {
    throw toTableError(error, path);
  }
}

async function spoolRows(
  spool: string,
  {
    file: name,
    table,
    at,
    survey,
  }: { readonly file: string; readonly table: OpenTable; readonly at: number; readonly survey: RowSurvey },
): Promise<Pick<SpooledTable, "places" | "faulty">> {
  const places = createLinePlaces();
  let first: Omit<FaultyRows, "count"> | undefined;
  let count = 0;
  const file = await open(spool, "wx", 0o600);
  let end = 0;
  try {
    const { readRows } = await loadTables();
    for await (const rows of readRows(table.path, table.source)) {
      const lines: Buffer[] = [];
      for (const { number, cells, fault } of rows) {
        if (fault !== null) {
          first ??= { row: number, fault };
          count += 1;
        }
        const id = cells[at] ?? "";
        if (places.has(id)) {
          throw new CliError(`${name}: row ${number}: '${id}' is the id of another row, too.`, exitCodes.unusable);
        }
        const line = Buffer.from(JSON.stringify(cells));
        places.set(id, end, end + line.length);
        survey.addCells(cells);
        end += line.length;
        lines.push(line);
      }
      await file.write(Buffer.concat(lines));
    }
  } finally {
    await file.close();
  }
  return { places, faulty: first === undefined ? null : { ...first, count } };
}
