import { crc32 } from "node:zlib";
import { awaitedCode, maybePaidCodes } from "#contract";
import type { Answer, AnswerFacts, AnswerFile } from "#main/storage";
import { createFactColumns, type FactColumns } from "./fact-columns.ts";

/** In place of the time of a line whose answer was not asked for, but taken from another line. */
export const reusedTime = -1;

/**
 * Where each line of a batch is: its request in the input file, and its answer in the output or error file; and what is
 * filtered and counted by. Lines count from 1. It is the whole of what memory holds of a line: 53 bytes.
 */
export interface LineIndex {
  readonly total: number;
  /** The bytes of the request, with its line end. */
  request(line: number): { start: number; end: number };
  /** Whether these are the bytes of the request as they were when its file was checked; with its line end, or without. */
  isSoundRequest(line: number, bytes: Uint8Array): boolean;
  /** Whether something became of it, be it an answer, an error or damage. */
  isAnswered(line: number): boolean;
  /** Whether it has an answer in the output file, as far as is known as it was written. */
  hasAnswer(line: number): boolean;
  /** Whether its service counted it as done and has not handed out its result: it may be paid. */
  isAwaited(line: number): boolean;
  /** The same, and lines whose results can't be read or are gone. */
  mayBePaid(line: number): boolean;
  /** Whether every line is answered. */
  isWhole(): boolean;
  answer(line: number): Answer | null;
  record(line: number, answer: Answer, facts?: AnswerFacts): void;
  /** Notes that the bytes of a line's answer are not those that were written: `file_damaged` is its error from then on. */
  markDamaged(line: number): void;
  /** Calls the listener with each line that is marked from now on; it takes the place of an earlier one. */
  onDamaged(listener: (line: number, file: AnswerFile) => void): void;
  /** Answers that are known to be damaged, by their file. */
  countDamaged(): DamagedAnswers;
  /** How often something was recorded: another number, another content. */
  readonly version: number;
  /** How often one answer took the place of another: what was counted of them counts no more. */
  readonly replaced: number;
  readonly columns: LineColumns;
}

/** How many answers of a batch are damaged on disk, in its output and in its error file. */
export type DamagedAnswers = Readonly<Record<AnswerFile, number>>;

/** The columns of an index, one entry a line, from line 1 on. */
export interface LineColumns extends FactColumns {
  /** One entry more than there are lines: the end of the last. */
  readonly requestStarts: Float64Array;
  /** CRC-32 of each request without its line end. */
  readonly requestChecksums: Uint32Array;
  /** As in `lineStates`. */
  readonly states: Uint8Array;
  readonly starts: Float64Array;
  readonly lengths: Uint32Array;
  /** CRC-32 of the answer's line with its line end. */
  readonly checksums: Uint32Array;
  /** In milliseconds; NaN where not known, `reusedTime` where the answer was taken from another line. See `timeAt`. */
  readonly times: Float32Array;
}

/** How long a line took, in milliseconds; NaN where that is not known. */
export function timeAt({ times }: Pick<LineColumns, "times">, at: number): number {
  const time = times[at] ?? Number.NaN;
  return time >= 0 ? time : Number.NaN;
}

/** What the numbers in the column of states mean; `damaged` is of answers in the output and in the error file. */
export const lineStates = ["waiting", "answered", "failed", "skipped", "awaited", "damaged", "damaged"] as const;
const [waiting, answered, failed, skipped, awaited, damagedOutput, damagedError] = [0, 1, 2, 3, 4, 5, 6];
/** That of a line without an outcome. */
export const waitingState = waiting;

/** Whether a state is that of an answer in the output file. */
export function isInOutput(state: number | undefined): boolean {
  return state === answered || state === damagedOutput;
}

