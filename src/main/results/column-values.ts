import {
  answerPrefix,
  type ColumnsWith,
  choicePrefix,
  compareNumbers,
  findColumn,
  foldText,
  isInAnswer,
  isSameNumber,
  type NumberLike,
  normalizeNumber,
  readNumber,
  sourcePrefix,
  toolPrefix,
} from "#contract";
import { listCallColumns, parseAnswer, parseExactJson, printValue, valueAt } from "#main/answers";
import { parseJson } from "#main/storage";
import { customIdOf, readAnswered, readOutcome, readPictureNames, readQuestion } from "./join-line.ts";
import type { ResolvedCondition } from "./resolve-lists.ts";

/**
 * A value of a column that is not in memory; lines without one are left out. A number that JavaScript would print otherwise
 * than it was written is its text.
 */
export type ColumnValue = string | number | boolean;

/** Where the values of such a column are read; null for a path that no such column has. */
export function originOf(path: string): "input" | "output" | "table" | null {
  if (isInAnswer(path)) return "output";
  if (path.startsWith(sourcePrefix)) return "table";
  const { readFrom } = findColumn(path) ?? {};
  return readFrom === "request" ? "input" : readFrom === "answer" ? "output" : null;
}

type ReadValue = (line: string) => ColumnValue | null;

/** How the columns are read that are in each request, or in each answer. */
const readers: Readonly<Record<ColumnsWith<{ readFrom: "request" | "answer" }>, ReadValue>> = {
  custom_id: customIdOf,
  question: readQuestion,
  picture: readPictureNames,
  answer: readAnswered,
  reasoning: (line) => readOutcome(line).reasoning,
};

/** Reads the value of a column from a line of the file that it is in. */
export function createValueReader(path: string): ReadValue {
  if (Object.hasOwn(readers, path)) return readers[path as keyof typeof readers];
  if (path.startsWith(toolPrefix)) return (line) => readCall(line, path);
  if (path.startsWith(choicePrefix)) {
    const place = Number(path.slice(choicePrefix.length)) - 2;
    return (line) => readOutcome(line).otherChoices[place] ?? null;
  }
  const inner = path.slice(answerPrefix.length);
  return (line) => {
    const answer = readAnswered(line);
    return answer === null ? null : toValue(valueAt(parseAnswer(answer), inner));
  };
}

/** What a tool is called with, or a field of it. */
function readCall(line: string, path: string): ColumnValue | null {
  for (const [call, input] of listCallColumns(readOutcome(line).calls)) {
    if (path === call) return input;
    const found = path.startsWith(`${call}.`) ? valueAt(parseExactJson(input), path.slice(call.length + 1)) : undefined;
    if (found !== undefined) return toValue(found);
  }
  return null;
}

function toValue(value: unknown): ColumnValue | null {
  if (value === undefined || value === null) return null;
  return typeof value === "number" || typeof value === "boolean" ? value : printValue(value);
}

/** The number that a value is, also where it is written as text; null for any other. */
function numberOf(value: ColumnValue): NumberLike | null {
  if (typeof value === "string") return readNumber(value);
  return typeof value === "number" ? value : null;
}

/** Whether a value fits a condition; null is a missing one. */
export type ValueTest = (found: ColumnValue | null) => boolean;

/** The test of a condition. Numbers are compared as such; what is none by its letters, in any case. */
export function createValueTest(condition: ResolvedCondition): ValueTest {
  switch (condition.op) {
    case "empty":
      return isEmpty;
    case "not_empty":
      return (found) => !isEmpty(found);
    case "one_of":
      return isOneOf(condition.values);
    case "in_list": {
      if (!("values" in condition)) throw new Error("The values of the list have not been read.");
      const known = listTests.get(condition.values) ?? isOneOf(condition.values);
      listTests.set(condition.values, known);
      return known;
    }
    // The schema is in the request: what looks at answers alone can't tell.
    case "breaks_schema":
      return () => false;
  }
  const { op, value } = condition;
  const wanted = foldText(value);
  const wantedNumber = readWanted(value);
  const textOf = (found: ColumnValue) => foldText(String(found));
  /** Below, at or above 0 as the value is to what it is compared with; NaN where they are of different kinds. */
  const compare = (found: ColumnValue) => {
    if (wantedNumber !== null) return compareNumbers(numberOf(found) ?? Number.NaN, wantedNumber);
    const text = textOf(found);
    return text < wanted ? -1 : text > wanted ? 1 : 0;
  };
  const equals = isEqualTo(value);
  switch (op) {
    case "contains":
      return (found) => found !== null && textOf(found).includes(wanted);
    case "not_contains":
      return (found) => found === null || !textOf(found).includes(wanted);
    case "ends_with":
      return (found) => found !== null && textOf(found).trimEnd().endsWith(wanted);
    case "starts_with":
      return (found) => found !== null && textOf(found).trimStart().startsWith(wanted);
    case "equals":
      return (found) => found !== null && equals(found);
    case "not_equals":
      return (found) => found === null || !equals(found);
    case "greater":
      return (found) => found !== null && compare(found) > 0;
    case "at_least":
      return (found) => found !== null && compare(found) >= 0;
    case "less":
      return (found) => found !== null && compare(found) < 0;
  }
}

