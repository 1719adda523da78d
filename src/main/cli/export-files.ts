import { copyFile, mkdtemp, open, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { z } from "zod";
import { readRanges, scanLines } from "#service";
import { BuildError } from "../build/index.ts";
import { indexSource } from "../build/sources/index-source.ts";
import { readRows } from "../build/sources/read-rows.ts";
import type { SourceIndex } from "../build/sources/stored-source.ts";
import { createRowSurvey, type ExportRow, emptyRow, parseExportRow, type RowSurvey } from "../exports/index.ts";
import { CliError, describeFileError, exitCodes } from "./cli-error.ts";
import { checkInputFile } from "./input-file.ts";
import { createLinePlaces, type LinePlaces } from "./line-places.ts";

/** The files of an export, joined by custom_id. */
export interface ExportFiles {
  /** The columns, found when the files were opened. */
  readonly survey: Pick<RowSurvey, "columns">;
  /** How many rows there are. */
  readonly count: number;
  /** Answers whose requests aren't in the file that sets the order: they are the last rows. */
  readonly surplus: number;
  /** The rows, in the blocks in which they are read. */
  rows(): AsyncIterable<readonly ExportRow[]>;
  /** The lines of the answers as they are, in the order of the rows. */
  lines(): AsyncIterable<Uint8Array>;
  /** Removes temporary files. */
  close(): Promise<void>;
}

export interface ExportPaths {
  readonly answers: string;
  readonly input?: string | undefined;
  readonly table?: { readonly path: string; readonly id: string } | undefined;
}

/** Most lines, and bytes of answers, that are read at a time. */
const [stepLines, stepBytes] = [250, 1024 * 1024];

/**
 * Opens the files: the positions of the lines are in memory, their content is not.
 * @throws CliError with what is wrong, as file:line: message
 */
export async function openExportFiles({ answers, input, table }: ExportPaths): Promise<ExportFiles> {
  const spooled = table === undefined ? null : await spoolTable(table.path, table.id);
  try {
    return await joinFiles({ answers, input, spooled });
  } catch (error) {
    await spooled?.remove();
    throw error;
  }
}

interface FilesToJoin {
  readonly answers: string;
  readonly input: string | undefined;
  readonly spooled: SpooledTable | null;
}

async function joinFiles({ answers, input, spooled }: FilesToJoin): Promise<ExportFiles> {
  const survey = spooled?.survey ?? createRowSurvey([]);
  const answered = await indexLines(answers, (line, number) => {
    try {
      survey.add(parseExportRow(line, null));
    } catch {
      throw new CliError(`${answers}:${number}: It is no line of an output or error file.`, exitCodes.unusable);
    }
  });
  const order = input === undefined ? (spooled?.places ?? answered) : await indexLines(input);
  const surplus = [...answered.ids()].filter((id) => !order.has(id));
  const ids = [...order.ids(), ...surplus];

  async function* inSteps() {
    for (let from = 0; from < ids.length; ) {
      let bytes = 0;
      let to = from;
      while (to < ids.length && to - from < stepLines && bytes < stepBytes) bytes += answered.length(ids[to++] ?? "");
      const wanted = ids.slice(from, to);
      const lines = await readSome(answers, wanted, answered);
      const rows = spooled === null ? [] : await readSome(spooled.path, wanted, spooled.places);
      yield wanted.map((id, at) => ({ id, line: lines[at] ?? null, row: rows[at] ?? null }));
      from = to;
    }
  }

  return {
    survey,
    count: ids.length,
    surplus: surplus.length,
    async *rows() {
      for await (const some of inSteps()) {
        yield some.map(({ id, line, row }) => {
          const cells = row && cellsSchema.parse(JSON.parse(row.toString()));
          return line === null ? emptyRow(id, cells) : parseExportRow(JSON.parse(line.toString()), cells);
        });
      }
    },
    async *lines() {
      for await (const some of inSteps()) {
        for (const { line } of some) if (line !== null) yield Buffer.concat([line, lineEnd]);
      }
    },
    close: async () => await spooled?.remove(),
  };
}

const cellsSchema = z.array(z.string());
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

const lineSchema = z.object({ custom_id: z.string() });

/** The positions of a file's lines, without line ends, by custom_id. Of two with the same id the later counts. */
async function indexLines(path: string, onLine?: (line: unknown, number: number) => void): Promise<LinePlaces> {
  await checkInputFile(path);
  const places = createLinePlaces();
  let number = 0;
  await scanLines(path, ({ bytes, start }) => {
    number += 1;
    const text = bytes?.toString() ?? "";
    if (text.trim() === "") return;
    const line = tryParse(text);
    const { data } = lineSchema.safeParse(line);
    if (data === undefined) throw new CliError(`${path}:${number}: It has no custom_id.`, exitCodes.unusable);
    onLine?.(line, number);
    places.set(data.custom_id, start, start + (bytes?.length ?? 0));
  });
  if (places.count() === 0) throw new CliError(`${path}: the file has no lines.`, exitCodes.unusable);
  return places;
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A table whose rows were written anew, so that each is found by its id. */
interface SpooledTable {
  readonly path: string;
  readonly places: LinePlaces;
  /** The columns of its cells. */
  readonly survey: RowSurvey;
  remove(): Promise<void>;
}

async function spoolTable(path: string, id: string): Promise<SpooledTable> {
  await checkInputFile(path);
  const folder = await mkdtemp(join(tmpdir(), "sheaf-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const content = join(folder, "content");
    // A link costs nothing; where links aren't allowed, as for many users of Windows, the file is copied.
    await symlink(resolve(path), content).catch(() => copyFile(path, content));
    const index = await readIndex(path, content);
    const at = index.columns.indexOf(id);
    if (at === -1) {
      const list = index.columns.map((name) => `'${name}'`).join(", ");
      throw new CliError(`${path}: there is no column '${id}'. The columns are ${list}.`, exitCodes.unusable);
    }
    const spool = join(folder, "rows.jsonl");
    const survey = createRowSurvey(index.columns);
    const places = await writeRows(spool, { path, content: join(folder, index.content), index, at, survey });
    return { path: spool, places, survey, remove };
  } catch (error) {
    await remove();
    if (error instanceof BuildError) throw new CliError(`${path}: ${error.message}`, exitCodes.unusable);
    throw describeFileError(error, path);
  }
}

async function readIndex(path: string, content: string): Promise<SourceIndex> {
  for await (const event of indexSource(content, basename(path))) if (event.phase === "indexed") return event.index;
  throw new CliError(`${path}: the table has no rows.`, exitCodes.unusable);
}

async function writeRows(
  spool: string,
  table: {
    readonly path: string;
    readonly content: string;
    readonly index: SourceIndex;
    readonly at: number;
    readonly survey: RowSurvey;
  },
): Promise<LinePlaces> {
  const places = createLinePlaces();
  const file = await open(spool, "wx", 0o600);
  let end = 0;
  try {
    for await (const rows of readRows(table.content, table.index)) {
      const lines: Buffer[] = [];
      for (const { number, cells } of rows) {
        const id = cells[table.at] ?? "";
        if (places.has(id)) {
          throw new CliError(
            `${table.path}: row ${number}: '${id}' is the id of another row, too.`,
            exitCodes.unusable,
          );
        }
        const line = Buffer.from(JSON.stringify(cells));
        places.set(id, end, end + line.length);
        table.survey.addCells(cells);
        end += line.length;
        lines.push(line);
      }
      await file.write(Buffer.concat(lines));
    }
  } finally {
    await file.close();
  }
  return places;
}
