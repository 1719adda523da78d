import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BuildError } from "../errors.ts";
import { indexSource } from "../sources/index-source.ts";
import { readSomeRows } from "../sources/read-rows.ts";

/** One change to the bytes of a file; places are shares of its length, from 0 to 1. */
export type Mutation =
  | { readonly kind: "flip"; readonly at: number; readonly byte: number }
  | { readonly kind: "cut"; readonly at: number; readonly to: number }
  | { readonly kind: "insert"; readonly at: number; readonly text: string }
  | { readonly kind: "repeat"; readonly at: number; readonly to: number; readonly times: number };

/** What programs choke on: marks of formats, quotes, line ends, brackets, bytes of no text. */
export const hostileTexts = [
  ...['"', '""', "\r", "\n", "\r\n", ",", ";", "\t", "|", "\0", "\\", "'", "{", "}", "[", "]", ":", "]}", '{"a":'],
  ...["\ufeff", "\ufffd", "\u001e", "<table>", "</row>", "&#x0;", "PK\u0003\u0004", "PAR1", "sep=;\n", "NaN", "1e999"],
];

/** The longest file that mutations make, in bytes. */
const mostBytes = 4_000_000;

export function mutate(bytes: Buffer, mutations: readonly Mutation[]): Buffer {
  let result = bytes;
  for (const mutation of mutations) {
    const at = Math.floor(mutation.at * result.length);
    const [before, after] = [result.subarray(0, at), result.subarray(at)];
    if (mutation.kind === "flip") {
      result = Buffer.concat([before, Buffer.from([mutation.byte]), after.subarray(1)]);
    } else if (mutation.kind === "insert") result = Buffer.concat([before, Buffer.from(mutation.text), after]);
    else {
      const end = Math.floor(mutation.to * result.length);
      const part = result.subarray(Math.min(at, end), Math.max(at, end));
      const rest = result.subarray(Math.max(at, end));
      const times = mutation.kind === "cut" ? 0 : Math.min(mutation.times, mostBytes / Math.max(1, part.length));
      result = Buffer.concat([
        result.subarray(0, Math.min(at, end)),
        ...Array.from({ length: times }, () => part),
        rest,
      ]);
    }
  }
  return result.subarray(0, mostBytes);
}

/** Reads a table that may be damaged; answers with its rows, or with the sentence that refuses it. */
export async function readAnyTable(bytes: Buffer, name: string): Promise<number | string> {
  const folder = await mkdtemp(join(tmpdir(), "sheaf-mutated-"));
  try {
    const path = join(folder, "content");
    await writeFile(path, bytes);
    const last = (await Array.fromAsync(indexSource(path, name))).at(-1);
    if (last?.phase !== "indexed") throw new Error("The reading ended without an index.");
    const { index } = last;
    const rows = await readSomeRows(join(folder, index.content), index, 1, 20);
    if (rows.some(({ cells }) => cells.length !== index.columns.length)) throw new Error("A row has other columns.");
    return index.rowCount;
  } catch (error) {
    if (error instanceof BuildError) return error.message;
    throw error;
  } finally {
    await rm(folder, { recursive: true });
  }
}
