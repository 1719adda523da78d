import type { ByteRange } from "#main/storage";

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
