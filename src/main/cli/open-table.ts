import { copyFile, mkdtemp, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import type { SourceLayout } from "#contract";
import { BuildError } from "../build/index.ts";
import { indexSource } from "../build/sources/index-source.ts";
import type { SourceIndex } from "../build/sources/stored-source.ts";
import { CliError, describeFileError, exitCodes } from "./cli-error.ts";
import { checkInputFile } from "./input-file.ts";

/** A table of a command, read by Build's own reader: its rows are at `path`, as `readRows` takes them. */
export interface OpenTable {
  readonly path: string;
  readonly source: SourceIndex & { readonly bytes: number };
  /** Removes the temporary folder, which has its conversion. */
  close(): Promise<void>;
}

/**
 * Opens a table: CSV, XLSX, JSON, JSON Lines or Parquet. Its layout is guessed, but for what is given.
 * @throws CliError that names the path as the user gave it
 */
export async function openTable(file: string, layout: Partial<SourceLayout> = {}): Promise<OpenTable> {
  await checkInputFile(file);
  const folder = await mkdtemp(join(tmpdir(), "sheaf-"));
  const close = () => rm(folder, { recursive: true, force: true });
  try {
    const content = join(folder, "content");
    // A link costs nothing; where links aren't allowed, as for many users of Windows, the file is copied.
    await symlink(resolve(file), content).catch(() => copyFile(file, content));
    const index = await readIndex(file, content, { csv: null, encoding: null, sheet: null, ...layout });
    const { size: bytes } = await stat(file);
    return { path: join(folder, index.content), source: { ...index, bytes }, close };
  } catch (error) {
    await close();
    throw toTableError(error, file);
  }
}

/** What went wrong with a table, as one clear line that names the path as the user gave it. */
export function toTableError(error: unknown, file: string): CliError {
  if (error instanceof BuildError) return new CliError(`${file}: ${error.message}`, exitCodes.unusable);
  return describeFileError(error, file);
}

async function readIndex(file: string, content: string, layout: SourceLayout): Promise<SourceIndex> {
  for await (const event of indexSource(content, basename(file), layout))
    if (event.phase === "indexed") return event.index;
  throw new CliError(`${file}: the table has no rows.`, exitCodes.unusable);
}
