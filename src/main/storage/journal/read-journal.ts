import { closeSync, openSync, readSync } from "node:fs";
import { z } from "zod";
import { isErrno } from "../io/error.ts";
import { parseJson } from "../io/json.ts";
import { longestStreamed, type ScannedLine, scanLines, scanLinesSync } from "../io/scan-lines.ts";
import { findSealed, isSealed } from "../io/sealed-line.ts";
import { DataDirError } from "./data-dir-error.ts";
import { type Change, changeSchema } from "./records.ts";

/** Of the journals that this version writes. Those of format 1 had no checksums and no numbers. */
export const journalFormat = 2;

/** The first line of a journal. */
const headerSchema = z.object({ kind: z.literal("journal"), format: z.int(), folder: z.string() });
/** All lines up to a number are on the disk. */
const markSchema = z.object({ kind: z.literal("mark"), synced: z.int() });
const contentSchema = z.discriminatedUnion("kind", [headerSchema, markSchema, ...changeSchema.options]);
const numberSchema = z.object({ seq: z.int() });
export type JournalHeader = z.infer<typeof headerSchema>;
export type JournalMark = z.infer<typeof markSchema>;
export type JournalLine = z.infer<typeof contentSchema> & z.infer<typeof numberSchema>;

/** A change that was read from a journal, with its number. */
export interface ReadChange {
  readonly change: Change;
  /** Higher than that of each change before it. */
  readonly seq: number;
  /** Of its line. */
  readonly bytes: number;
}

/** A place in a journal that is not as it was written. */
export interface JournalDamage {
  /** From 1. */
  readonly line: number;
  /** Of the last sound line before it. */
  readonly afterSeq: number;
  /** How many lines it took; none where they stand elsewhere, out of order. */
  missing: number;
  /** The ids of records that its bytes still name. */
  readonly ids: readonly string[];
  /** What is there in their place; nothing where lines are gone. */
  readonly bytes: Buffer;
}

/** A journal as it was found. */
export interface JournalReading {
  /** Null where there is no journal, or nothing in it can be read. */
  readonly format: 1 | 2 | null;
  /** The id of the folder; null where the first line is damaged, and in format 1. */
  readonly folder: string | null;
  readonly lastSeq: number;
  /** All lines up to it were on the disk; 0 where no line tells. */
  readonly synced: number;
  /** Bytes that count. What follows them was being written when the process or the computer ended. */
  readonly end: number;
  /** Whether the last line that counts has its line feed. */
  readonly isTerminated: boolean;
  readonly torn: Buffer;
  readonly damages: readonly JournalDamage[];
}

/**
 * Reads the changes of a journal, in their order. Those of lines that aren't as they were written are left out and named. Throws a
 * DataDirError for a journal of a newer version, and for an old one with a line that can't be read.
 */
export function readJournal(path: string, onChange: (change: ReadChange) => void): JournalReading {
  const reader = createReader(path, onChange);
  try {
    scanLinesSync(path, reader.takeLine);
  } catch (error) {
    if (!isErrno(error, "ENOENT")) throw error;
  }
  return reader.finish();
}

/** The same, with the thread free between two chunks. `onProgress` is called with the bytes read so far, and all bytes. */
export async function readJournalInTurns(
  path: string,
  onChange: (change: ReadChange) => void,
  onProgress: (done: number, total: number) => void,
): Promise<JournalReading> {
  const reader = createReader(path, onChange);
  try {
    await scanLines(path, reader.takeLine, { maxLineBytes: longestStreamed, onChunk: onProgress });
  } catch (error) {
    if (!isErrno(error, "ENOENT")) throw error;
  }
  return reader.finish();
}

