import { type FileHandle, open } from "node:fs/promises";

/** One line of a file, without its line end. */
export interface Line {
  readonly bytes: Buffer;
  /** The byte after it and its line end. */
  readonly end: number;
  /** True for a line longer than `maxLineBytes`, of which only so much is here. */
  readonly cut: boolean;
}

export interface LineReadOptions {
  /** The byte where a line starts. */
  readonly start: number;
  /** How much is read at a time, in bytes. */
  readonly windowBytes?: number;
  readonly maxLineBytes?: number;
}

const newline = 0x0a;
const carriageReturn = 0x0d;

/** Reads the lines of a file from a byte on, as many at a time as a window holds. Line ends are LF or CRLF. */
export async function* readLines(path: string, options: LineReadOptions): AsyncGenerator<readonly Line[]> {
  const { start, windowBytes = 256 * 1024, maxLineBytes = 8 * 1024 * 1024 } = options;
  const file = await open(path, "r");
  try {
    let position = start;
    let begun: Buffer[] = [];
    let begunBytes = 0;

    const finish = (tail: Buffer, end: number): Line => {
      const whole = begun.length === 0 ? tail : Buffer.concat([...begun, tail]);
      const cut = begunBytes + tail.length > maxLineBytes;
      begun = [];
      begunBytes = 0;
      const bytes = whole.at(-1) === carriageReturn ? whole.subarray(0, -1) : whole;
      return { bytes: bytes.subarray(0, maxLineBytes), end, cut };
    };

    for (;;) {
      const window = await readWindow(file, position, windowBytes);
      const lines: Line[] = [];
      let from = 0;
      for (let at = window.indexOf(newline); at !== -1; at = window.indexOf(newline, from)) {
        lines.push(finish(window.subarray(from, at), position + at + 1));
        from = at + 1;
      }
      const rest = window.subarray(from);
      position += window.length;
      if (window.length < windowBytes) {
        if (begunBytes + rest.length > 0) lines.push(finish(rest, position));
        if (lines.length > 0) yield lines;
        return;
      }
      if (begunBytes <= maxLineBytes) begun.push(rest);
      begunBytes += rest.length;
      if (lines.length > 0) yield lines;
    }
  } finally {
    await file.close();
  }
}

/** The byte after the next line end from `position` on; the end of the file where there is none. */
export async function findLineEnd(file: FileHandle, position: number): Promise<number> {
  for (let from = position; ; ) {
    const window = await readWindow(file, from, 1024 * 1024);
    const at = window.indexOf(newline);
    if (at !== -1) return from + at + 1;
    if (window.length === 0) return from;
    from += window.length;
  }
}

/** Reads `[position, position + length)`, less at the end of the file; into `buffer`, if that is as long. */
export async function readWindow(
  file: FileHandle,
  position: number,
  length: number,
  used = Buffer.alloc(0),
): Promise<Buffer> {
  const buffer = used.length < length ? Buffer.allocUnsafe(length) : used;
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
