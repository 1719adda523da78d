import { answerPrefix, type ColumnCondition, type ColumnsWith, findColumn, sourcePrefix } from "#contract";
import { parseJson } from "#main/storage";
import { parseAnswer } from "./answer-values.ts";
import { customIdOf, readOutcome, readQuestion } from "./join-line.ts";

/** A value of a column that is not in memory; lines without one are left out. */
export type ColumnValue = string | number | boolean;

/** Where the values of such a column are read; null for a path that no such column has. */
export function originOf(path: string): "input" | "output" | "table" | null {
  if (path.startsWith(answerPrefix)) return "output";
  if (path.startsWith(sourcePrefix)) return "table";
  const { readFrom } = findColumn(path) ?? {};
  return readFrom === "request" ? "input" : readFrom === "answer" ? "output" : null;
}

type ReadValue = (line: string) => ColumnValue | null;

/** How the columns are read that are in each request, or in each answer. */
const readers: Readonly<Record<ColumnsWith<{ readFrom: "request" | "answer" }>, ReadValue>> = {
  custom_id: customIdOf,
  question: readQuestion,
  answer: answerOf,
};

function answerOf(line: string): string | null {
  const { state, answer } = readOutcome(line);
  return state === "answered" ? answer : null;
}

/** Reads the value of a column from a line of the file that it is in. */
export function createValueReader(path: string): ReadValue {
  if (Object.hasOwn(readers, path)) return readers[path as keyof typeof readers];
  const inner = path.slice(answerPrefix.length);
  return (line) => {
    const answer = answerOf(line);
    return answer === null ? null : toValue(valueAt(parseAnswer(answer), inner));
  };
}

function toValue(value: unknown): ColumnValue | null {
  if (value === undefined || value === null) return null;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  return JSON.stringify(value);
}

/** The value at a path; a key may have dots in it. Undefined where there is none. */
export function valueAt(value: unknown, path: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  const members = value as Readonly<Record<string, unknown>>;
  if (Object.hasOwn(members, path)) return members[path];
  for (let dot = path.indexOf("."); dot !== -1; dot = path.indexOf(".", dot + 1)) {
    const key = path.slice(0, dot);
    const found = Object.hasOwn(members, key) ? valueAt(members[key], path.slice(dot + 1)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The number that a value is, also where it is written as text; NaN for any other. */
function numberOf(value: ColumnValue): number {
  if (typeof value === "number") return value;
  if (typeof value === "boolean" || !/^\s*[-+]?\.?\d/.test(value)) return Number.NaN;
  return Number(value);
}

/** Whether a value fits a condition; null is a missing one. */
export type ValueTest = (found: ColumnValue | null) => boolean;

/** The test of a condition. Numbers are compared as such; what is none by its letters, in any case. */
export function createValueTest(condition: ColumnCondition): ValueTest {
  switch (condition.op) {
    case "empty":
      return (found) => found === null || String(found).trim() === "";
    case "one_of": {
      const tests = condition.values.map(isEqualTo);
      return (found) => found !== null && tests.some((test) => test(found));
    }
    // The schema is in the request: what looks at answers alone can't tell.
    case "breaks_schema":
      return () => false;
  }
  const { op, value } = condition;
  const wanted = value.toLowerCase();
  const wantedNumber = readWanted(value);
  const isNumber = !Number.isNaN(wantedNumber);
  const textOf = (found: ColumnValue) => String(found).toLowerCase();
  /** Below, at or above 0 as the value is to what it is compared with; NaN where they are of different kinds. */
  const compare = (found: ColumnValue) => {
    if (isNumber) return numberOf(found) - wantedNumber;
    const text = textOf(found);
    return text < wanted ? -1 : text > wanted ? 1 : 0;
  };
  const equals = isEqualTo(value);
  switch (op) {
    case "contains":
      return (found) => found !== null && textOf(found).includes(wanted);
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

function isEqualTo(value: string): (found: ColumnValue) => boolean {
  const wanted = value.toLowerCase();
  const wantedNumber = readWanted(value);
  return (found) => String(found).toLowerCase() === wanted || numberOf(found) === wantedNumber;
}

/** The number that is typed, also with a decimal comma; NaN for any other text. */
function readWanted(value: string): number {
  return numberOf(value.trim().replace(/^(-?\d+),(\d+)$/, "$1.$2"));
}

/** The values of a column as numbers, to sort and to count by. */
export interface EncodedColumn {
  /** Which of the columns that were read each value is of, from 0. */
  readonly sources: Uint16Array;
  /** Where the lines with a value are: as `place` has it in a column file. */
  readonly places: Float64Array;
  /** The place of each value among the different ones, ascending, from 1: numbers before text. */
  readonly ranks: Uint32Array;
  /** NaN where a value is no number. */
  readonly numbers: Float64Array;
  /** The different values, ascending; null where there are more than anybody would read. */
  readonly names: string[] | null;
}

/** Texts are compared and sorted by so many of their first characters. */
export const sortedCharacters = 64;
/** Of more different values none is named. */
export const mostNames = 1_000;

/** Collects the values of a column, which may be spread over several batches. */
export function createEncoder() {
  const sources: number[] = [];
  const places: number[] = [];
  const numbers: number[] = [];
  const codes: number[] = [];
  /** By number or text, in small letters; each value has the code of its first place. */
  const codeOf = new Map<number | string, number>();
  const distinct: { readonly key: number | string; readonly name: string }[] = [];

  return {
    add(source: number, place: number, value: ColumnValue): void {
      const number = numberOf(value);
      const name = String(value).slice(0, sortedCharacters);
      const key = Number.isNaN(number) ? name.toLowerCase() : number;
      let code = codeOf.get(key);
      if (code === undefined) {
        code = distinct.length;
        codeOf.set(key, code);
        distinct.push({ key, name });
      }
      sources.push(source);
      places.push(place);
      numbers.push(number);
      codes.push(code);
    },
    finish(): EncodedColumn {
      const order = distinct.map((_, code) => code).sort((a, b) => compareKeys(distinct[a]?.key, distinct[b]?.key));
      const rankOf = new Uint32Array(distinct.length);
      order.forEach((code, rank) => {
        rankOf[code] = rank + 1;
      });
      return {
        sources: Uint16Array.from(sources),
        places: Float64Array.from(places),
        ranks: Uint32Array.from(codes, (code) => rankOf[code] ?? 0),
        numbers: Float64Array.from(numbers),
        names: order.length > mostNames ? null : order.map((code) => distinct[code]?.name ?? ""),
      };
    },
  };
}

function compareKeys(a: number | string = "", b: number | string = ""): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
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