/** An index without answers. `lineStarts` has one entry more than there are lines: the end of the last. */
export function createLineIndex(
  lineStarts: Float64Array,
  checksums: Uint32Array = new Uint32Array(lineStarts.length - 1),
): LineIndex {
  const total = lineStarts.length - 1;
  return openLineIndex({
    requestStarts: lineStarts,
    requestChecksums: checksums,
    states: new Uint8Array(total),
    starts: new Float64Array(total),
    lengths: new Uint32Array(total),
    checksums: new Uint32Array(total),
    times: new Float32Array(total).fill(Number.NaN),
    ...createFactColumns(total),
  });
}

function openLineIndex(columns: LineColumns): LineIndex {
  const { requestStarts, requestChecksums, states, starts, lengths, checksums, times } = columns;
  let version = 0;
  let replaced = 0;
  let onDamaged: (line: number, file: AnswerFile) => void = () => {};

  function setDamaged(at: number): void {
    columns.setFacts(at, { ...columns.facts(at), finishReason: null, end: null, errorCode: "file_damaged" });
  }

  return {
    total: states.length,
    columns,
    get version() {
      return version;
    },
    get replaced() {
      return replaced;
    },
    request: (line) => ({ start: requestStarts[line - 1] ?? 0, end: requestStarts[line] ?? 0 }),
    isSoundRequest: (line, bytes) => crc32(withoutEnd(bytes)) === requestChecksums[line - 1],
    isAnswered: (line) => states[line - 1] !== waiting,
    hasAnswer: (line) => states[line - 1] === answered,
    isAwaited: (line) => states[line - 1] === awaited,
    mayBePaid(line) {
      const state = states[line - 1];
      return state === awaited || (state === failed && maybePaidCodes.has(columns.facts(line - 1).errorCode ?? ""));
    },
    isWhole: () => !states.includes(waiting),
    answer(line) {
      const at = line - 1;
      const state = states[at];
      if (state === undefined || state === waiting) return null;
      const time = times[at] ?? Number.NaN;
      return {
        file: isInOutput(state) ? "output" : "error",
        start: starts[at] ?? 0,
        length: lengths[at] ?? 0,
        checksum: checksums[at] ?? 0,
        skipped: state === skipped,
        milliseconds: time >= 0 ? time : null,
        reused: time === reusedTime,
        damaged: state === damagedOutput || state === damagedError,
      };
    },
    record(line, answer, facts) {
      const at = line - 1;
      if (states[at] !== waiting) replaced += 1;
      states[at] = stateOf(answer);
      starts[at] = answer.start;
      lengths[at] = answer.length;
      checksums[at] = answer.checksum;
      times[at] = answer.reused ? reusedTime : (answer.milliseconds ?? Number.NaN);
      if (facts !== undefined) columns.setFacts(at, facts);
      if (answer.damaged) setDamaged(at);
      else if (states[at] === failed && columns.facts(at).errorCode === awaitedCode) states[at] = awaited;
      version += 1;
    },
    markDamaged(line) {
      const state = states[line - 1];
      if (state === undefined || state === waiting || state >= damagedOutput) return;
      states[line - 1] = isInOutput(state) ? damagedOutput : damagedError;
      setDamaged(line - 1);
      version += 1;
      onDamaged(line, isInOutput(state) ? "output" : "error");
    },
    onDamaged(listener) {
      onDamaged = listener;
    },
    countDamaged() {
      const counts = { output: 0, error: 0 };
      for (const state of states) {
        if (state >= damagedOutput) counts[state === damagedOutput ? "output" : "error"] += 1;
      }
      return counts;
    },
  };
}

const [newline, carriageReturn] = [0x0a, 0x0d];

/** A request without its line end, and without blank lines that follow. */
export function withoutEnd(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(newline);
  if (end === -1) return bytes;
  return bytes.subarray(0, bytes[end - 1] === carriageReturn ? end - 1 : end);
}

function stateOf({ file, damaged, skipped: isSkipped }: Answer): number {
  if (damaged) return file === "output" ? damagedOutput : damagedError;
  if (isSkipped) return skipped;
  return file === "output" ? answered : failed;
}
