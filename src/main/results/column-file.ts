import { createHash, randomBytes } from "node:crypto";
import {
  closeSync,
  createReadStream,
  fdatasync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { open, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { crc32 } from "node:zlib";
import { z } from "zod";
import type { Machine } from "#main/base";
import { isSealed, parseJson, readFully, scanLines, sealLine } from "#main/storage";
import { type ColumnValue, createValueReader, parseRecord, writeRecord } from "./column-values.ts";
import { eachKnownLine, knownLinesSchema } from "./known-lines.ts";

/** A column of a batch that is read from disk. */
export const columnSchema = z.object({
  /** `custom_id`, `answer`, `answer.score`, `source.city` … */
  path: z.string(),
  /** The file that its values are in; null for a column of a table, which is written down before it is read. */
  origin: z.object({ path: z.string(), known: knownLinesSchema }).nullable(),
  /** Where its values are kept once they have been read; null for a batch that continues. */
  file: z.string().nullable(),
});
export type Column = z.infer<typeof columnSchema>;

export interface ColumnReading {
  readonly onValue: (place: number, value: ColumnValue) => void;
  readonly onProgress: (bytes: number, size: number) => void;
  readonly signal: AbortSignal;
}

/** Reads the values of a column: from its own file where there is one that fits, else from their origin, and keeps them. */
export async function readColumn({ path, origin, file }: Column, reading: ColumnReading, machine: Machine) {
  if (origin === null) {
    if (file === null) throw new Error(`The column ${path} has not been written.`);
    return readRecords(file, reading, machine);
  }
  const target = file === null ? null : { file, header: headerOf(path, origin.path), isSpare: true };
  if (target !== null && (await fits(target.file, target.header))) return readRecords(target.file, reading, machine);
  const read = createValueReader(path);
  await writeColumn(target, async (append) => {
    const onLine = (text: string, start: number) => {
      const value = read(text);
      if (value === null) return;
      reading.onValue(start, value);
      append(start, value);
    };
    await eachKnownLine(origin.path, origin.known, onLine, reading);
  });
}

/** Reads the values of a column file that fits. */
export async function readRecords(
  file: string,
  { onValue, onProgress, signal }: ColumnReading,
  machine: Machine,
): Promise<void> {
  // The longest unused file goes first.
  const now = machine.wall() / 1_000;
  await utimes(file, now, now);
  const onLine = ({ bytes }: { readonly bytes: Buffer | null }) => {
    const record = bytes === null ? null : parseRecord(bytes.toString());
    if (record !== null) onValue(...record);
  };
  await scanLines(file, onLine, { signal, onChunk: onProgress });
}

/** How values are written: by form 2, numbers that JavaScript would print otherwise are texts. */
const currentForm = 2;

/** The first line of a column file. With another origin, size or form, the file is made anew. */
interface ColumnHeader {
  readonly path: string;
  readonly origin: string;
  readonly size: number;
  readonly form: number;
}

const headerSchema = z.object({ path: z.string(), origin: z.string(), size: z.number(), form: z.int().default(1) });
/** The last line of a column file: of all bytes before it. */
const trailerSchema = z.object({ bytes: z.int(), checksum: z.int() });

/** The header of a column that is read from a file, or was when that file had this size. */
export function headerOf(path: string, origin: string): ColumnHeader {
  return { path, origin, size: statSync(origin).size, form: currentForm };
}

/** In bytes: that of the longest path, with each character escaped. */
const longestHeader = 256 * 1024;

const longestTrailer = 128;
const newline = 0x0a;

/** Whether there is a column file with this header, and it is as it was written: a damaged one is made anew. */
export async function fits(file: string, header: ColumnHeader): Promise<boolean> {
  return JSON.stringify(await readHeader(file)) === JSON.stringify(header);
}

/** Whether a file is a column file that is as it was written. */
export async function isColumnFile(file: string): Promise<boolean> {
  return (await readHeader(file)) !== null;
}

/** Null where there is no such file, or it is not as it was written. */
async function readHeader(file: string): Promise<ColumnHeader | null> {
  const opened = await open(file).catch(() => null);
  if (opened === null) return null;
  try {
    const { size } = await opened.stat();
    const start = await readFully(opened, 0, Math.min(size, longestHeader));
    const header = headerSchema.safeParse(parseJson(start.toString("utf8", 0, start.indexOf("\n")))).data;
    const length = Math.min(size, longestTrailer);
    const end = await readFully(opened, size - length, length);
    const last = end.subarray(end.lastIndexOf("\n", -2) + 1, -1);
    const isWhole = end.at(-1) === newline && isSealed(last);
    const trailer = isWhole ? trailerSchema.safeParse(parseJson(last.toString())).data : undefined;
    if (header === undefined || trailer?.bytes !== size - last.length - 1) return null;
    let checksum = 0;
    for await (const bytes of createReadStream(file, { end: trailer.bytes - 1 }) as AsyncIterable<Buffer>) {
      checksum = crc32(bytes, checksum);
    }
    return checksum === trailer.checksum ? header : null;
  } finally {
    await opened.close();
  }
}

/** Column files that are kept in a data folder, and how many bytes of them. */
const mostFiles = 64;
const mostBytes = 2 * 1024 ** 3;
/** Written at a time, in characters. */
const chunk = 256 * 1024;

/** A column file is there when it is whole, and on the disk. */
function openColumnFile(file: string, header: ColumnHeader) {
  // A filter and a sort by one column may write it at the same time.
  const part = `${file}.${randomBytes(4).toString("hex")}.part`;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const opened = openSync(part, "wx", 0o600);
  let isOpen = true;
  let waiting = `${JSON.stringify(header)}\n`;
  const written = { bytes: 0, checksum: 0 };
  function write(bytes: Buffer): void {
    for (let done = 0; done < bytes.length; ) done += writeSync(opened, bytes, done);
    written.bytes += bytes.length;
    written.checksum = crc32(bytes, written.checksum);
  }
  function close(): void {
    if (!isOpen) return;
    isOpen = false;
    closeSync(opened);
  }
  function flush(): void {
    write(Buffer.from(waiting));
    waiting = "";
  }
  return {
    append(place: number, value: ColumnValue): void {
      waiting += writeRecord(place, value);
      if (waiting.length > chunk) flush();
    },
    async finish(): Promise<void> {
      flush();
      write(sealLine(written));
      await promisify(fdatasync)(opened);
      close();
      renameSync(part, file);
      removeOldest(dirname(file));
    },
    discard(): void {
      close();
      rmSync(part, { force: true });
    },
  };
}

/** Where the values of a column are kept. */
interface ColumnTarget {
  readonly file: string;
  readonly header: ColumnHeader;
  /** Whether its values can be read again: where the disk refuses a spare file, none is written. */
  readonly isSpare: boolean;
}

/** Writes the values that `read` appends; to no file where the target is null. Resolves with what `read` returns. */
export async function writeColumn<Result>(
  target: ColumnTarget | null,
  read: (append: (place: number, value: ColumnValue) => void) => Promise<Result>,
): Promise<Result> {
  let writer: ReturnType<typeof openColumnFile> | null = null;
  function giveUp(error: unknown): void {
    writer?.discard();
    writer = null;
    if (!target?.isSpare) throw error;
  }
  try {
    writer = target && openColumnFile(target.file, target.header);
  } catch (error) {
    giveUp(error);
  }
  try {
    const result = await read((place, value) => {
      try {
        writer?.append(place, value);
      } catch (error) {
        giveUp(error);
      }
    });
    await writer?.finish().catch(giveUp);
    return result;
  } finally {
    writer?.discard();
  }
}

export const columnExtension = ".column";

/** Where a column of a batch is kept, beside its index. */
export function columnFileOf(indexPath: string, path: string): string {
  const name = createHash("sha256").update(path).digest("hex").slice(0, 16);
  return `${indexPath}.${name}${columnExtension}`;
}

/** Removes the column files that were not read for the longest time, as far as there are too many. */
function removeOldest(folder: string): void {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(columnExtension))
    .map((name) => ({ path: join(folder, name), ...statsOf(join(folder, name)) }))
    .sort((a, b) => b.usedAt - a.usedAt);
  let bytes = 0;
  files.forEach(({ path, size }, at) => {
    bytes += size;
    // The newest one is about to be read.
    if (at > 0 && (at >= mostFiles || bytes > mostBytes)) rmSync(path, { force: true });
  });
}

function statsOf(path: string) {
  const { size, mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { size: 0, mtimeMs: 0 };
  return { size, usedAt: mtimeMs };
}
