import { copyFile, mkdtemp, open, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { z } from "zod";
import { type ByteRange, readRanges, scanLines } from "#service";
import { BuildError } from "../build/index.ts";
import { indexSource } from "../build/sources/index-source.ts";
import { readRows } from "../build/sources/read-rows.ts";
import type { SourceIndex } from "../build/sources/stored-source.ts";
import { type ExportRow, emptyRow, parseExportRow } from "../exports/index.ts";
import { CliError, describeFileError, exitCodes } from "./cli-error.ts";
import { checkInputFile } from "./input-file.ts";

/** The files that a table of answers is made from, joined by custom_id. */
export interface ExportFiles {
  readonly tableColumns: readonly string[];
  /** How many rows there are. */
  readonly count: number;
  /** Answers to requests that the file which gives the order does not have: they are the last rows. */
  readonly surplus: number;
  rows(): AsyncIterable<ExportRow>;
  /** The lines of the answers as they are, in the order of the rows. */
  lines(): AsyncIterable<Uint8Array>;
  /** Removes what was written for the time being. */
  close(): Promise<void>;
}

export interface ExportPaths {
  readonly answers: string;
  readonly input?: string | undefined;
  readonly table?: { readonly path: string; readonly id: string } | undefined;
}

/** Lines that are read at a time. */
const step = 200;

/**
 * Opens them: where each line is, is in memory; what they hold is not.
 * @throws CliError with what is wrong, as file:line: message
 */
export async function openExportFiles({ answers, input, table }: ExportPaths): Promise<ExportFiles> {
  const answered = await indexLines(answers);
  const asked = input === undefined ? null : await indexLines(input);
  const spooled = table === undefined ? null : await spoolTable(table.path, table.id);
  const order = asked ?? spooled?.ranges ?? answered;
  const surplus = [...answered.keys()].filter((id) => !order.has(id));
  const ids = [...order.keys(), ...surplus];

  async function* inSteps(): AsyncGenerator<{ id: string; line: Buffer | null; cells: readonly string[] | null }> {
    for (let from = 0; from < ids.length; from += step) {
      const wanted = ids.slice(from, from + step);
      const lines = await readSome(answers, wanted, answered);
      const rows = spooled === null ? [] : await readSome(spooled.path, wanted, spooled.ranges);
      for (const [at, id] of wanted.entries()) {
        const row = rows[at];
        yield { id, line: lines[at] ?? null, cells: row ? cellsSchema.parse(JSON.parse(row.toString())) : null };
      }
    }
  }

  return {
    tableColumns: spooled?.columns ?? [],
    count: ids.length,
    surplus: surplus.length,
    async *rows() {
      for await (const { id, line, cells } of inSteps()) {
        yield line === null ? emptyRow(id, cells) : parseExportRow(JSON.parse(line.toString()), cells);
      }
    },
    async *lines() {
      for await (const { line } of inSteps()) {
        if (line === null) continue;
        yield line;
        yield lineEnd;
      }
    },
    close: async () => await spooled?.remove(),
  };
}

const cellsSchema = z.array(z.string());
const lineEnd = Buffer.from("\n");

/** The pieces of a file at the places of some ids; null for an id that has none. */
async function readSome(path: string, ids: readonly string[], places: ReadonlyMap<string, ByteRange>) {
  const ranges = ids.map((id) => places.get(id) ?? null);
  const found = await readRanges(
    path,
    ranges.filter((range) => range !== null),
  );
  let next = 0;
  return ranges.map((range) => (range === null ? null : (found[next++] ?? null)));
}

const lineSchema = z.object({ custom_id: z.string() });

/** Where the lines of a file are, without their ends, by custom_id. Of two with the same one the later counts. */
async function indexLines(path: string): Promise<Map<string, ByteRange>> {
  await checkInputFile(path);
  const places = new Map<string, ByteRange>();
  let number = 0;
  await scanLines(path, ({ bytes, start }) => {
    number += 1;
    const text = bytes?.toString() ?? "";
    if (text.trim() === "") return;
    const { data } = lineSchema.safeParse(tryParse(text));
    if (data === undefined) throw new CliError(`${path}:${number}: It has no custom_id.`, exitCodes.unusable);
    places.set(data.custom_id, { start, end: start + (bytes?.length ?? 0) });
  });
  if (places.size === 0) throw new CliError(`${path}: the file has no lines.`, exitCodes.unusable);
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
  readonly columns: readonly string[];
  readonly ranges: ReadonlyMap<string, ByteRange>;
  remove(): Promise<void>;
}

async function spoolTable(path: string, id: string): Promise<SpooledTable> {
  await checkInputFile(path);
  const folder = await mkdtemp(join(tmpdir(), "sheaf-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const content = join(folder, "content");
    // A link costs nothing; where there are none, as for many users of Windows, a copy does.
    await symlink(resolve(path), content).catch(() => copyFile(path, content));
    const index = await readIndex(path, content);
    const at = index.columns.indexOf(id);
    if (at === -1) {
      const list = index.columns.map((name) => `'${name}'`).join(", ");
      throw new CliError(`${path}: there is no column '${id}'. The columns are ${list}.`, exitCodes.unusable);
    }
    const spool = join(folder, "rows.jsonl");
    const ranges = await writeRows(spool, { path, content: join(folder, index.content), index, at });
    return { path: spool, columns: index.columns, ranges, remove };
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
  table: { readonly path: string; readonly content: string; readonly index: SourceIndex; readonly at: number },
): Promise<Map<string, ByteRange>> {
  const ranges = new Map<string, ByteRange>();
  const file = await open(spool, "wx", 0o600);
  let end = 0;
  try {
    for await (const rows of readRows(table.content, table.index)) {
      const lines: Buffer[] = [];
      for (const { number, cells } of rows) {
        const id = cells[table.at] ?? "";
        if (ranges.has(id)) {
          throw new CliError(
            `${table.path}: row ${number}: '${id}' is the id of another row, too.`,
            exitCodes.unusable,
          );
        }
        const line = Buffer.from(JSON.stringify(cells));
        ranges.set(id, { start: end, end: end + line.length });
        end += line.length;
        lines.push(line);
      }
      await file.write(Buffer.concat(lines));
    }
  } finally {
    await file.close();
  }
  return ranges;
}
