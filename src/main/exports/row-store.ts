import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { ServiceError } from "#main/base";
import type { StoredRow } from "./columns.ts";

/** Rows in a temporary file, so that each is parsed once. They are numbered from 0. */
export interface RowStore {
  append(row: StoredRow): number;
  /** How long a row is, in bytes. */
  length(row: number): number;
  /** Rows in the order asked for: those that follow each other are read at once. */
  read(rows: readonly number[]): StoredRow[];
  /** Removes the file. */
  close(): void;
}

/** Written at a time, in bytes. */
const chunkBytes = 256 * 1024;
/** A character of JavaScript in UTF-8, at most. */
const mostBytes = 3;

/** Stores rows in a file that is created at the path. */
export function createRowStore(path: string): RowStore {
  const file = openSync(path, "wx+", 0o600);
  let chunk = Buffer.allocUnsafe(chunkBytes);
  /** Bytes of the chunk that are not in the file yet, and where they begin. */
  let [waiting, written] = [0, 0];
  /** Where each row starts, and where the last one ends. */
  const starts = [0];
  const startOf = (row: number) => starts[row] ?? 0;

  function flush(): void {
    for (let done = 0; done < waiting; ) done += writeSync(file, chunk, done, waiting - done, written + done);
    written += waiting;
    waiting = 0;
  }

  function readBytes(start: number, end: number): Buffer {
    const bytes = Buffer.allocUnsafe(end - start);
    for (let done = 0; done < bytes.length; ) {
      const count = readSync(file, bytes, done, bytes.length - done, start + done);
      if (count === 0)
        throw new ServiceError("file_damaged", "The temporary file of this export is incomplete. Export again.");
      done += count;
    }
    return bytes;
  }

  return {
    append({ customId, cells, tableCells }) {
      const text = JSON.stringify([customId, cells, tableCells]);
      const room = mostBytes * text.length;
      if (room > chunk.length - waiting) flush();
      if (room > chunk.length) chunk = Buffer.allocUnsafe(room);
      waiting += chunk.write(text, waiting);
      return starts.push(written + waiting) - 2;
    },
    length: (row) => startOf(row + 1) - startOf(row),
    read(rows) {
      flush();
      const found: StoredRow[] = [];
      for (let at = 0; at < rows.length; ) {
        const first = rows[at] ?? 0;
        let last = first;
        for (; rows[at + 1] === last + 1; at++) last += 1;
        at += 1;
        const start = startOf(first);
        const bytes = readBytes(start, startOf(last + 1));
        for (let row = first; row <= last; row++) {
          found.push(parseRow(bytes.toString("utf8", startOf(row) - start, startOf(row + 1) - start)));
        }
      }
      return found;
    },
    close() {
      closeSync(file);
      rmSync(path, { force: true });
    },
  };
}

function parseRow(text: string): StoredRow {
  type Parts = [StoredRow["customId"], StoredRow["cells"], StoredRow["tableCells"]];
  const [customId, cells, tableCells] = JSON.parse(text) as Parts;
  return { customId, cells, tableCells };
}

/** Read at a time, at most: rows, and bytes. */
const [stepRows, stepBytes] = [500, 1024 * 1024];

/** Rows in parts that memory has room for. */
export function* inParts<Row>(rows: readonly Row[], lengthOf: (row: Row) => number): Generator<readonly Row[]> {
  for (let from = 0; from < rows.length; ) {
    let [to, bytes] = [from, 0];
    for (const row of rows.slice(from, from + stepRows)) {
      if (bytes >= stepBytes) break;
      bytes += lengthOf(row);
      to += 1;
    }
    yield rows.slice(from, to);
    from = to;
  }
}
