import { open } from "node:fs/promises";
import { readFully } from "../io/index.ts";
import type { LineIndex } from "../results/index.ts";

/** Bytes of the input file that are read at a time; more when one line is longer. */
const blockBytes = 256 * 1024;

/** Reads the requests of a batch's input file, in ascending order, a block at a time. */
export interface RequestReader {
  /** The line's text; null when it is not in memory yet: call again once `load` has resolved. */
  peek(line: number): string | null;
  /** Brings the block that starts with the line into memory. */
  load(line: number): Promise<void>;
  close(): Promise<void>;
}

export async function openRequestReader(path: string, index: LineIndex): Promise<RequestReader> {
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
    close: () => file.close(),
  };
}
