/** Which of a batch's files holds a line's answer. */
export type AnswerFile = "output" | "error";

/** Where the answer to a line is. */
export interface Answer {
  readonly file: AnswerFile;
  /** In bytes; the length is without the line end. */
  readonly start: number;
  readonly length: number;
  /** True for an entry that says why the request never ran. */
  readonly skipped: boolean;
  /** From the request to its answer; null when not known. */
  readonly milliseconds: number | null;
}

/**
 * Where each line of a batch is: its request in the input file, and its answer in the output or error file. Lines count
 * from 1. It is the whole of what memory holds of a line: 29 bytes.
 */
export interface LineIndex {
  readonly total: number;
  /** The bytes of the request, with its line end. */
  request(line: number): { start: number; end: number };
  isAnswered(line: number): boolean;
  /** Whether every line is answered. */
  isWhole(): boolean;
  answer(line: number): Answer | null;
  record(line: number, answer: Answer): void;
}

const waiting = 0;
const inOutput = 1;
const inErrors = 2;
const skipped = 3;

/** An index without answers. `lineStarts` has one entry more than there are lines: the end of the last. */
export function createLineIndex(lineStarts: Float64Array): LineIndex {
  const total = lineStarts.length - 1;
  const states = new Uint8Array(total);
  const starts = new Float64Array(total);
  const lengths = new Uint32Array(total);
  const times = new Float32Array(total).fill(Number.NaN);

  return {
    total,
    request: (line) => ({ start: lineStarts[line - 1] ?? 0, end: lineStarts[line] ?? 0 }),
    isAnswered: (line) => states[line - 1] !== waiting,
    isWhole: () => !states.includes(waiting),
    answer(line) {
      const at = line - 1;
      const state = states[at];
      if (state === undefined || state === waiting) return null;
      const time = times[at] ?? Number.NaN;
      return {
        file: state === inOutput ? "output" : "error",
        start: starts[at] ?? 0,
        length: lengths[at] ?? 0,
        skipped: state === skipped,
        milliseconds: Number.isNaN(time) ? null : time,
      };
    },
    record(line, answer) {
      const at = line - 1;
      states[at] = answer.skipped ? skipped : answer.file === "output" ? inOutput : inErrors;
      starts[at] = answer.start;
      lengths[at] = answer.length;
      times[at] = answer.milliseconds ?? Number.NaN;
    },
  };
}
