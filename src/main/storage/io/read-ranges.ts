import type { FileHandle } from "node:fs/promises";
import { openFiles } from "./open-files.ts";

/** Bytes of a file, from `start` up to but not including `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Ranges that are no further apart are read at once: that costs less than another read. */
const smallGap = 16 * 1024;

/**
 * Reads ranges of a file, in any order, with few reads. The answers are in the order of the ranges; what is behind the end of the file
 * is left out of them.
 */
export async function readRanges(path: string, ranges: readonly ByteRange[]): Promise<Buffer[]> {
  const contents = new Array<Buffer>(ranges.length).fill(Buffer.alloc(0));
  if (ranges.length === 0) return contents;
  const file = await openFiles.open(path);
  try {
    for (const { start, end, members } of joinNeighbours(ranges)) {
      const bytes = await readUpTo(file, start, end - start);
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

/** As many of the `length` bytes at `position` as there are. */
export async function readUpTo(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(bytes, done, length - done, position + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}
