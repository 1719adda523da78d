import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { monthOf } from "#contract";
import { createQueue, type Machine } from "#main/base";
import { type Appender, createAppender } from "./io/appender.ts";
import type { Durability } from "./io/durability.ts";
import { isErrno } from "./io/error.ts";
import { listFiles } from "./io/folders.ts";
import { parseJson } from "./io/json.ts";
import { scanLines } from "./io/scan-lines.ts";
import { sealLine, unsealLine } from "./io/sealed-line.ts";

/** The folder of what models that judge were asked, in a data folder, and the form of its files' names. */
export const judgeCallFolder = "judge-calls";
export const judgeCallFile = /^\d{4}-\d\d-[0-9a-f]{8}\.jsonl$/;

const count = z.int().min(0);
const judgeCallSchema = z
  .object({
    /** When it was answered, in Unix milliseconds. */
    at: z.number(),
    connection: z.string(),
    connectionName: z.string(),
    model: z.string(),
    /** Null where the service did not count them. */
    promptTokens: count.nullable(),
    cachedTokens: count,
    cacheWriteTokens: count,
    /** Of these, the ones that are kept for an hour. */
    cacheWrite1hTokens: count.default(0),
    completionTokens: count.nullable(),
    /** The service tier, where it has other prices than the usual one. */
    tier: z.string().nullable().default(null),
    /** In US dollars; null where no price is known. */
    cost: z.number().min(0).nullable(),
    /** The record of the prices that it was counted with; null where there was none. */
    prices: z.string().nullable(),
  })
  .readonly();
/** A call of a model that judges or grades answers. */
export type JudgeCall = z.infer<typeof judgeCallSchema>;

const judgeFillSchema = z
  .object({
    kind: z.literal("fill"),
    /** When the price was found, in Unix milliseconds: it is that of calls before. */
    at: z.number(),
    day: z.iso.date(),
    connection: z.string(),
    model: z.string(),
    /** The record of the prices. */
    prices: z.string(),
  })
  .readonly();
/** The first price that was found for the calls of a day, a connection and a model that had none. */
export type JudgeFill = z.infer<typeof judgeFillSchema>;

/** Stores calls as they are answered. */
export interface JudgeCallWriter {
  /** How many calls the disk refused, and are kept for another attempt. */
  readonly unwritten: number;
  /** Rejects where the disk refuses: the call is kept, and all of them are written again after a while. */
  append(record: JudgeCall | JudgeFill): Promise<void>;
  /** Tries what is unwritten once more; rejects where the disk refuses that, too. */
  close(): Promise<void>;
}

/** How long a disk that refused is left alone, in milliseconds. */
const retryInterval = 5_000;

/**
 * Writes calls into a data folder, a file for each month and process: a command and the app write at the same time, and neither joins its line
 * to half a line of another.
 */
export function createJudgeCallWriter(
  dir: string,
  durability: Durability,
  machine: Pick<Machine, "after">,
): JudgeCallWriter {
  const files = new Map<string, Appender>();
  const inTurn = createQueue();
  let unwritten: { readonly month: string; readonly line: Buffer }[] = [];
  /** Set while the disk is left alone. */
  let refused: { readonly error: unknown; readonly cancel: () => void } | null = null;

  function fileOf(month: string): Appender {
    const path = join(dir, judgeCallFolder, `${month}-${randomBytes(4).toString("hex")}.jsonl`);
    const file = files.get(month) ?? createAppender(path, 0, durability);
    files.set(month, file);
    return file;
  }

  async function write(): Promise<void> {
    for (const [month, some] of Map.groupBy(unwritten, (one) => one.month)) {
      await fileOf(month).append(Buffer.concat(some.map(({ line }) => line)));
      const written = new Set(some);
      unwritten = unwritten.filter((one) => !written.has(one));
    }
  }

  async function tryWriting(): Promise<void> {
    if (refused !== null) throw refused.error;
    try {
      await write();
    } catch (error) {
      refused = { error, cancel: machine.after(retryInterval, tryAgain, { unref: true }) };
      throw error;
    }
  }

  function tryAgain(): void {
    refused = null;
    // A failure sets the next attempt.
    inTurn(tryWriting).catch(() => {});
  }

  return {
    get unwritten() {
      return unwritten.length;
    },
    async append(record) {
      const month = "day" in record ? record.day.slice(0, 7) : monthOf(record.at);
      unwritten.push({ month, line: sealLine(record) });
      await inTurn(tryWriting);
    },
    close: () =>
      inTurn(async () => {
        refused?.cancel();
        try {
          await write();
        } finally {
          for (const file of files.values()) await file.close();
        }
      }),
  };
}

/** How far a file was read. */
interface ReadSoFar {
  /** Where its whole lines end. */
  readonly end: number;
  /** Of its last call; null before one. */
  readonly day: string | null;
}
/** By the name of the file. */
export type ReadJudgeFiles = Map<string, ReadSoFar>;

/** What is done with the lines of a month. */
export interface JudgeCallReading {
  readonly onCall: (call: JudgeCall) => void;
  readonly onFill: (fill: JudgeFill) => void;
  /** A line that is not as it was written, with the day of the call before it. */
  readonly onDamaged: (day: string) => void;
  /** The same for half a line at the end of a file: it may be whole the next time. */
  readonly onTorn: (day: string) => void;
}

/** Reads what was noted in a month and was not read before. */
export async function readJudgeCalls(
  dir: string,
  month: string,
  read: ReadJudgeFiles,
  { onCall, onFill, onDamaged, onTorn }: JudgeCallReading,
): Promise<void> {
  for (const name of listFiles(join(dir, judgeCallFolder), judgeCallFile)) {
    if (!name.startsWith(`${month}-`)) continue;
    const { end: from, day: lastDay } = read.get(name) ?? { end: 0, day: null };
    let day = lastDay;
    const onLine = (bytes: Buffer | null) => {
      const json = bytes && unsealLine(bytes);
      const value = json && parseJson(json.toString());
      const call = judgeCallSchema.safeParse(value).data;
      const fill = judgeFillSchema.safeParse(value).data;
      if (call !== undefined && monthOf(call.at) === month) {
        day = new Date(call.at).toISOString().slice(0, 10);
        onCall(call);
      } else if (fill !== undefined) onFill(fill);
      // One of another kind is a newer version's.
      else if (!kindSchema.safeParse(value).success) onDamaged(day ?? `${month}-01`);
    };
    try {
      await scanLines(
        join(dir, judgeCallFolder, name),
        ({ terminated, bytes, end }) => {
          if (!terminated) return onTorn(day ?? `${month}-01`);
          onLine(bytes);
          read.set(name, { end, day });
        },
        { from },
      );
    } catch (error) {
      if (!isErrno(error, "ENOENT")) throw error;
    }
  }
}

const kindSchema = z.object({ kind: z.string() });

/** Lists the months that have calls. */
export function listJudgeMonths(dir: string): string[] {
  return [...new Set(listFiles(join(dir, judgeCallFolder), judgeCallFile).map((name) => name.slice(0, 7)))];
}
