import { type ChartGroup, type Histogram, histogramRange, type ResultChart } from "#contract";
import { ServiceError } from "#main/base";
import { isCounted } from "#main/judging";
import { mostNames, sortedCharacters } from "./column-values.ts";
import { type IndexedLines, numbersOf, textsOf } from "./index-columns.ts";
import { binOf, createHistogram } from "./summarize-lines.ts";

/** The values of a column by line, at the line's number less one. */
export interface ColumnReader {
  /** The place of a value among the names, from 1; 0 for a line without a value. */
  readonly rank: (at: number) => number;
  /** NaN where the value is no number. */
  readonly number: (at: number) => number;
  /** The different values, in their order; null where there are too many. */
  readonly names: readonly string[] | null;
}

/** A column that is in memory, as a measure: of grades there are those that accuracy is of. */
export function measureInMemory(lines: IndexedLines, path: string): ColumnReader {
  const { grades } = lines.marks;
  if (path !== "grade" || grades === null) return readInMemory(lines, path);
  const mark = (line: number) => {
    const grade = grades.mark(line);
    return isCounted(grade) ? grade : null;
  };
  return readInMemory({ ...lines, marks: { ...lines.marks, grades: { ...grades, mark } } }, path);
}

/** A column that is in memory. */
export function readInMemory(lines: IndexedLines, path: string): ColumnReader {
  const { total } = lines.index;
  const number = numbersOf(lines, path);
  const read = number ?? textsOf(lines, path);
  if (read === null) throw new ServiceError("invalid_value", `There is no column ${path} to count by.`, "column");
  const isKnown = (value: string | number | null) => value !== null && !Number.isNaN(value);
  const values = new Set<string | number | null>();
  for (let at = 0; at < total && values.size <= mostNames; at++) {
    const value = read(at);
    if (isKnown(value)) values.add(value);
  }
  const sorted = [...values].sort((a, b) => Number(a) - Number(b));
  const ranks = new Map<unknown, number>(sorted.map((value, at) => [value, at + 1]));
  const hasTooMany = values.size > mostNames;
  return {
    rank: hasTooMany ? (at) => Number(isKnown(read(at))) : (at) => ranks.get(read(at)) ?? 0,
    number: number ?? (() => Number.NaN),
    names: hasTooMany ? null : sorted.map(String),
  };
}

/** Of more different numbers, ranges are counted. */
const mostNumbers = 12;
/** Groups that are reported, and values of a measure: those of most lines. */
const [mostGroups, mostMeasured] = [30, 6];

/**
 * Counts lines by the values of a column; with a measure, what that comes to in each of these groups. `empty` is how many lines
 * have no value or a blank one: they are in no group.
 */
export function chartLines(
  lines: Uint32Array,
  read: ColumnReader,
  measure: ColumnReader | null,
  empty: number,
): ResultChart {
  const column = leaveOutBlank(read);
  const numbers = readNumbers(lines, column);
  const histogram = numbers !== null && countDistinct(numbers) > mostNumbers ? createHistogram(numbers, 0) : null;
  const places = placesOf(lines, column, histogram);
  const counts = new Map<number, number>();
  let known = 0;
  for (const line of lines) known += Number(column.rank(line - 1) > 0);
  for (const place of places) if (place >= 0) counts.set(place, (counts.get(place) ?? 0) + 1);
  const areObjects = histogram === null && isOfObjects(column, counts);
  const groups =
    histogram !== null ? listRanges(histogram, counts) : areObjects ? [] : listValues(column, counts, numbers !== null);
  const measured = measure && measureGroups(lines, places, measure);
  return {
    lines: lines.length,
    known,
    empty,
    areObjects,
    histogram,
    hasTooManyValues: histogram === null && column.names === null,
    groups: groups.map(({ place, ...group }) => ({ ...group, measured: measured?.of(place) ?? null })),
    measure: measured?.measure ?? null,
  };
}

/** A column without its blank values. */
function leaveOutBlank(column: ColumnReader): ColumnReader {
  const blank = new Set(column.names?.flatMap((name, at) => (name.trim() === "" ? [at + 1] : [])));
  if (blank.size === 0) return column;
  return { ...column, rank: (at) => (blank.has(column.rank(at)) ? 0 : column.rank(at)) };
}

