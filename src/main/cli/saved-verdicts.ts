import { createHash } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { sortKeys } from "#main/answers";
import {
  type ByteRange,
  createAppender,
  DataDirError,
  type HeldFolder,
  isErrno,
  lockDataDir,
  parseJson,
  readRanges,
  scanLines,
  sealLine,
  unsealLine,
} from "#main/storage";
import { CliError, describeFileError, exitCodes } from "./cli-error.ts";
import { type CommandProcess, printError } from "./command-process.ts";
import type { ModelCall } from "./judge-spend.ts";

/** The name of the file in its folder. */
const verdictsFile = "verdicts.jsonl";

const callSchema = z.object({
  model: z.string(),
  promptTokens: z.int().min(0).nullable(),
  cachedTokens: z.int().min(0),
  completionTokens: z.int().min(0).nullable(),
  bill: z
    .object({
      cacheWriteTokens: z.int().min(0),
      cacheWrite1hTokens: z.int().min(0),
      cost: z.number().min(0).nullable(),
      tier: z.string().nullable(),
    })
    .optional(),
});
/** A verdict, which is checked when it is used, or what a call used, whatever came of it. */
const lineSchema = z.union([z.object({ key: z.string() }), z.object({ call: callSchema })]);
const verdictSchema = z.object({ verdict: z.unknown() });

/** The verdict on one answer. Where `isFinal` is false, the next run asks the judge again. */
export interface Judged<T> {
  readonly verdict: T;
  readonly isFinal: boolean;
}

/** Verdicts of a model on the command line, saved as they come: the same command asks none of them again. */
export interface SavedVerdicts {
  /** False where nothing is saved. */
  readonly isOpen: boolean;
  /** Verdicts that are saved. */
  readonly size: number;
  /** Of those, the ones that an earlier run had saved and this one has used. */
  readonly reused: number;
  /** The saved verdict on these texts; without one it is asked for, and saved. */
  judge<T>(texts: readonly unknown[], schema: z.ZodType<T>, ask: () => Promise<Judged<T>>): Promise<T>;
  /** Saves what a call used. */
  noteCall(call: ModelCall): Promise<void>;
  close(): Promise<void>;
}

interface SavingOptions {
  /** A folder of their own; null to save nothing. */
  readonly folder: string | null;
  /** Whether what was saved is removed first. */
  readonly isFresh: boolean;
  /** Called with the calls of earlier runs. */
  readonly onCall: (call: ModelCall) => void;
}

/** The name of the folder for what is judged in this way. */
export function identifyVerdicts(judging: unknown): string {
  return hash(judging).slice(0, 32);
}

/**
 * Opens the verdicts of a folder, which no other command uses meanwhile. A folder that can't be written is reported, and nothing is saved.
 * @throws CliError where another command judges the same
 */
export async function openSavedVerdicts(
  { folder, isFresh, onCall }: SavingOptions,
  io: CommandProcess,
): Promise<SavedVerdicts> {
  if (folder === null) return withoutSaving();
  const lock = await lockFolder(folder, io);
  if (lock === null) return withoutSaving();
  const path = join(folder, verdictsFile);
  try {
    if (isFresh) await rm(path, { force: true });
    const { places, end } = await readSaved(path, onCall);
    return createSaved(path, { places, end, lock }, io);
  } catch (error) {
    lock.release();
    throw describeFileError(error, path);
  }
}

async function lockFolder(folder: string, io: CommandProcess): Promise<HeldFolder | null> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return await lockDataDir(folder, { machine: io.machine });
  } catch (error) {
    if (error instanceof DataDirError) {
      const what = error.code === "data_dir_in_use" ? "Another command judges these answers right now. " : "";
      throw new CliError(`${what}${error.message}`, exitCodes.failed);
    }
    reportUnsaved(describeFileError(error, folder).message, io);
    return null;
  }
}

function reportUnsaved(reason: string, io: CommandProcess): void {
  printError(`The verdicts can't be saved: ${reason} If this command is stopped, they have to be asked for again.`, io);
}

function withoutSaving(): SavedVerdicts {
  return {
    isOpen: false,
    size: 0,
    reused: 0,
    judge: async (_texts, _schema, ask) => (await ask()).verdict,
    noteCall: async () => {},
    close: async () => {},
  };
}

/** Where each verdict is, and where the whole lines end. Lines that are damaged are passed over: their answers are asked again. */
async function readSaved(path: string, onCall: (call: ModelCall) => void) {
  const places = new Map<string, ByteRange>();
  let end = 0;
  try {
    await scanLines(path, ({ terminated, bytes, start, end: next }) => {
      if (!terminated || bytes === null) return;
      end = next;
      const json = unsealLine(bytes);
      const line = lineSchema.safeParse(json && parseJson(json.toString())).data;
      if (line === undefined) return;
      if ("call" in line) onCall(line.call);
      else places.set(line.key, { start, end: start + bytes.length });
    });
  } catch (error) {
    if (!isErrno(error, "ENOENT")) throw error;
  }
  return { places, end };
}

interface Saved {
  readonly places: Map<string, ByteRange>;
  readonly end: number;
  readonly lock: HeldFolder;
}

function createSaved(path: string, { places, end, lock }: Saved, io: CommandProcess): SavedVerdicts {
  const appender = createAppender(path, end);
  let reused = 0;
  let isRefused = false;

  async function find<T>(key: string, schema: z.ZodType<T>): Promise<T | undefined> {
    const place = places.get(key);
    if (place === undefined) return undefined;
    const [bytes] = await readRanges(path, [place]);
    const json = bytes && unsealLine(bytes);
    const line = verdictSchema.safeParse(json && parseJson(json.toString())).data;
    return schema.safeParse(line?.verdict).data;
  }

  /** What a disk refuses costs no verdict: it is still written to the output. */
  async function append(line: object): Promise<ByteRange | null> {
    try {
      lock.assertHeld();
      const bytes = sealLine(line);
      const start = await appender.append(bytes);
      return { start, end: start + bytes.length - 1 };
    } catch (error) {
      if (!isRefused) reportUnsaved(describeFileError(error, path).message, io);
      isRefused = true;
      return null;
    }
  }

  return {
    isOpen: true,
    get size() {
      return places.size;
    },
    get reused() {
      return reused;
    },
    async judge(texts, schema, ask) {
      const key = hash(texts);
      const found = await find(key, schema);
      if (found !== undefined) {
        reused += 1;
        return found;
      }
      const { verdict, isFinal } = await ask();
      const place = isFinal ? await append({ key, verdict }) : null;
      if (place !== null) places.set(key, place);
      return verdict;
    },
    async noteCall(call) {
      await append({ call });
    },
    async close() {
      try {
        if (appender.size > end) await appender.sync();
        await appender.close();
      } finally {
        lock.release();
      }
    },
  };
}

function hash(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value, sortKeys)).digest("hex");
}
