import { type ColumnCondition, filterMemberOf, listColumnNames, type ResultFilter, type ResultSort } from "#contract";
import { ServiceError } from "#main/base";
import { createValueTest, originOf } from "./column-values.ts";
import { type IndexedLines, numbersOf, textsOf, type Words, wordsOf } from "./index-columns.ts";
import { type LineIndex, lineStates } from "./line-index.ts";
import { createMemo } from "./lru-cache.ts";

/** What lines are chosen by. */
export interface LineSelection extends IndexedLines {
  /** 1 at the place of each line that holds the text of the filter; null where it has none. */
  readonly hits?: Uint8Array | null;
  /** The same for the conditions on columns that are not in memory, as `Columns.match` finds them. */
  readonly matches?: ReadonlyMap<ColumnCondition, Uint8Array>;
  /** The places of the values that are sorted by, from 1; null for a column that is in memory. */
  readonly ranks?: Uint32Array | null;
  readonly filter: ResultFilter;
  readonly sort?: ResultSort | undefined;
}

/** A mark of whether lines have changed: with the same parts at the same state, they are what they were. */
export function dependenciesOf(index: LineIndex, { verdicts, grades }: LineSelection["marks"]): readonly unknown[] {
  return [index, index.version, verdicts, verdicts?.done, grades, grades?.done];
}

/** Whether it leaves all lines. */
export function isEmptyFilter(filter: ResultFilter): boolean {
  return Object.values(filter).every((member) => member === undefined);
}

/** Selections that stay in memory, 4 bytes for each of their lines. */
const mostSelections = 8;

/** The lines of batches that filters leave: the last ones are kept, as a table asks for page after page of them. */
export function createSelections() {
  const known = createMemo<Uint32Array>(mostSelections);
  return {
    /** `progress` is how far what the parts come of has been read: with another one they have another content. */
    get(batchId: string, parts: LineSelection, progress: readonly unknown[] = []): Uint32Array {
      const { index, filter, sort } = parts;
      const dependencies = [...dependenciesOf(index, parts.marks), parts.hits, parts.ranks, parts.costs, ...progress];
      return known.get(JSON.stringify([batchId, filter, sort]), dependencies, () => selectLines(parts));
    },
  };
}

/** The numbers of the lines that a filter leaves, ascending or sorted. */
export function selectLines(parts: LineSelection): Uint32Array {
  const { index, hits = null, sort } = parts;
  const tests = createTests(parts);
  if (hits !== null) tests.push((at) => hits[at] === 1);
  const found = new Uint32Array(index.total);
  for (let at = 0; at < found.length; at++) found[at] = at + 1;
  let count = found.length;
  for (const test of tests) {
    let left = 0;
    for (let place = 0; place < count; place++) {
      const line = found[place] ?? 0;
      if (test(line - 1)) found[left++] = line;
    }
    count = left;
  }
  const lines = found.slice(0, count);
  return sort === undefined ? lines : sortLines(lines, parts, sort);
}

/** Whether the line at an index from 0 fits. */
type Test = (at: number) => boolean;

function createTests(parts: LineSelection): Test[] {
  const { index, marks, filter, matches } = parts;
  const tests = listColumnNames().flatMap((path) => {
    const member = filterMemberOf(path);
    const wanted = member && filter[member];
    return wanted === undefined ? [] : [isOneOf(wordsOf(parts, path), wanted)];
  });
  if (filter.kinds !== undefined) {
    const wanted = new Set<string>(filter.kinds);
    tests.push((at) => marks.verdicts?.hasKind(at + 1, wanted) ?? false);
  }
  for (const condition of filter.columns ?? []) {
    const matching = matches?.get(condition);
    tests.push(
      matching === undefined ? createColumnTest(parts, condition) : createMatchTest(index, condition, matching),
    );
  }
  return tests;
}

function isOneOf(words: Words | null, wanted: readonly string[]): Test {
  if (words === null) return () => false;
  if (typeof words === "function") {
    const isWanted = new Set<string | null>(wanted);
    return (at) => isWanted.has(words(at));
  }
  const { codes, names } = words;
  const isWanted = new Uint8Array(256);
  names.forEach((name, code) => {
    if (wanted.includes(name)) isWanted[code] = 1;
  });
  return (at) => isWanted[codes[at] ?? 0] === 1;
}

/** Whether a line fits a condition on a column that is not in memory, by what was found of it. */
function createMatchTest({ columns: { states } }: LineIndex, condition: ColumnCondition, matching: Uint8Array): Test {
  if (!isMissingFit(condition)) return (at) => matching[at] === 1;
  const isOfAnswer = originOf(condition.path) === "output";
  return (at) => matching[at] !== 1 && (!isOfAnswer || lineStates[states[at] ?? 0] === "answered");
}

/** Whether lines without a value fit a condition: then it is known only at the end of a column which lines do. */
export function isMissingFit(condition: ColumnCondition): boolean {
  return createValueTest(condition)(null);
}

function createColumnTest(parts: LineSelection, condition: ColumnCondition): Test {
  const { path } = condition;
  const fits = createValueTest(condition);
  const numbers = numbersOf(parts, path);
  if (numbers !== null) {
    return (at) => {
      const number = numbers(at);
      return fits(Number.isNaN(number) ? null : number);
    };
  }
  const texts = textsOf(parts, path);
  if (texts === null) throw new ServiceError("invalid_value", `There is no column ${path} to filter by.`, "columns");
  return (at) => fits(texts(at));
}

/** Sorts lines by a column that is in memory; lines with the same value stay in the order of the input. */
function sortLines(lines: Uint32Array, parts: LineSelection, { by, descending }: ResultSort): Uint32Array {
  const { ranks } = parts;
  const key = ranks
    ? (at: number) => ranks[at] || Number.NaN
    : (numbersOf(parts, by) ?? rankTexts(textsOf(parts, by), lines));
  if (key === null) throw new ServiceError("invalid_value", `There is no column ${by} to sort by.`, "sort");
  const keys = Float64Array.from(lines, (line) => {
    const value = key(line - 1);
    return Number.isNaN(value) ? Number.POSITIVE_INFINITY : descending ? -value : value;
  });
  const order = Uint32Array.from(lines, (_, place) => place);
  order.sort((a, b) => {
    const [first, second] = [keys[a] ?? 0, keys[b] ?? 0];
    return first < second ? -1 : first > second ? 1 : a - b;
  });
  return order.map((place) => lines[place] ?? 0);
}

/** Words by their place in the alphabet. */
function rankTexts(texts: ((at: number) => string | null) | null, lines: Uint32Array) {
  if (texts === null) return null;
  const words = new Set<string>();
  for (const line of lines) words.add(texts(line - 1) ?? "");
  const ranks = new Map([...words].sort().map((word, rank) => [word, rank]));
  return (at: number) => {
    const text = texts(at);
    return text === null ? Number.NaN : (ranks.get(text) ?? Number.NaN);
  };
}