/** Whether most lines with a value have an object; its text may be cut. */
function isOfObjects({ names }: ColumnReader, counts: Counts): boolean {
  let [objects, all] = [0, 0];
  for (const [place, count] of counts) {
    all += count;
    if (/^\{(?:"|\}$)/.test(names?.[place] ?? "")) objects += count;
  }
  return objects * 2 > all;
}

/** The numbers of lines, ascending; null where most of their values are none. */
function readNumbers(lines: Uint32Array, { rank, number }: ColumnReader): Float64Array | null {
  const numbers = new Float64Array(lines.length);
  let [count, values] = [0, 0];
  for (const line of lines) {
    if (rank(line - 1) === 0) continue;
    values += 1;
    const value = number(line - 1);
    if (!Number.isNaN(value)) numbers[count++] = value;
  }
  return count * 2 > values ? numbers.subarray(0, count).sort() : null;
}

/** How many different ones there are, as far as that matters. */
function countDistinct(sorted: Float64Array): number {
  let distinct = 0;
  for (let at = 0; at < sorted.length && distinct <= mostNumbers; at++) {
    if (at === 0 || sorted[at] !== sorted[at - 1]) distinct += 1;
  }
  return distinct;
}

/** The group of each line, from 0; -1 for one that is in none. */
function placesOf(lines: Uint32Array, { rank, number, names }: ColumnReader, histogram: Histogram | null): Int32Array {
  if (histogram === null) return Int32Array.from(lines, (line) => (names === null ? -1 : rank(line - 1) - 1));
  return Int32Array.from(lines, (line) => {
    const value = number(line - 1);
    return Number.isNaN(value) ? -1 : binOf(value, histogram);
  });
}

type Group = Omit<ChartGroup, "measured"> & { readonly place: number };
type Counts = ReadonlyMap<number, number>;

/** The values of most lines; numbers in their order, words the most frequent first. */
function listValues({ names }: ColumnReader, counts: Counts, areNumbers: boolean): Group[] {
  const largest = Array.from(counts, ([place, count]) => ({ place, count }))
    .sort((a, b) => b.count - a.count || a.place - b.place)
    .slice(0, mostGroups);
  if (areNumbers) largest.sort((a, b) => a.place - b.place);
  return largest.map(({ place, count }) => {
    const value = names?.[place] ?? "";
    return { place, count, value, isCut: value.length >= sortedCharacters, range: null };
  });
}

function listRanges(histogram: Histogram, counts: Counts): Group[] {
  return histogram.counts.map((_, place) => {
    const range = histogramRange(histogram, place);
    return { place, count: counts.get(place) ?? 0, value: String(range.from), isCut: false, range };
  });
}

/** What a measure comes to in each group: the mean of numbers, of words how many lines have which. */
function measureGroups(lines: Uint32Array, places: Int32Array, measure: ColumnReader) {
  const areNumbers = readNumbers(lines, measure) !== null;
  const names = areNumbers ? [] : findMostFrequent(lines, measure);
  const nameAt = new Map(names.map(({ rank }, at) => [rank, at]));
  const groups = new Map<number, { lines: number; sum: number; counts: number[] }>();
  lines.forEach((line, at) => {
    const place = places[at] ?? -1;
    const [rank, number] = [measure.rank(line - 1), measure.number(line - 1)];
    if (place < 0 || rank === 0 || (areNumbers && Number.isNaN(number))) return;
    const group = groups.get(place) ?? { lines: 0, sum: 0, counts: names.map(() => 0) };
    groups.set(place, group);
    group.lines += 1;
    if (areNumbers) group.sum += number;
    const named = nameAt.get(rank);
    if (named !== undefined) group.counts[named] = (group.counts[named] ?? 0) + 1;
  });
  return {
    measure: {
      areNumbers,
      values: names.map(({ name }) => (name.length < sortedCharacters ? name : `${name}…`)),
    },
    of(place: number): ChartGroup["measured"] {
      const { lines, sum, counts } = groups.get(place) ?? { lines: 0, sum: 0, counts: names.map(() => 0) };
      return { lines, mean: areNumbers && lines > 0 ? sum / lines : null, counts };
    },
  };
}

function findMostFrequent(lines: Uint32Array, { rank, names }: ColumnReader) {
  const counts = new Map<number, number>();
  for (const line of lines) counts.set(rank(line - 1), (counts.get(rank(line - 1)) ?? 0) + 1);
  return Array.from(counts, ([rank, count]) => ({ rank, count, name: names?.[rank - 1] ?? "" }))
    .filter(({ rank }) => rank > 0 && names !== null)
    .sort((a, b) => b.count - a.count)
    .slice(0, mostMeasured);
}
