import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { type VerifyResult, verifyResultSchema } from "#contract";
import { readFully, scanLines, writeFully } from "../io/index.ts";
import type { Judgement } from "./judgement.ts";
import { createVerdictIndex, type VerdictIndex } from "./verdict-index.ts";
import { formatVerdictLine, readHeader, readVerdictLine, type VerdictsHeader } from "./verdict-line.ts";

/** A line of a batch with what its verification came to. */
export interface JudgedLine {
  readonly line: number;
  readonly judgement: Judgement;
}

/** The verdicts of one batch, in a file. */
export interface BatchVerdicts {
  readonly header: VerdictsHeader;
  readonly index: VerdictIndex;
  /** Puts verdicts down; a line that has one is passed over. What could not be written is as if it had not been judged. */
  append(lines: readonly JudgedLine[]): Promise<void>;
  /** The results of these lines, in their order; null where there is none. */
  results(lines: readonly number[]): Promise<(VerifyResult | null)[]>;
  /** Awaits what is being written, and lets go of the file. It opens again by itself. */
  rest(): Promise<void>;
}

/** Starts a file anew. `lines` is how many lines the batch has. */
export async function createBatchVerdicts(path: string, header: VerdictsHeader, lines: number): Promise<BatchVerdicts> {
  const bytes = Buffer.from(`${JSON.stringify(header)}\n`);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, "w", 0o600);
  try {
    await writeFully(file, bytes, 0);
  } finally {
    await file.close();
  }
  return attach(path, header, createVerdictIndex(lines), bytes.length);
}

/**
 * Reads what is in a file; null when there is none, or none of this form. A last line without its end was being written
 * when the process ended: it is cut off by the next writing. Any other line that can't be read is passed over: its line of
 * the batch is judged anew.
 */
export async function readBatchVerdicts(path: string, lines: number): Promise<BatchVerdicts | null> {
  const index = createVerdictIndex(lines);
  let header: VerdictsHeader | null = null;
  let end = 0;
  try {
    await scanLines(path, (line) => {
      if (!line.terminated || line.bytes === null) return;
      if (end === 0) header = readHeader(line.bytes);
      end = line.end;
      const read = readVerdictLine(line.bytes);
      if (read !== null) index.record({ ...read, start: line.start + read.start });
    });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
  return header === null ? null : attach(path, header, index, end);
}

function attach(path: string, header: VerdictsHeader, index: VerdictIndex, size: number): BatchVerdicts {
  let end = size;
  let file: FileHandle | null = null;
  let last: Promise<void> = Promise.resolve();

  /** One writing after the other. */
  function inTurn(task: () => Promise<void>): Promise<void> {
    const done = last.then(task);
    last = done.catch(() => undefined);
    return done;
  }

  async function write(lines: readonly JudgedLine[]): Promise<void> {
    const wanted = lines.filter(({ line }) => index.verdict(line) === null);
    const texts = wanted.map(({ line, judgement }) => Buffer.from(formatVerdictLine(line, judgement)));
    if (file === null) {
      file = await open(path, "r+");
      await file.truncate(end);
    }
    await writeFully(file, Buffer.concat(texts), end);
    wanted.forEach(({ line, judgement }, at) => {
      const length = texts[at]?.length ?? 0;
      const resultBytes = Buffer.byteLength(judgement.result);
      // Before the line end stands the brace that closes the line.
      const start = end + length - 2 - resultBytes;
      index.record({ line, ...judgement, start, length: resultBytes });
      end += length;
    });
  }

  return {
    header,
    index,
    append: (lines) => inTurn(() => write(lines)),
    async results(lines) {
      const places = lines.map((line) => index.place(line));
      if (places.every((place) => place === null)) return places.map(() => null);
      const reading = await open(path);
      try {
        const results: (VerifyResult | null)[] = [];
        for (const place of places) {
          results.push(place === null ? null : parseResult(await readFully(reading, place.start, place.length)));
        }
        return results;
      } finally {
        await reading.close();
      }
    },
    rest: () =>
      inTurn(async () => {
        const open = file;
        file = null;
        await open?.close();
      }),
  };
}

function parseResult(bytes: Buffer): VerifyResult {
  return verifyResultSchema.parse(JSON.parse(bytes.toString()));
}
