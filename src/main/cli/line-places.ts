import { type ByteRange, parseJson, scanLines } from "#main/storage";
import { CliError, exitCodes } from "./cli-error.ts";
import { checkInputFile } from "./input-file.ts";

/** The positions of a file's lines, by id, in the order in which they were set first. */
export interface LinePlaces {
  /** Returns its number, from 0. */
  set(id: string, start: number, end: number): number;
  /** The number of a line; null for one that is not there. */
  number(id: string): number | null;
  has(id: string): boolean;
  get(id: string): ByteRange | null;
  /** In bytes; 0 for a line that is not there. */
  length(id: string): number;
  ids(): Iterable<string>;
  count(): number;
}

/** Keeps two numbers a line: an object for each would take five times the memory. */
export function createLinePlaces(): LinePlaces {
  const numbers = new Map<string, number>();
  const starts: number[] = [];
  const ends: number[] = [];

  function get(id: string): ByteRange | null {
    const at = numbers.get(id);
    return at === undefined ? null : { start: starts[at] ?? 0, end: ends[at] ?? 0 };
  }

  return {
    get,
    number: (id) => numbers.get(id) ?? null,
    set(id, start, end) {
      const at = numbers.get(id) ?? numbers.size;
      numbers.set(id, at);
      starts[at] = start;
      ends[at] = end;
      return at;
    },
    has: (id) => numbers.has(id),
    length(id) {
      const at = numbers.get(id);
      return at === undefined ? 0 : (ends[at] ?? 0) - (starts[at] ?? 0);
    },
    ids: () => numbers.keys(),
    count: () => numbers.size,
  };
}

/**
 * The positions of a file's lines, without line ends, by custom_id. Of two with the same id the later counts. `onLine` is
 * given each line with its number in the file and the number of its position.
 */
export async function indexLines(
  path: string,
  onLine?: (line: unknown, number: number, place: number) => void,
): Promise<LinePlaces> {
  await checkInputFile(path);
  const places = createLinePlaces();
  let number = 0;
  await scanLines(path, ({ bytes, start }) => {
    number += 1;
    const text = bytes?.toString() ?? "";
    if (text.trim() === "") return;
    const line = parseJson(text);
    const given = typeof line === "object" && line !== null && "custom_id" in line ? line.custom_id : undefined;
    // The result of a request that was damaged on disk has no id: it is a separate row, and joined with none.
    const id = given === null && onLine !== undefined ? `\0${number}` : given;
    if (typeof id !== "string") throw new CliError(`${path}:${number}: It has no custom_id.`, exitCodes.unusable);
    const place = places.set(id, start, start + (bytes?.length ?? 0));
    onLine?.(line, number, place);
  });
  if (places.count() === 0) throw new CliError(`${path}: the file has no lines.`, exitCodes.unusable);
  return places;
}
