import { readFile, stat } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { z } from "zod";
import { awaitedCode } from "#contract";
import {
  type AnswerFile,
  findUnsound,
  isErrno,
  type LedgerAnswer,
  type LedgerReading,
  parseJson,
  readLedger,
  type ScannedLine,
  scanLines,
} from "#main/storage";
import type { BatchPaths } from "./batch-paths.ts";
import { customIdOf, findCustomId, idOfLine, lineOfDamaged, toFacts } from "./join-line.ts";
import { createLineIndex, isInOutput, type LineIndex, reusedTime } from "./line-index.ts";
import { eachSoundRequest } from "./read-lines.ts";
import { type Report, type RequestLines, readRequestLines, scanRequests } from "./request-lines.ts";

/** The index of a batch as its files have it. */
export interface OpenedIndex {
  readonly index: LineIndex;
  /** The ledger that it was made from. */
  readonly ledger: Pick<LedgerReading, "size" | "names" | "format">;
  /** Whether the input file was read, because it is not written down where its requests are. */
  readonly isScanned: boolean;
  /** Where lines end in each file that another entry has taken the place of, such as an error that was followed by its answer. */
  readonly supersededEnds: Readonly<Record<AnswerFile, number>>;
  /** Answers that are in the files of the batch and in the index, and not in the ledger yet. */
  readonly missing: readonly LedgerAnswer[];
}

/**
 * Opens the index of a batch by its ledger; `isResumed`: more of its lines will be answered. What no mark says was on the disk is compared with the
 * answers then, and nothing counts from the first one on that is not as it was written. Answers that the ledger does not have, because the batch
 * is from before there were ledgers, or its ledger is damaged, are taken from its files.
 */
export async function openIndex(paths: BatchPaths, isResumed: boolean, report?: Report): Promise<OpenedIndex> {
  const known = await readRequestLines(paths.index, paths.total);
  const requests = known ?? (await scanRequests(paths.input, { least: paths.total, report }));
  const whole = await readEntries(paths, requests);
  // Each look at them asks the disk whether they are there.
  const files = { output: paths.output, error: paths.error };
  const cut = isResumed ? await findUnsound(paths.ledger, whole.ledger, files) : null;
  const { index, ledger, unnamed, superseded } = cut === null ? whole : await readEntries(paths, requests, cut);
  const missing: LedgerAnswer[] = [];
  let findLine: FindLine | null = null;
  let times: Float32Array | null = null;
  for (const file of ["output", "error"] as const) {
    const path = files[file];
    const own = measure(index, file);
    const end = Math.max(own.end, superseded[file].end);
    const covered = own.covered + superseded[file].bytes;
    const size = path === null ? 0 : ((await sizeOf(path)) ?? 0);
    const to = cut === null ? size : Math.min(size, end);
    if (path === null || (covered >= to && unnamed.size === 0)) continue;
    findLine ??= await readIds(paths.input, index);
    times ??= await readTimings(paths.timings, index.total);
    const from = covered === end && unnamed.size === 0 ? end : 0;
    const found = await readAnswersOf(path, file, {
      range: { from, to },
      index,
      unnamed,
      findLine,
      times,
      // Behind the last sound entry of a batch that is resumed are lines that were being written, also where the power took all entries.
      tail: isResumed && ledger.isThere ? end : Number.POSITIVE_INFINITY,
    });
    for (const answer of found) {
      index.record(answer.line, answer, answer.facts);
      missing.push(answer);
    }
  }
  const supersededEnds = { output: superseded.output.end, error: superseded.error.end };
  return { index, ledger, isScanned: known === null, supersededEnds, missing };
}

async function readEntries({ ledger: place }: BatchPaths, requests: RequestLines, to?: number) {
  const index = createLineIndex(requests.starts, requests.checksums);
  /** Lines of which a name is lost. */
  const unnamed = new Set<number>();
  const superseded = { output: { end: 0, bytes: 0 }, error: { end: 0, bytes: 0 } };
  const ledger = await readLedger(
    place,
    ({ answer, isNamed }) => {
      if (answer.line < 1 || answer.line > index.total) return;
      const before = index.answer(answer.line);
      if (before !== null && (before.file !== answer.file || before.start !== answer.start)) {
        const place = superseded[before.file];
        place.end = Math.max(place.end, before.start + before.length + 1);
        place.bytes += before.length + 1;
      }
      index.record(answer.line, answer, answer.facts);
      if (isNamed) unnamed.delete(answer.line);
      else unnamed.add(answer.line);
    },
    to === undefined ? {} : { to },
  );
  return { index, ledger, unnamed, superseded };
}

/** Where the last line of a file ends that the index knows, and how many bytes its lines have together. */
export function measure({ total, columns: { states, starts, lengths } }: LineIndex, file: AnswerFile) {
  let end = 0;
  let covered = 0;
  for (let at = 0; at < total; at++) {
    const state = states[at] ?? 0;
    if (state === 0 || isInOutput(state) !== (file === "output")) continue;
    const bytes = (lengths[at] ?? 0) + 1;
    covered += bytes;
    end = Math.max(end, (starts[at] ?? 0) + bytes);
  }
  return { end, covered };
}

