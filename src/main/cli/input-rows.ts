import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { realpath, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { asObject, asText } from "#main/base";
import { createSample } from "#main/engines";
import { makeTemporaryFolder, parseJson, readBytes, scanLines } from "#main/storage";
import { CliError, describeFileError, exitCodes } from "./cli-error.ts";
import type { CommandProcess } from "./command-process.ts";
import { formatProblem } from "./format.ts";
import { checkInputFile } from "./input-file.ts";
import { refuseTable } from "./open-table.ts";
import { withCleanUp } from "./temporary-folder.ts";

/** Which requests of a file are asked, and which pictures go with them. */
export interface RowFlags {
  readonly first?: number | undefined;
  readonly random?: number | undefined;
  readonly sendPictures?: string | undefined;
}

/** A command's batch file, or the chosen rows of it, with the pictures that are sent. */
export interface InputRows {
  /** The path as it was given, for messages about its lines. */
  readonly file: string;
  /** The file's own name. */
  readonly name: string;
  /** The path of the whole file. */
  readonly path: string;
  /** Of the whole file's content, hexadecimal. */
  readonly sha256: string;
  /** What was asked for, as part of a job's identity; empty for all rows. */
  readonly choice: string;
  /** The bytes of the chosen rows. */
  read(): AsyncIterable<Uint8Array>;
  /** Whether a line of the file, counted from 1, is among them. */
  isChosen(line: number): boolean;
  /** The number in the file of one of the chosen lines; both count from 1. */
  lineOf(chosen: number): number;
  /** Removes the temporary file. */
  discard(): Promise<void>;
}

/**
 * Opens FILE of a command; `-` is standard input. That, and a file whose pictures are sent, is copied to a temporary file.
 * @throws CliError that names the path as the user gave it
 */
export async function openInputRows(file: string, flags: RowFlags, io: CommandProcess): Promise<InputRows> {
  const isStdin = file === "-";
  const { sendPictures } = flags;
  const folder = isStdin || sendPictures !== undefined ? makeTemporaryFolder() : null;
  const discard = async () => {
    if (folder !== null) await rm(folder, { recursive: true, force: true });
  };
  const open = async (): Promise<InputRows> => {
    // Without an ending: what it holds is told by its content alone.
    const given = folder !== null && isStdin ? join(folder, "stdin") : file;
    if (isStdin) await pipeline(io.stdin, createWriteStream(given, { mode: 0o600 }));
    else await checkInputFile(file);
    await refuseTable(given, isStdin ? "standard input" : file, io);
    const path = folder === null || sendPictures === undefined ? given : join(folder, "pictures.jsonl");
    if (sendPictures !== undefined) await addPictures(isStdin ? "standard input" : file, given, path, sendPictures);
    const hash = createHash("sha256");
    await pipeline(createReadStream(path), hash);
    const sha256 = hash.digest("hex");
    const lines = await chooseLines(path, flags, sha256);
    const chosen = lines && new Set(lines);
    return {
      file: isStdin ? "standard input" : file,
      name: isStdin ? "stdin.jsonl" : basename(file),
      path,
      sha256,
      choice: describeChoice(flags),
      read: () => (lines === null ? readBytes(path) : keepLines(path, lines)),
      isChosen: (line) => chosen?.has(line) ?? true,
      lineOf: (line) => lines?.[line - 1] ?? line,
      discard,
    };
  };
  return await withCleanUp(io, async (onStop) => {
    onStop(discard);
    try {
      return await open();
    } catch (error) {
      await discard();
      throw error;
    }
  });
}

/** The models that the chosen rows name, in their order; what is no request is left to the check of the rows. */
export async function listRequestModels({ path, isChosen }: Pick<InputRows, "path" | "isChosen">): Promise<string[]> {
  const models = new Set<string>();
  let line = 0;
  await scanLines(path, ({ bytes }) => {
    line += 1;
    const model = isChosen(line) ? asText(asObject(asObject(parseJson(bytes?.toString() ?? "")).body).model) : null;
    if (model !== null) models.add(model);
  });
  return [...models];
}

/** Writes the file to `target`, with the pictures of this folder in place of their paths. */
async function addPictures(file: string, path: string, target: string, folder: string): Promise<void> {
  const allowed = await realpath(folder).catch((error: unknown) => {
    throw describeFileError(error, folder);
  });
  const { loadTables } = await import("#main/build");
  const { embedPictures } = await loadTables();
  const problems = await embedPictures(path, target, allowed);
  if (problems.length === 0) return;
  const lines = problems.map((problem) => formatProblem(file, problem));
  throw new CliError(lines.join("\n"), exitCodes.unusable);
}

function describeChoice({ first, random }: RowFlags): string {
  if (first !== undefined) return `first ${first}`;
  return random === undefined ? "" : `random ${random}`;
}

/** The numbers of the lines to keep, from 1, in their order; null for all. */
async function chooseLines(path: string, { first, random }: RowFlags, sha256: string): Promise<number[] | null> {
  if (first === undefined && random === undefined) return null;
  const all: number[] = [];
  const requests: number[] = [];
  let line = 0;
  await scanLines(path, ({ bytes }) => {
    line += 1;
    all.push(line);
    if (bytes === null || bytes.toString().trim() !== "") requests.push(line);
  });
  // Up to the last chosen request, blank lines stay: the check reports them.
  if (first !== undefined) return all.slice(0, requests[first - 1] ?? line);
  return requests.filter(createSample(requests.length, random ?? 0, Number.parseInt(sha256.slice(0, 8), 16)));
}

const newline = 0x0a;

/** The bytes of these lines, up to the last of them. */
async function* keepLines(path: string, lines: readonly number[]): AsyncGenerator<Uint8Array> {
  let next = 0;
  let line = 1;
  for await (const chunk of createReadStream(path)) {
    if (!(chunk instanceof Buffer)) continue;
    const kept: Uint8Array[] = [];
    for (let start = 0; start < chunk.length && next < lines.length; ) {
      const at = chunk.indexOf(newline, start);
      const end = at === -1 ? chunk.length : at + 1;
      const isKept = lines[next] === line;
      if (isKept) kept.push(chunk.subarray(start, end));
      start = end;
      if (at === -1) continue;
      if (isKept) next += 1;
      line += 1;
    }
    if (kept.length > 0) yield Buffer.concat(kept);
    if (next >= lines.length) return;
  }
}
