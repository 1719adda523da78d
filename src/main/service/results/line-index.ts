import { type AnswerFacts, createFactColumns, type FactColumns } from "./fact-columns.ts";
import { reusedTime } from "./timings.ts";

/** Which of a batch's files holds a line's answer. */
export type AnswerFile = "output" | "error";

/** Where the answer to a line is. */
export interface Answer {
  readonly file: AnswerFile;
  /** In bytes; the length is without the line end. */
  readonly start: number;
  readonly length: number;
  /** True for an entry with the reason why the request never ran. */
  readonly skipped: boolean;
  /** From the request to its answer; null when not known. */
  readonly milliseconds: number | null;
  /** True where it was not asked for, but taken from another line: it cost nothing. */
  readonly reused: boolean;
}

/**
 * Where each line of a batch is: its request in the input file, and its answer in the output or error file; and what is
 * filtered and counted by. Lines count from 1. It is the whole of what memory holds of a line: 44 bytes.
 */
export interface LineIndex {
  readonly total: number;
  /** The bytes of the request, with its line end. */
  request(line: number): { start: number; end: number };
  isAnswered(line: number): boolean;
  /** Whether every line is answered. */
  isWhole(): boolean;
  answer(line: number): Answer | null;
  record(line: number, answer: Answer, facts?: AnswerFacts): void;
  /** How often something was recorded: another number, another content. */
  readonly version: number;
  readonly columns: LineColumns;
}

/** The columns of an index, one entry a line, from line 1 on. */
export interface LineColumns extends FactColumns {
  /** One entry more than there are lines: the end of the last. */
  readonly requestStarts: Float64Array;
  /** As in `lineStates`. */
  readonly states: Uint8Array;
  readonly starts: Float64Array;
  readonly lengths: Uint32Array;
  /** In milliseconds; NaN where not known, `reusedTime` where the answer was taken from another line. See `timeAt`. */
  readonly times: Float32Array;
}

/** How long a line took, in milliseconds; NaN where that is not known. */
export function timeAt({ times }: Pick<LineColumns, "times">, at: number): number {
  const time = times[at] ?? Number.NaN;
  return time >= 0 ? time : Number.NaN;
}

/** What the numbers in the column of states mean. */
export const lineStates = ["waiting", "answered", "failed", "skipped"] as const;
const [waiting, answered, failed, skipped] = [0, 1, 2, 3];

/** An index without answers. `lineStarts` has one entry more than there are lines: the end of the last. */
export function createLineIndex(lineStarts: Float64Array): LineIndex {
  const total = lineStarts.length - 1;
  return openLineIndex({
    requestStarts: lineStarts,
    states: new Uint8Array(total),
    starts: new Float64Array(total),
    lengths: new Uint32Array(total),
    times: new Float32Array(total).fill(Number.NaN),
    ...createFactColumns(total),
  });
}

/** An index over columns that are filled already. */
export function openLineIndex(columns: LineColumns): LineIndex {
  const { requestStarts, states, starts, lengths, times } = columns;
  let version = 0;

  return {
    total: states.length,
    columns,
    get version() {
      return version;
    },
    request: (line) => ({ start: requestStarts[line - 1] ?? 0, end: requestStarts[line] ?? 0 }),
    isAnswered: (line) => states[line - 1] !== waiting,
    isWhole: () => !states.includes(waiting),
    answer(line) {
      const at = line - 1;
      const state = states[at];
      if (state === undefined || state === waiting) return null;
      const time = times[at] ?? Number.NaN;
      return {
        file: state === answered ? "output" : "error",
        start: starts[at] ?? 0,
        length: lengths[at] ?? 0,
        skipped: state === skipped,
        milliseconds: time >= 0 ? time : null,
        reused: time === reusedTime,
      };
    },
    record(line, answer, facts) {
      const at = line - 1;
      states[at] = answer.skipped ? skipped : answer.file === "output" ? answered : failed;
      starts[at] = answer.start;
      lengths[at] = answer.length;
      times[at] = answer.reused ? reusedTime : (answer.milliseconds ?? Number.NaN);
      if (facts !== undefined) columns.setFacts(at, facts);
      version += 1;
    },
  };
}
