import type { Grader, LineGrade } from "#contract";
import { cellOf, splitCell, valuesOf } from "./cells.ts";
import { createGrader, type GradeByRules } from "./grader.ts";
import { labelKeyOf } from "./labels.ts";
import { type LabelPair, toTallyKey } from "./pair-keys.ts";
import { type GradeInput, GraderError } from "./types.ts";

/** Most different expected values that a table of labels is made of, and that an answer may name for the grader `label`. */
const mostLabels = 100;

/** What is expected in a column, as far as it is few different values. */
export interface ColumnLabels {
  /** The different cells, or values of cells for the grader `label`, in their order. */
  readonly labels: readonly string[] | null;
  /** The different values of cells, for answers that are lists; null where answers are none. */
  readonly items: readonly string[] | null;
}

/**
 * The different expected values; blank cells are none. Null where they are too many for a table of labels.
 * @throws GraderError when they are too many for the grader `label`
 */
export async function collectLabels(
  cells: AsyncIterable<readonly string[]>,
  grader: Pick<Grader, "name"> & Partial<Grader>,
): Promise<ColumnLabels> {
  const { name } = grader;
  const reading = cellOf(grader as Grader);
  const keyOf = chooseKey(name);
  const labels = createCollector(mostLabels, keyOf);
  const items = createCollector(mostLabels, keyOf);
  const isSplit = name === "label" && reading !== undefined;
  const hasItems = name === "json" && reading?.as !== "any";
  for await (const some of cells) {
    for (const cell of some) {
      if (isSplit) for (const value of valuesOf(cell, grader as Grader)) labels.add(value);
      else labels.add(cell);
      if (hasItems) for (const value of splitCell(cell, reading?.separator)) items.add(value);
    }
    if (labels.isFull() && name === "label") {
      throw new GraderError(`The column has more than ${mostLabels} different values. Choose a column of labels.`);
    }
    if (labels.isFull() && (!hasItems || items.isFull())) break;
  }
  // One of several accepted values, or all of a set, is no label.
  const found = reading === undefined || isSplit ? labels.list() : null;
  return { labels: found, items: hasItems ? items.list() : reading?.as === "set" && isSplit ? found : null };
}

function createCollector(most: number, keyOf: (value: string) => string) {
  const found = new Map<string, string>();
  return {
    add(value: string) {
      const key = found.size > most ? "" : keyOf(value);
      if (key !== "" && !found.has(key)) found.set(key, value.trim());
    },
    isFull: () => found.size > most,
    list: () => (found.size === 0 || found.size > most ? null : [...found.values()]),
  };
}

/** Two values that differ only by case are one label for graders that don't look at case. */
function chooseKey(name: Grader["name"]): (cell: string) => string {
  return name === "label" || name === "text" || name === "model" ? labelKeyOf : (cell) => cell.trim();
}

/** What a run counts of a graded line: its labels, and why it failed. */
export type TallyGrade = (input: GradeInput, grade: LineGrade) => Readonly<Record<string, number>>;

/**
 * Counts the labels of graded lines. An answer that failed has the label, other than the expected one, that it would have
 * passed for; several such labels, or none, are null. Of answers that are lists each label counts.
 */
export function createTally(grader: Grader, { labels, items }: ColumnLabels): TallyGrade {
  const keyOf = chooseKey(grader.name);
  const known = new Map(labels?.map((label) => [keyOf(label), label]));
  const knownItems = new Map(items?.map((item) => [keyOf(item), item]));
  const { grade: gradeByRules, readList }: GradeByRules = createGrader(
    grader.name === "model" ? { name: "text" } : grader,
    labels ?? [],
  );

  function findGiven({ answer, schema }: GradeInput, failedFor: string): string | null {
    const passing = (labels ?? []).filter(
      (label) => label !== failedFor && gradeByRules({ answer, expected: label, schema }).grade === "pass",
    );
    return passing.length === 1 ? (passing[0] ?? null) : null;
  }

  function pairLabels(input: GradeInput, { grade, given }: LineGrade): LabelPair | null {
    const accepted = input.expected === null ? [] : valuesOf(input.expected, grader);
    const expected = accepted.map((value) => known.get(keyOf(value)) ?? null);
    const [first = null] = expected;
    if (first === null) return null;
    const named = grader.name === "label" ? (known.get(keyOf(given ?? "")) ?? null) : null;
    if (grade === "pass") return [expected.find((one) => one === named) ?? first, named ?? first];
    return [first, grader.name === "label" ? given : findGiven(input, first)];
  }

  function* listKeys(given: readonly string[], expected: string): Generator<string> {
    const cells = splitCell(expected, cellOf(grader)?.separator);
    const wanted = new Set(cells.flatMap((cell) => knownItems.get(keyOf(cell)) ?? []));
    const found = new Set(given.map((value) => knownItems.get(keyOf(value)) ?? null));
    const extra = [...found.difference(wanted)];
    for (const label of wanted) {
      if (found.has(label)) yield toTallyKey({ right: label });
      else {
        yield toTallyKey({ missed: label });
        for (const other of extra.length === 0 ? [null] : extra) yield toTallyKey({ missed: label, given: other });
      }
    }
    for (const label of extra) if (label !== null) yield toTallyKey({ extra: label });
  }

  return (input, grade) => {
    if (grade.grade === "no_answer" || grade.grade === "no_expected") return {};
    const keys: string[] = [];
    if (grade.grade === "fail") {
      keys.push(toTallyKey({ failure: grade.given === null && /^The answer /.test(grade.why) ? grade.why : null }));
    }
    const list = items === null || input.answer === null ? null : readList(input.answer);
    const pair = list === null && labels !== null && cellOf(grader)?.as !== "set" ? pairLabels(input, grade) : null;
    if (list !== null && input.expected !== null) keys.push(...listKeys(list, input.expected));
    if (pair !== null) keys.push(toTallyKey(pair));
    return Object.fromEntries(keys.map((key) => [key, 1]));
  };
}
