import { isPairKey } from "#main/judging";

const none = 0;

/** Where the outcome of a line is in the file of its run, in bytes. */
export interface ResultPosition {
  readonly start: number;
  readonly length: number;
}

export interface OutcomeEntry<Mark extends string> extends ResultPosition {
  readonly line: number;
  readonly mark: Mark;
  readonly tally: Readonly<Record<string, number>>;
}

/**
 * The results of a batch's lines (from 1), in memory. A line takes 13 bytes, 2 more where there are kinds or keys, and 2 for
 * each counted key.
 */
export interface OutcomeIndex<Mark extends string> {
  /** Null for a line of which nothing has come yet. */
  mark(line: number): Mark | null;
  position(line: number): ResultPosition | null;
  /** How many lines have a mark. */
  readonly done: number;
  count(mark: Mark): number;
  /** The sums of what the lines counted, the largest first. */
  tallies(): (readonly [key: string, count: number])[];
  /** Whether one of these kinds was counted for the line. */
  hasKind(line: number, kinds: ReadonlySet<string>): boolean;
  /** How often a key was counted for the line, where the index has the counts of its lines. */
  countOf(line: number, key: string): number;
  /** The pair of labels that the line counted; null where it counted none. */
  keyOf(line: number): string | null;
  /** False for a line that has a mark already, or that the batch does not have. */
  record(entry: OutcomeEntry<Mark>): boolean;
}

/** The keys of tallies that an index has of each line. */
export interface OutcomeKeys {
  /** At most 16 keys. Each line has whether the key was counted. */
  readonly kinds?: readonly string[];
  /** Keys of which each line has how often they were counted, up to 65,535. */
  readonly counted?: readonly string[];
}

const mostCounted = 0xffff;

/** An index without marks, for a batch of so many lines. Without kinds, it has which pair of labels each line counted. */
export function createOutcomeIndex<Mark extends string>(
  marks: readonly Mark[],
  lines: number,
  { kinds = [], counted = [] }: OutcomeKeys = {},
): OutcomeIndex<Mark> {
  /** The code of a mark is its position in `marks`, from 1. */
  const states = new Uint8Array(lines);
  const starts = new Float64Array(lines);
  const lengths = new Uint32Array(lines);
  /** A bit for each kind. */
  const kindBits = new Uint16Array(kinds.length === 0 ? 0 : lines);
  const countsOfLines = new Map(counted.map((key) => [key, new Uint16Array(lines)]));
  const counts = new Map<Mark, number>();
  const tallies = new Map<string, number>();
  /** The place of each line's key among the keys, from 1; made with the first one. */
  let keyPlaces: Uint16Array | null = null;
  const keys: string[] = [];
  const placeOfKey = new Map<string, number>();

  function recordKey(at: number, key: string): void {
    let place = placeOfKey.get(key);
    if (place === undefined) {
      place = keys.push(key);
      placeOfKey.set(key, place);
    }
    keyPlaces ??= new Uint16Array(lines);
    keyPlaces[at] = place;
  }

  let done = 0;

  const markOf = (line: number) => marks[(states[line - 1] ?? none) - 1] ?? null;
  return {
    mark: markOf,
    position(line) {
      const at = line - 1;
      return markOf(line) === null ? null : { start: starts[at] ?? 0, length: lengths[at] ?? 0 };
    },
    get done() {
      return done;
    },
    count: (mark) => counts.get(mark) ?? 0,
    tallies: () => [...tallies].sort(([, a], [, b]) => b - a),
    hasKind(line, wanted) {
      const bits = kindBits[line - 1] ?? 0;
      return bits !== 0 && kinds.some((kind, bit) => (bits & (1 << bit)) !== 0 && wanted.has(kind));
    },
    countOf: (line, key) => countsOfLines.get(key)?.[line - 1] ?? 0,
    keyOf: (line) => keys[(keyPlaces?.[line - 1] ?? none) - 1] ?? null,
    record({ line, mark, tally, start, length }) {
      const at = line - 1;
      if (states[at] !== none) return false;
      states[at] = marks.indexOf(mark) + 1;
      starts[at] = start;
      lengths[at] = length;
      counts.set(mark, (counts.get(mark) ?? 0) + 1);
      done += 1;
      for (const [key, count] of Object.entries(tally)) {
        tallies.set(key, (tallies.get(key) ?? 0) + count);
        if (kinds.length === 0 && isPairKey(key)) recordKey(at, key);
        const ofLines = countsOfLines.get(key);
        if (ofLines !== undefined) ofLines[at] = Math.min(count, mostCounted);
        const bit = kinds.indexOf(key);
        if (bit !== -1) kindBits[at] = (kindBits[at] ?? 0) | (1 << bit);
      }
      return true;
    },
  };
}
