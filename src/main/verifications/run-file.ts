import { rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { z } from "zod";
import { formatCount } from "#contract";
import type { BatchRecord } from "#main/storage";
import {
  type Appender,
  createAppender,
  type Durability,
  isErrno,
  type Notices,
  openFiles,
  parseJson,
  readFully,
  scanLines,
  sealJson,
  sealLine,
  unsealLine,
} from "#main/storage";
import { createOutcomeIndex, type OutcomeIndex, type OutcomeKeys } from "./outcome-index.ts";

/** The result of one line of a batch. */
export interface Outcome<Mark extends string> {
  readonly mark: Mark;
  /** What the whole run counts: a key and how often this line has it. */
  readonly tally: Readonly<Record<string, number>>;
  /** The whole result as JSON. */
  readonly result: string;
}

export interface LineOutcome<Mark extends string> extends Outcome<Mark> {
  readonly line: number;
}

/** Counts a line of an earlier version as today, by the JSON of its result. */
export type Recount<Mark extends string> = (
  outcome: Pick<Outcome<Mark>, "mark" | "tally">,
  result: Buffer,
) => Pick<Outcome<Mark>, "mark" | "tally">;

/** What is in the files of one kind of run. */
export interface RunFormat<Header, Mark extends string, Result> {
  readonly folder: string;
  readonly durability: Durability;
  /** Gets a notice of each file that is damaged. */
  readonly notices: Pick<Notices, "add">;
  readonly headerSchema: z.ZodType<Header>;
  readonly marks: readonly Mark[];
  /** Keys of tallies that are known of each line. */
  readonly keys?: OutcomeKeys;
  readonly resultSchema: z.ZodType<Result>;
  /** What an earlier version called a line, by the line's other members; null for a line that it did not write. */
  readEarlier?(head: unknown): string | null;
  /** How lines of an earlier version's file are counted today. Null keeps their counts, without reading results. */
  recountFor?(header: Header): Recount<Mark> | null;
}

/** The outcomes of a run over one batch, in a file: a header, then a line of JSON for each, with checksums. */
export interface RunFile<Header, Mark extends string, Result> {
  readonly header: Header;
  readonly index: OutcomeIndex<Mark>;
  /** How many lines an earlier version called what: its words are not today's marks. */
  readonly earlier: ReadonlyMap<string, number>;
  /** A line that has an outcome is passed over. What could not be written counts as if it had not come. */
  append(outcomes: readonly LineOutcome<Mark>[]): Promise<void>;
  /** The results of these lines, in their order; null where there is none, or it is damaged. */
  results(lines: readonly number[]): Promise<(Result | null)[]>;
  /** Awaits what is being written, and closes the file. It opens again by itself. */
  close(): Promise<void>;
}

/** The runs of batches of one kind: a file each, read when it is first asked for. */
export interface RunFiles<Header, Mark extends string, Result> {
  /** Null when there has been no such run of the batch. */
  get(batch: BatchRecord): Promise<RunFile<Header, Mark, Result> | null>;
  /** Starts anew: the result of an earlier run is gone. */
  begin(batch: BatchRecord, header: Header): Promise<RunFile<Header, Mark, Result>>;
  /** Pins that of a batch in memory until the returned function is called: while it runs there must be only one. */
  pin(batchId: string): () => void;
  /** Removes that of a batch, from disk too. */
  remove(batchId: string): Promise<void>;
}

/** Batches whose outcomes stay in memory. */
const mostInMemory = 16;

export function createRunFiles<Header extends object, Mark extends string, Result>(
  format: RunFormat<Header, Mark, Result>,
): RunFiles<Header, Mark, Result> {
  type File = RunFile<Header, Mark, Result>;
  /** The longest unused first. */
  const opened = new Map<string, Promise<File | null>>();
  const pinned = new Set<string>();
  const pathOf = ({ id }: Pick<BatchRecord, "id">) => join(format.folder, `${id}.jsonl`);

  function cache<T extends File | null>(id: string, file: Promise<T>): Promise<T> {
    opened.delete(id);
    opened.set(id, file);
    file.catch(() => {
      if (opened.get(id) === file) opened.delete(id);
    });
    const oldest = opened.keys().find((other) => !pinned.has(other));
    if (opened.size > mostInMemory && oldest !== undefined) opened.delete(oldest);
    return file;
  }

  return {
    get: (batch) => cache(batch.id, opened.get(batch.id) ?? readRunFile(pathOf(batch), format, batch.counts.total)),
    begin: (batch, header) => cache(batch.id, createRunFile(pathOf(batch), format, header, batch.counts.total)),
    pin(batchId) {
      pinned.add(batchId);
      return () => pinned.delete(batchId);
    },
    async remove(batchId) {
      format.durability.assertHeld();
      opened.delete(batchId);
      await rm(pathOf({ id: batchId }), { force: true });
    },
  };
}

async function createRunFile<Header extends object, Mark extends string, Result>(
  path: string,
  format: RunFormat<Header, Mark, Result>,
  header: Header,
  lines: number,
): Promise<RunFile<Header, Mark, Result>> {
  // After a sync that failed the lines of an earlier run would be written again, into this file.
  await format.durability.synced();
  const appender = createAppender(path, 0, format.durability);
  await appender.append(sealLine({ ...header, batch: batchOf(path) }));
  const index = createOutcomeIndex(format.marks, lines, format.keys);
  return attach({ path, appender, format, header, index, earlier: new Map() });
}

const batchOf = (path: string) => basename(path, ".jsonl");

const ownedSchema = z.object({ batch: z.string() });

/** Whether the first line of a run's file is not that of another batch; versions before did not write whose it is. */
export function isHeaderOf(path: string, json: Buffer): boolean {
  const { batch = batchOf(path) } = ownedSchema.safeParse(parseJson(json.toString())).data ?? {};
  return batch === batchOf(path);
}

/**
 * Reads what is in a file; null when there is none, or its header is not of this form. A last line without its end was being
 * written when the process ended: the next writing cuts it off. Any other line that can't be read is passed over: its line of
 * the batch is done anew.
 */
async function readRunFile<Header, Mark extends string, Result>(
  path: string,
  format: RunFormat<Header, Mark, Result>,
  lines: number,
): Promise<RunFile<Header, Mark, Result> | null> {
  const index = createOutcomeIndex(format.marks, lines, format.keys);
  const headSchema = z.object({
    line: z.int().min(1),
    mark: z.enum(format.marks),
    tally: z.record(z.string(), z.int().min(1)),
  });
  const earlier = new Map<string, number>();
  let damaged = 0;
  let header: Header | null = null;
  let recount: Recount<Mark> | null = null;
  let end = 0;
  try {
    await scanLines(path, ({ terminated, bytes, start, end: next }) => {
      if (!terminated || bytes === null) return;
      const json = unsealLine(bytes);
      if (json === null) damaged += 1;
      if (end === 0 && json !== null && isHeaderOf(path, json)) {
        header = format.headerSchema.safeParse(parseJson(json.toString())).data ?? null;
        recount = header && (format.recountFor?.(header) ?? null);
      }
      end = next;
      const parts = json && splitOutcome(json);
      if (!parts) return;
      const value = parseJson(parts.head);
      const head = headSchema.safeParse(value).data;
      if (head !== undefined) {
        const { line } = head;
        const outcome = recount === null ? head : recount(head, parts.result);
        index.record({ ...outcome, line, start, length: bytes.length });
      }
      const word = head === undefined ? (format.readEarlier?.(value) ?? null) : null;
      if (word !== null) earlier.set(word, (earlier.get(word) ?? 0) + 1);
    });
  } catch (error) {
    if (isErrno(error, "ENOENT")) return null;
    throw error;
  }
  if (damaged > 0) {
    const lines = formatCount(damaged, "line");
    const next = header === null ? "Judge the batch again." : "Resume judges these lines again.";
    const message = `A file of verdicts or grades is damaged on disk: ${lines} can't be read. ${next}`;
    format.notices.add({ code: "record_damaged", count: damaged, message, details: path });
  }
  if (header === null) return null;
  return attach({ path, appender: createAppender(path, end, format.durability), format, header, index, earlier });
}

/**
 * The result comes last, after this: what the index needs of a line is found without parsing the rest of it, which may
 * be long. No string before it can contain it, since a quotation mark in a string is escaped.
 */
const beforeResult = ',"result":';
const closingBrace = 0x7d;

function formatOutcome<Mark extends string>({ line, mark, tally, result }: LineOutcome<Mark>): Buffer {
  return sealJson(`${JSON.stringify({ line, mark, tally }).slice(0, -1)}${beforeResult}${result}}`);
}

/** The JSON of what an outcome has beside its result, and that of the result; null for another line. */
function splitOutcome(json: Buffer): { readonly head: string; readonly result: Buffer } | null {
  const at = json.indexOf(beforeResult);
  if (at === -1 || json.at(-1) !== closingBrace) return null;
  return { head: `${json.toString("utf8", 0, at)}}`, result: json.subarray(at + beforeResult.length, -1) };
}

interface OpenFile<Header, Mark extends string, Result> {
  readonly path: string;
  readonly appender: Appender;
  readonly format: RunFormat<Header, Mark, Result>;
  readonly header: Header;
  readonly index: OutcomeIndex<Mark>;
  readonly earlier: ReadonlyMap<string, number>;
}

/** Undefined for a line that is not as it was written. */
function parseResult(line: Buffer): unknown {
  const json = unsealLine(line);
  const parts = json && splitOutcome(json);
  return parts ? parseJson(parts.result.toString()) : undefined;
}

function attach<Header, Mark extends string, Result>({
  path,
  appender,
  format,
  header,
  index,
  earlier,
}: OpenFile<Header, Mark, Result>): RunFile<Header, Mark, Result> {
  return {
    header,
    index,
    earlier,
    async append(outcomes) {
      const wanted = outcomes.filter(({ line }) => index.mark(line) === null);
      if (wanted.length === 0) return;
      const texts = wanted.map(formatOutcome);
      let start = await appender.append(Buffer.concat(texts));
      wanted.forEach((outcome, at) => {
        const bytes = texts[at]?.length ?? 0;
        index.record({ ...outcome, start, length: bytes - 1 });
        start += bytes;
      });
    },
    async results(lines) {
      const positions = lines.map((line) => index.position(line));
      if (positions.every((position) => position === null)) return positions.map(() => null);
      const file = await openFiles.open(path);
      try {
        const results: (Result | null)[] = [];
        for (const position of positions) {
          const bytes = position === null ? null : await readFully(file, position.start, position.length);
          const result = bytes && parseResult(bytes);
          results.push(format.resultSchema.safeParse(result).data ?? null);
        }
        return results;
      } finally {
        await file.close();
      }
    },
    close: () => appender.close(),
  };
}
