import { copyFile, stat, symlink } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { formatCount, type SourceLayout } from "#contract";
import type { SourceIndex } from "#main/build";
import { BuildError, loadTables } from "#main/build";
import { CliError, describeFileError, exitCodes } from "./cli-error.ts";
import type { CommandProcess } from "./command-process.ts";
import { checkInputFile } from "./input-file.ts";
import { withTemporaryFolder } from "./temporary-folder.ts";

const asGuessed: SourceLayout = { csv: null, encoding: null, sheet: null };

/** A table of a command, read by Build's own reader: its rows are at `path`, as `readRows` takes them. */
export interface OpenTable {
  readonly path: string;
  readonly source: SourceIndex & { readonly bytes: number };
}

/**
 * Opens a table: CSV, XLSX, JSON, JSON Lines or Parquet. Its layout is guessed, but for what is given. Its conversion goes to `folder`.
 * @throws CliError that names the path as the user gave it
 */
export async function openTable(file: string, folder: string, layout: Partial<SourceLayout> = {}): Promise<OpenTable> {
  await checkInputFile(file);
  try {
    const content = join(folder, "content");
    // A link costs nothing; where links aren't allowed, as for many users of Windows, the file is copied.
    await symlink(resolve(file), content).catch(() => copyFile(file, content));
    const index = await readIndex(file, content, { ...asGuessed, ...layout });
    const { size: bytes } = await stat(file);
    return { path: join(folder, index.content), source: { ...index, bytes } };
  } catch (error) {
    throw toTableError(error, file);
  }
}

/** What went wrong with a table, as one clear line that names the path as the user gave it. */
export function toTableError(error: unknown, file: string): CliError {
  if (error instanceof CliError) return error;
  if (error instanceof BuildError) return new CliError(`${file}: ${error.message}`, exitCodes.unusable);
  return describeFileError(error, file);
}

const requestFields: ReadonlySet<string> = new Set(["custom_id", "method", "url", "body"]);
/** How many columns of a table are named. */
const namedColumns = 5;

/**
 * Refuses a table where a batch file is wanted: in one sentence, and not in a problem for each of its lines.
 * @param name of the file, for messages
 * @throws CliError when Build reads the file as a table
 */
export async function refuseTable(path: string, name: string, io: CommandProcess): Promise<void> {
  const table = await withTemporaryFolder(io, (folder) => openAnyTable(path, folder));
  if (table === null || mayBeBatchFile(table.source)) return;
  const { columns, rowCount } = table.source;
  const named = columns.slice(0, namedColumns).map((column) => `'${column}'`);
  const list = `${named.join(", ")}${columns.length > namedColumns ? " …" : ""}`;
  const found = `${name}: this is a table with ${formatCount(rowCount, "row")}, not a batch file. Its columns: ${list}.`;
  const next = `Make a batch file of it: sheaf build ${name === path ? path : "TABLE"} --prompt … --model … -o batch.jsonl`;
  throw new CliError(`${found} ${next}`, exitCodes.unusable);
}

/** Whether it may be a batch file that is damaged: its problems are those of its lines then. */
function mayBeBatchFile({ kind, columns, rowCount }: SourceIndex): boolean {
  if (rowCount === 0 || columns.every((column) => requestFields.has(column))) return true;
  const isPlainText = kind === "csv" && columns.length < 2;
  // Of values that are no objects, Build makes this column.
  const isOtherJson = kind === "json" && columns.every((column) => column === "value");
  return isPlainText || isOtherJson;
}

/** Null for a batch file, for text that begins like JSON and is none, and for what can't be read as a table. */
async function openAnyTable(path: string, folder: string): Promise<OpenTable | null> {
  const { detectFormat, readHead } = await loadTables();
  try {
    const format = await detectFormat(path, basename(path), asGuessed);
    const isCutJson = format.kind === "csv" && /^\s*\{/.test((await readHead(path)).toString("latin1"));
    return format.holds === "requests" || isCutJson ? null : await openTable(path, folder);
  } catch (error) {
    if (error instanceof BuildError || error instanceof CliError) return null;
    throw error;
  }
}

async function readIndex(file: string, content: string, layout: SourceLayout): Promise<SourceIndex> {
  const { indexSource } = await loadTables();
  for await (const event of indexSource(content, basename(file), layout))
    if (event.phase === "indexed") return event.index;
  throw new CliError(`${file}: the table has no rows.`, exitCodes.unusable);
}
