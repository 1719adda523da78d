import { guessExpected } from "#contract";
import { isEqual, readFields } from "./json.ts";
import { numberAlone } from "./numbers.ts";

/** A line of a batch with an answer, next to what its table has in the columns. */
export interface SampleLine {
  readonly answer: string;
  /** In the order of the columns. */
  readonly cells: readonly string[];
}

/** What a batch is graded by as long as the user has not chosen. */
export interface GradingGuess {
  /** `json` where half of the answers are JSON objects; else `number` where each expected answer is one. */
  readonly grader: "json" | "number" | "text";
  /** The column with the expected answers; null where none is known. */
  readonly column: string | null;
  /** Where the value that is compared with it is in an answer; null where answers are no JSON, or none is known. */
  readonly path: string | null;
  /** All paths of the answers, the most frequent first; empty where fewer than half of them are JSON objects. */
  readonly paths: readonly string[];
  /** Of every column with values that answers have, where these are. */
  readonly columnPaths: Readonly<Record<string, string>>;
}

export interface GuessInput {
  readonly columns: readonly string[];
  readonly sample: readonly SampleLine[];
  /** Columns that neither the prompt nor custom_id uses, and that have few different values. */
  readonly candidates: readonly string[];
}

/**
 * The column that is named as expected answers are; else, of the candidates, the one whose values equal a field of the
 * answers, or the whole answer, in at least half of the lines.
 */
export function guessGrading({ columns, sample, candidates }: GuessInput): GradingGuess {
  const answers = sample.map(({ answer }) => ({ answer, fields: readFields(answer) }));
  const counts = new Map<string, number>();
  for (const { fields } of answers)
    for (const path of fields?.keys() ?? []) counts.set(path, (counts.get(path) ?? 0) + 1);
  const isJson = answers.filter(({ fields }) => fields !== null).length * 2 >= Math.max(1, sample.length);
  const paths = isJson ? [...counts].sort(([, a], [, b]) => b - a).map(([path]) => path) : [];

  /** How many values of the column equal what is at a path of the answers, and how many different ones do. */
  function match(column: string, path: string | null) {
    const at = columns.indexOf(column);
    const equal = sample.flatMap(({ answer, cells }, line) => {
      const cell = cells[at] ?? "";
      if (cell.trim() === "") return [];
      return isEqual(path === null ? answer.trim() : answers[line]?.fields?.get(path), cell) ? [cell] : [];
    });
    return { column, path, lines: equal.length, values: new Set(equal).size };
  }

  const matched = new Map<string, ReturnType<typeof match>[]>();
  const matchAll = (column: string) => {
    const known = matched.get(column) ?? (isJson ? paths : [null]).map((path) => match(column, path));
    matched.set(column, known);
    return known;
  };
  const bestPath = (column: string) => {
    const best = matchAll(column).toSorted(byLines)[0];
    return best !== undefined && best.lines > 0 ? best.path : samePath(column, paths);
  };
  const columnPaths = Object.fromEntries(
    isJson ? columns.flatMap((column) => Object.entries({ [column]: bestPath(column) }).filter(hasPath)) : [],
  );

  /** The grader goes by the answers, and where these are texts by the values of the column. */
  function toGuess(column: string | null, path: string | null): GradingGuess {
    const values = sample.map(({ cells }) => cells[columns.indexOf(column ?? "")]?.trim() ?? "").filter(Boolean);
    const isNumeric = values.length > 0 && values.every((value) => numberAlone.test(value));
    return { grader: paths.length > 0 ? "json" : isNumeric ? "number" : "text", column, path, paths, columnPaths };
  }

  const named = guessExpected(columns);
  if (named !== null) return toGuess(named, bestPath(named) ?? likelyPath(paths));
  const [best] = candidates
    .flatMap(matchAll)
    .filter(({ lines }) => lines > 0 && lines * 2 >= sample.length)
    // A column that has the same value everywhere says little.
    .toSorted((a, b) => Number(b.values > 1) - Number(a.values > 1) || byLines(a, b));
  return toGuess(best?.column ?? null, best?.path ?? null);
}

const hasPath = (entry: [column: string, path: string | null]): entry is [string, string] => entry[1] !== null;

const byLines = (a: { readonly lines: number }, b: { readonly lines: number }) => b.lines - a.lines;

const nameOf = (path: string) => path.replace(/^.*\./, "").toLowerCase();

/** The path that is named as the column. */
function samePath(column: string, paths: readonly string[]): string | null {
  return paths.find((path) => nameOf(path) === column.trim().toLowerCase()) ?? null;
}

/** The path that is named as expected answers are. */
function likelyPath(paths: readonly string[]): string | null {
  const likely = guessExpected(paths.map(nameOf));
  return paths.find((path) => nameOf(path) === likely) ?? null;
}