/** A table asks for the same list again with each page. */
const listTests = new WeakMap<ReadonlySet<string>, ValueTest>();

/** As `isEqualTo`, of thousands of values as fast as of one. */
function isOneOf(values: Iterable<string>): ValueTest {
  const texts = new Set<string>();
  const numbers = new Set<string>();
  for (const value of values) {
    texts.add(foldText(value));
    const number = readWanted(value);
    if (number !== null) numbers.add(normalizeNumber(number));
  }
  return (found) => {
    if (found === null) return false;
    if (texts.has(foldText(String(found)))) return true;
    const number = numbers.size === 0 ? null : numberOf(found);
    return number !== null && numbers.has(normalizeNumber(number));
  };
}

const isEmpty: ValueTest = (found) => found === null || String(found).trim() === "";

function isEqualTo(value: string): (found: ColumnValue) => boolean {
  const wanted = foldText(value);
  const wantedNumber = readWanted(value);
  return (found) => {
    if (foldText(String(found)) === wanted) return true;
    const number = wantedNumber === null ? null : numberOf(found);
    return number !== null && wantedNumber !== null && isSameNumber(number, wantedNumber);
  };
}

/** The number that is typed, also with a decimal comma; null for any other text. */
function readWanted(value: string): NumberLike | null {
  return readNumber(value.trim().replace(/^(-?\d+),(\d+)$/, "$1.$2"));
}

/** The values of a column as numbers, to sort and to count by. */
export interface EncodedColumn {
  /** Which of the columns that were read each value is of, from 0. */
  readonly sources: Uint16Array;
  /** Where the lines with a value are: as `place` has it in a column file. */
  readonly places: Float64Array;
  /** The place of each value among the different ones, ascending, from 1: numbers before text. */
  readonly ranks: Uint32Array;
  /** NaN where a value is no number, or one that is too large for a chart. */
  readonly numbers: Float64Array;
  /** The different values, ascending; null where there are more than anybody would read. */
  readonly names: string[] | null;
}

/** Texts are compared and sorted by so many of their first characters. */
export const sortedCharacters = 64;
/** Of more different values none is named. */
export const mostNames = 1_000;

/**
 * Numbers of which charts can make ranges, means and sums, by their size: what is larger is none to them, and what is smaller
 * is 0.
 */
const [leastCharted, mostCharted] = [1e-300, 1e300];

function toCharted(number: NumberLike | null): number {
  const double = Number(number ?? Number.NaN);
  if (Math.abs(double) > mostCharted) return Number.NaN;
  return Math.abs(double) < leastCharted ? 0 : double;
}

/** A value among the different ones of a column. */
interface DistinctValue {
  readonly number: NumberLike | null;
  /** Of a text, what it is told from others by. */
  readonly key: string;
  readonly name: string;
}

/** Collects the values of a column, which may be spread over several batches. */
export function createEncoder() {
  const sources: number[] = [];
  const places: number[] = [];
  const numbers: number[] = [];
  const codes: number[] = [];
  /** By number or text, in small letters; each value has the code of its first place. */
  const codeOf = new Map<number | string, number>();
  const distinct: DistinctValue[] = [];

  return {
    add(source: number, place: number, value: ColumnValue): void {
      const number = numberOf(value);
      const name = String(value).slice(0, sortedCharacters);
      // What is no double has another text than any word, since it begins with a digit or a sign and is a number.
      const key = number === null ? name.toLowerCase() : typeof number === "number" ? number : normalizeNumber(number);
      let code = codeOf.get(key);
      if (code === undefined) {
        code = distinct.length;
        codeOf.set(key, code);
        distinct.push({ number, key: String(key), name });
      }
      sources.push(source);
      places.push(place);
      numbers.push(toCharted(number));
      codes.push(code);
    },
    finish(): EncodedColumn {
      const sorted = distinct.map((value, code) => ({ ...value, code })).sort(compareValues);
      const rankOf = new Uint32Array(distinct.length);
      sorted.forEach(({ code }, rank) => {
        rankOf[code] = rank + 1;
      });
      return {
        sources: Uint16Array.from(sources),
        places: Float64Array.from(places),
        ranks: Uint32Array.from(codes, (code) => rankOf[code] ?? 0),
        numbers: Float64Array.from(numbers),
        names: sorted.length > mostNames ? null : sorted.map(({ name }) => name),
      };
    },
  };
}

/** Numbers before text. */
function compareValues(one: DistinctValue, other: DistinctValue): number {
  if (one.number !== null && other.number !== null) return compareNumbers(one.number, other.number);
  if (one.number !== null || other.number !== null) return one.number === null ? 1 : -1;
  return one.key < other.key ? -1 : one.key > other.key ? 1 : 0;
}

/** A line of a column file: where the value is in its own file, or which line it is of, and the value. */
export function writeRecord(place: number, value: ColumnValue): string {
  return `${JSON.stringify([place, value])}\n`;
}

/** A line of a column file that `writeRecord` has written; null for its header. */
export function parseRecord(line: string): [place: number, value: ColumnValue] | null {
  const record = parseJson(line);
  return Array.isArray(record) ? (record as [number, ColumnValue]) : null;
}