interface Reading {
  readonly range: { readonly from: number; readonly to: number };
  readonly index: LineIndex;
  readonly unnamed: ReadonlySet<number>;
  readonly findLine: FindLine;
  readonly times: Float32Array;
  /** From here on the first line that can't be read ends the file. */
  readonly tail: number;
}

const answerSchema = z.object({
  custom_id: z.string().nullable(),
  response: z.object({ status_code: z.int() }).nullable(),
});

/** The answers in a file that the index does not have, or of which it lacks a name. */
async function readAnswersOf(path: string, file: AnswerFile, reading: Reading): Promise<LedgerAnswer[]> {
  const { range, index, unnamed, findLine, times, tail } = reading;
  const found = new Map<number, LedgerAnswer>();
  let isOver = false;

  /** A request that is damaged on disk has the answer that is no other's, whose id counts; of several such, whichever comes first. */
  function takeDamaged(): number | undefined {
    return findLine.damaged.find((line) => !found.has(line) && index.answer(line) === null);
  }

  function add(line: number | undefined, answer: Omit<LedgerAnswer, "line" | "milliseconds" | "reused">): boolean {
    if (line === undefined || line < 1 || line > index.total) return false;
    const earlier = found.get(line);
    // Of two the first is its outcome, unless that was still awaited.
    if (earlier !== undefined && earlier.facts.errorCode !== awaitedCode) return false;
    const known = index.answer(line);
    if (known !== null) {
      // Its entry is sound but for a name: it stays, with what it is checked by.
      if (!unnamed.has(line) || known.checksum !== answer.checksum) return true;
      found.set(line, { ...answer, ...known, line });
      return true;
    }
    const time = times[line - 1] ?? Number.NaN;
    const milliseconds = answer.skipped || !(time >= 0) ? null : time;
    found.set(line, { ...answer, line, milliseconds, reused: time === reusedTime });
    return true;
  }

  const onLine = ({ bytes, start, end, terminated }: ScannedLine) => {
    if (bytes === null || !terminated || isOver || end > range.to) return;
    const text = bytes.toString();
    const checksum = crc32("\n", crc32(bytes));
    const place = { file, start, length: bytes.length, checksum };
    const value = parseJson(text);
    const answer = answerSchema.safeParse(value).data;
    if (answer === undefined) {
      if (start >= tail) isOver = true;
      // It was answered: asking again may cost, and is its user's decision.
      else add(findLine(findCustomId(text) ?? ""), { ...place, ...damagedAnswer });
      return;
    }
    const { custom_id: customId, response } = answer;
    const status = response?.status_code ?? null;
    const isThere = add(customId === null ? lineOfDamaged(value) : (findLine(customId) ?? takeDamaged()), {
      ...place,
      skipped: response === null,
      damaged: false,
      status,
      facts: toFacts(value),
    });
    if (!isThere && start >= tail) isOver = true;
  };
  await scanLines(path, onLine, { from: range.from });
  return [...found.values()];
}

const damagedAnswer = {
  skipped: false,
  damaged: true,
  status: null,
  facts: {
    model: null,
    finishReason: null,
    end: null,
    errorCode: null,
    promptTokens: null,
    cachedTokens: 0,
    completionTokens: null,
    reasoningTokens: 0,
  },
} as const;

/** Finds each request from its answer, but those that are damaged on disk. */
async function readIds(path: string, index: LineIndex): Promise<FindLine> {
  const lines = new Map<string, number>();
  const onText = (text: string, line: number) => lines.set(customIdOf(text) ?? idOfLine(line), line);
  const damaged = await eachSoundRequest(path, index, onText);
  return Object.assign((customId: string) => lines.get(customId), { damaged });
}

interface FindLine {
  (customId: string): number | undefined;
  /** The requests that are damaged on disk. */
  readonly damaged: readonly number[];
}

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isErrno(error, "ENOENT")) return null;
    throw error;
  }
}

/** A line as a number of 32 bits and its time as a float of 32 bits, both with the lowest byte first. */
const timingBytes = 8;

/** How long the lines of a batch took that is from before there were ledgers, in milliseconds or `reusedTime`; NaN where not known. */
async function readTimings(path: string, total: number): Promise<Float32Array> {
  const times = new Float32Array(total).fill(Number.NaN);
  // Whatever is wrong with the file, the results can be read without it.
  const bytes = await readFile(path).catch(() => Buffer.alloc(0));
  for (let at = 0; at + timingBytes <= bytes.length; at += timingBytes) {
    const line = bytes.readUInt32LE(at);
    const milliseconds = bytes.readFloatLE(at + 4);
    if (line >= 1 && line <= total && (milliseconds >= 0 || milliseconds === reusedTime))
      times[line - 1] = milliseconds;
  }
  return times;
}
