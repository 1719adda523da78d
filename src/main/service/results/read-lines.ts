import { open } from "node:fs/promises";
import { readFully, scanLines } from "../io/index.ts";
import { customIdOf } from "./join-line.ts";
import type { Answer, AnswerFile, LineIndex } from "./line-index.ts";

const lineEnd = 1;

/**
 * The lines of the output and error file that the answers are in, each with its line end; null where there is no
 * answer. `paths`: where the files are, null for one that the batch does not have.
 */
export async function readAnswers(
  paths: Readonly<Record<AnswerFile, string | null>>,
  answers: readonly (Answer | null)[],
): Promise<(Buffer | null)[]> {
  const lines = new Array<Buffer | null>(answers.length).fill(null);
  await Promise.all([readFrom("output"), readFrom("error")]);
  return lines;

  async function readFrom(file: AnswerFile): Promise<void> {
    const path = paths[file];
    if (path === null) return;
    const places: number[] = [];
    const ranges: ByteRange[] = [];
    answers.forEach((answer, place) => {
      if (answer?.file !== file) return;
      places.push(place);
      ranges.push({ start: answer.start, end: answer.start + answer.length + lineEnd });
    });
    const contents = await readRanges(path, ranges);
    places.forEach((place, at) => {
      lines[place] = contents[at] ?? null;
    });
  }
}

const newline = 0x0a;

/** Lines of an input file, in the order asked for, each without its line end. */
export async function readRequests(
  inputPath: string,
  index: Pick<LineIndex, "request">,
  lines: readonly number[],
): Promise<Buffer[]> {
  const requests = await readRanges(inputPath, lines.map(index.request));
  // Empty lines may follow before the next request.
  return requests.map((bytes) => bytes.subarray(0, bytes.includes(newline) ? bytes.indexOf(newline) : bytes.length));
}

/** The custom_id of each line of an input file, with its number from 1. */
export async function readCustomIds(path: string, onRequest: (customId: string, line: number) => void): Promise<void> {
  let line = 0;
  await scanLines(path, ({ bytes }) => {
    const text = bytes?.toString() ?? "";
    if (text.trim() === "") return;
    line += 1;
    const customId = customIdOf(text);
    if (customId !== null) onRequest(customId, line);
  });
}

/** Bytes of a file, from `start` up to but not including `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Ranges that are no further apart are read at once: that costs less than another read. */
const smallGap = 16 * 1024;

/** Reads ranges of a file, in any order, with few reads. The answers are in the order of the ranges. */
export async function readRanges(path: string, ranges: readonly ByteRange[]): Promise<Buffer[]> {
  const contents = new Array<Buffer>(ranges.length).fill(Buffer.alloc(0));
  if (ranges.length === 0) return contents;
  const file = await open(path);
  try {
    for (const { start, end, members } of joinNeighbours(ranges)) {
      const bytes = await readFully(file, start, end - start);
      for (const { range, place } of members) contents[place] = bytes.subarray(range.start - start, range.end - start);
    }
  } finally {
    await file.close();
  }
  return contents;
}

interface Stretch {
  readonly start: number;
  end: number;
  readonly members: { range: ByteRange; place: number }[];
}

function joinNeighbours(ranges: readonly ByteRange[]): Stretch[] {
  const ordered = ranges.map((range, place) => ({ range, place })).sort((a, b) => a.range.start - b.range.start);
  const stretches: Stretch[] = [];
  for (const member of ordered) {
    const { start, end } = member.range;
    const last = stretches.at(-1);
    if (last !== undefined && start - last.end <= smallGap) {
      last.end = Math.max(last.end, end);
      last.members.push(member);
    } else {
      stretches.push({ start, end, members: [member] });
    }
  }
  return stretches;
}

/** Bytes of the input file that are read at a time; more when one line is longer. */
const blockBytes = 256 * 1024;
const headBytes = 4 * 1024;

/** Reads the requests of a batch's input file, in ascending order, a block at a time. */
export interface RequestReader {
  /** The line's text; null when it is not in memory yet: call again once `load` has resolved. */
  peek(line: number): string | null;
  /** Brings the block that starts with the line into memory. */
  load(line: number): Promise<void>;
  /** The beginning of a line that may be of any length: nothing else of it is brought into memory. */
  head(line: number): Promise<string>;
  close(): Promise<void>;
}

export async function openRequestReader(
  path: string,
  index: Pick<LineIndex, "total" | "request">,
): Promise<RequestReader> {
  const file = await open(path);
  let block: Buffer = Buffer.alloc(0);
  let blockStart = 0;

  return {
    peek(line) {
      const { start, end } = index.request(line);
      if (start < blockStart || end > blockStart + block.length) return null;
      return block.toString("utf8", start - blockStart, end - blockStart);
    },
    async load(line) {
      const { start, end } = index.request(line);
      const fileEnd = index.request(index.total).end;
      block = await readFully(file, start, Math.max(end, Math.min(start + blockBytes, fileEnd)) - start);
      blockStart = start;
    },
    async head(line) {
      const { start, end } = index.request(line);
      return (await readFully(file, start, Math.min(end - start, headBytes))).toString();
    },
    close: () => file.close(),
  };
}