function createReader(path: string, onChange: (change: ReadChange) => void) {
  const damages: (JournalDamage & { readonly upTo: number })[] = [];
  let format: JournalReading["format"] = null;
  let folder: string | null = null;
  let lastSeq: number | null = null;
  let synced = 0;
  let end = 0;
  let isTerminated = true;
  let lineNumber = 0;
  /** Lines that can't be read since the last one that could. */
  let bad: { readonly line: number; readonly bytes: Buffer }[] = [];

  function take(line: JournalLine, bytes: number): void {
    const before = lastSeq;
    if (before === null || line.seq > before) lastSeq = line.seq;
    else for (const gap of damages) if (line.seq > gap.afterSeq && line.seq <= gap.upTo) gap.missing -= 1;
    const missing = countMissing(line, before);
    if (missing > 0 || bad.length > 0) {
      const found = Buffer.concat(bad.map((one) => one.bytes));
      const at = bad[0]?.line ?? lineNumber;
      const afterSeq = before ?? 0;
      damages.push({ line: at, afterSeq, upTo: line.seq - 1, missing, ids: findIds(found), bytes: found });
      bad = [];
    }
    if (line.kind === "journal") {
      if (line.format > journalFormat) throw tooNew(path);
      folder = line.folder;
    } else if (line.kind === "mark") {
      synced = Math.max(synced, line.synced);
    } else {
      onChange({ change: line, seq: line.seq, bytes });
    }
  }

  /** The first line of a journal is no change: where it alone is lost, no record is. */
  function countMissing({ seq, kind }: JournalLine, before: number | null): number {
    if (before !== null) return Math.max(0, seq - before - 1);
    return kind === "journal" ? 0 : Math.max(0, bad.length - 1);
  }

  function takeLine({ bytes, end: lineEnd, terminated }: ScannedLine): void {
    lineNumber += 1;
    const sealed = bytes === null ? null : parseSealed(bytes);
    if (bytes !== null && sealed !== null) {
      format ??= 2;
      take(sealed, bytes.length + 1);
    } else {
      const old = format === 2 || bytes === null ? null : parseOld(bytes);
      if (old !== null && bad.length === 0) {
        format = 1;
        lastSeq = (lastSeq ?? 0) + 1;
        onChange({ change: old, seq: lastSeq, bytes: bytes?.length ?? 0 });
      } else {
        bad.push({ line: lineNumber, bytes: bytes ?? Buffer.alloc(0) });
        const parts = bytes === null ? [] : findSealed(bytes);
        for (const { line } of parts) {
          const found = parseSealed(line);
          if (found !== null) take(found, line.length + 1);
        }
        if (parts.length === 0) return;
        format = 2;
      }
    }
    end = lineEnd;
    isTerminated = terminated;
  }

  function finish(): JournalReading {
    const [first] = bad;
    if (format === 1 && first !== undefined && first.line < lineNumber) throw unreadable(path, first.line);
    const torn = Buffer.concat(bad.map(({ bytes }) => bytes));
    return { format, folder, lastSeq: lastSeq ?? 0, synced, end, isTerminated, torn, damages };
  }

  return { takeLine, finish };
}

/** The longest first line: it has no more than a format and an id. */
const longestHeader = 1_000;

/** Throws a DataDirError where the journal is of a newer version: nothing else in its folder may be changed then, either. */
export function refuseNewer(path: string): void {
  const bytes = Buffer.alloc(longestHeader);
  try {
    const file = openSync(path, "r");
    try {
      readSync(file, bytes, 0, bytes.length, 0);
    } finally {
      closeSync(file);
    }
  } catch {
    // There is none, or it can't be read: that is reported where the folder is opened.
    return;
  }
  const line = parseSealed(bytes.subarray(0, Math.max(0, bytes.indexOf("\n"))));
  if (line?.kind === "journal" && line.format > journalFormat) throw tooNew(path);
}

function parseSealed(bytes: Buffer): JournalLine | null {
  if (!isSealed(bytes)) return null;
  const line = parseJson(bytes.toString());
  // Not as an intersection, for which zod takes a fifth of a start with many records.
  const { data: content } = contentSchema.safeParse(line);
  const { data: number } = numberSchema.safeParse(line);
  return content && number ? { ...content, ...number } : null;
}

function parseOld(bytes: Buffer): Change | null {
  const change = changeSchema.safeParse(parseJson(bytes.toString()));
  return change.success ? change.data : null;
}

/** The records that damaged bytes are about, as far as their ids can still be read. */
function findIds(bytes: Buffer): string[] {
  const found = bytes.toString("latin1").matchAll(/"kind":"[a-z_]*","(?:record":\{"id|id)":"([\w-]+)"/g);
  return [...new Set(Array.from(found, ([, id = ""]) => id))];
}

function tooNew(path: string): DataDirError {
  return new DataDirError(
    "data_dir_newer",
    `${path} was written by a newer version of Sheaf. Start that one, or start with another data folder. Nothing was changed.`,
  );
}

function unreadable(path: string, line: number): DataDirError {
  return new DataDirError(
    "data_dir_unreadable",
    `Line ${line} of ${path} can't be read. Restore the file from a copy, or start with another data folder.`,
  );
}
