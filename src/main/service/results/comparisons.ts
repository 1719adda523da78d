import { hash } from "node:crypto";
import type {
  ComparedBatch,
  Comparison,
  ComparisonFilter,
  ComparisonRow,
  Grade,
  ResultDetail,
  Verdict,
} from "#contract";
import { ServiceError } from "../errors.ts";
import { compareGrades } from "../grade/index.ts";
import type { BatchRecord, Store } from "../store/index.ts";
import { pathsOf } from "./batch-paths.ts";
import { type ComparedOutcome, compareOutcomes, createJoin, cutAroundDifference, fitsComparison } from "./compare.ts";
import { inSteps } from "./export-lines.ts";
import { unknownTokens } from "./fact-columns.ts";
import { readOutcome, toRow } from "./join-line.ts";
import { type LineIndex, timeAt } from "./line-index.ts";
import type { LineViewParts } from "./line-views.ts";
import { readAnswers, readCustomIds } from "./read-lines.ts";
import type { Results } from "./results.ts";
import type { MarkIndex } from "./select-lines.ts";

/** Batches side by side: their lines joined by custom_id, those that all of them have. */
export interface Comparisons {
  summary(ids: readonly string[]): Promise<Comparison>;
  page(ids: readonly string[], page: ComparisonPage): Promise<{ total: number; rows: ComparisonRow[] }>;
  /** A line of the first batch in full, then the same of each other one. */
  line(ids: readonly string[], line: number): Promise<ResultDetail[]>;
  /** The lines that the filter leaves in full, as many at a time as are read at once: of each line, that of each batch. */
  details(ids: readonly string[], filter: ComparisonFilter): AsyncIterable<readonly (readonly ResultDetail[])[]>;
}

export interface ComparisonPage {
  readonly filter: ComparisonFilter;
  readonly offset: number;
  readonly limit: number;
}

interface ComparisonParts extends Pick<LineViewParts, "store" | "indexes" | "verdicts" | "grades"> {
  readonly results: Pick<Results, "lines">;
}

/** One of the batches that are compared. */
interface Side {
  readonly batch: BatchRecord;
  readonly index: LineIndex;
  readonly digests: Float64Array;
  readonly verdicts: MarkIndex<Verdict> | null;
  readonly grades: MarkIndex<Grade> | null;
  /** The common lines, by row. */
  readonly lines: Uint32Array;
}

interface Compared {
  /** What it was made of: another part, another comparison. */
  readonly basis: readonly unknown[];
  readonly sides: readonly Side[];
  readonly summary: Comparison;
  /** The rows that filters leave, by the filter. */
  readonly selections: Map<string, Uint32Array>;
}

/** Comparisons that stay in memory, some 12 bytes for each of their lines and batches. */
const mostInMemory = 4;

/** Compares batches, while they run and after. */
export function createComparisons({ store, indexes, results, verdicts, grades }: ComparisonParts): Comparisons {
  const joins = createRecent<Promise<readonly Uint32Array[]>>(mostInMemory);
  const compared = createRecent<Compared>(mostInMemory);
  const digester = createDigester(store);

  function find(id: string): BatchRecord {
    const batch = store.batches.get(id);
    if (batch === undefined) throw new ServiceError("not_found", "A batch that is compared is no longer there.", "ids");
    return batch;
  }

  async function readJoin(batches: readonly BatchRecord[]): Promise<readonly Uint32Array[]> {
    const join = createJoin(batches.length);
    for (const [at, batch] of batches.entries()) {
      await readCustomIds(pathsOf(batch, store).input, (customId, line) => join.add(at, customId, line));
    }
    return join.lines();
  }

  /** The requests of a batch never change, so that its lines are joined once. */
  function join(batches: readonly BatchRecord[]): Promise<readonly Uint32Array[]> {
    const key = batches.map(({ id }) => id).join(" ");
    const known = joins.get(key);
    if (known !== undefined) return known;
    const reading = readJoin(batches);
    reading.catch(() => joins.delete(key));
    return joins.set(key, reading);
  }

  async function openSide(batch: BatchRecord, lines: Uint32Array): Promise<Side> {
    const [index, judged, graded] = await Promise.all([indexes.get(batch), verdicts.get(batch), grades.get(batch)]);
    const digests = await digester.read(batch, index);
    return { batch, index, digests, verdicts: judged?.index ?? null, grades: graded?.index ?? null, lines };
  }

  async function compare(ids: readonly string[]): Promise<Compared> {
    const batches = ids.map(find);
    const unchecked = batches.find(({ counts }) => counts.total === 0);
    if (unchecked !== undefined) {
      const name = unchecked.metadata.name ?? unchecked.id;
      throw new ServiceError("invalid_value", `No line of “${name}” was asked, so there is nothing to compare.`, "ids");
    }
    const lines = await join(batches);
    const sides = await Promise.all(batches.map((batch, at) => openSide(batch, lines[at] ?? new Uint32Array())));
    const basis = sides.flatMap(({ index, verdicts, grades }) => [
      index,
      index.version,
      verdicts,
      verdicts?.done,
      grades,
      grades?.done,
    ]);
    const key = ids.join(" ");
    const known = compared.get(key);
    if (known?.basis.every((part, at) => part === basis[at])) return known;
    return compared.set(key, { basis, sides, summary: summarize(sides), selections: new Map() });
  }

  function select({ sides, selections }: Compared, filter: ComparisonFilter): Uint32Array {
    const key = JSON.stringify(filter);
    const rows = selections.get(key) ?? selectRows(sides, filter);
    selections.set(key, rows);
    return rows;
  }

  /** Of each row, what came of it in each batch. */
  async function readRows(sides: readonly Side[], rows: readonly number[]): Promise<ResultDetail[][]> {
    const details = await Promise.all(
      sides.map(({ batch, lines }) =>
        results.lines(
          batch.id,
          rows.map((row) => lines[row] ?? 0),
        ),
      ),
    );
    return rows.map((_, at) => details.flatMap((ofBatch) => ofBatch[at] ?? []));
  }

  return {
    summary: async (ids) => (await compare(ids)).summary,
    async page(ids, { filter, offset, limit }) {
      const comparison = await compare(ids);
      const rows = select(comparison, filter);
      const details = await readRows(comparison.sides, [...rows.subarray(offset, offset + limit)]);
      return { total: rows.length, rows: details.map(toComparisonRow) };
    },
    async line(ids, line) {
      const { sides } = await compare(ids);
      const row = sides[0]?.lines.indexOf(line) ?? -1;
      if (row === -1) throw new ServiceError("not_found", `Line ${line} is not in all of these batches.`, "line");
      return (await readRows(sides, [row]))[0] ?? [];
    },
    async *details(ids, filter) {
      const comparison = await compare(ids);
      for (const rows of inSteps([...select(comparison, filter)])) yield await readRows(comparison.sides, rows);
    },
  };
}

function outcomesOf(sides: readonly Side[], row: number): ComparedOutcome[] {
  return sides.map(({ lines, digests, grades }) => {
    const line = lines[row] ?? 0;
    return { digest: digests[line - 1] ?? 0, grade: grades?.mark(line) ?? null };
  });
}

/** The rows that a filter leaves: changed answers first, then lines without an answer; else in the order of the first batch. */
function selectRows(sides: readonly Side[], filter: ComparisonFilter): Uint32Array {
  const [changed, unanswered, others]: [number[], number[], number[]] = [[], [], []];
  for (let row = 0; row < (sides[0]?.lines.length ?? 0); row++) {
    const outcomes = outcomesOf(sides, row);
    const comparison = compareOutcomes(outcomes);
    if (!fitsComparison(comparison, outcomes, filter)) continue;
    (comparison.changed ? changed : comparison.unanswered ? unanswered : others).push(row);
  }
  return Uint32Array.from([...changed, ...unanswered, ...others]);
}

function summarize(sides: readonly Side[]): Comparison {
  const lines = sides[0]?.lines.length ?? 0;
  const counts = { answered: 0, same: 0, changed: 0, unanswered: 0, grades: 0 };
  const wins = sides.map(() => 0);
  for (let row = 0; row < lines; row++) {
    const outcomes = outcomesOf(sides, row);
    const { changed, unanswered, gradesDiffer } = compareOutcomes(outcomes);
    if (changed) counts.changed += 1;
    if (unanswered) counts.unanswered += 1;
    else counts.answered += 1;
    if (!unanswered && !changed) counts.same += 1;
    if (!gradesDiffer) continue;
    counts.grades += 1;
    for (const [at, { grade }] of outcomes.entries()) if (grade === "pass") wins[at] = (wins[at] ?? 0) + 1;
  }
  return { lines, batches: sides.map(summarizeSide), ...counts, wins, pairs: comparePairs(sides) };
}

/** The first batch against each other one by grade. */
function comparePairs(sides: readonly Side[]): Comparison["pairs"] {
  const gradesOf = ({ lines, grades }: Side) => Array.from(lines, (line) => grades?.mark(line) ?? null);
  const [first, ...others] = sides;
  if (first === undefined || first.grades === null) return [];
  const gradesOfFirst = gradesOf(first);
  return others.flatMap((side, at) => {
    if (side.grades === null) return [];
    const { onlyFirst, onlySecond, p } = compareGrades(gradesOfFirst, gradesOf(side));
    return [{ other: at + 1, onlyFirst: onlyFirst.length, onlyOther: onlySecond.length, p }];
  });
}

const doubtful: ReadonlySet<Verdict | null> = new Set(["contradicted", "not_found"]);

function summarizeSide({ batch, index, verdicts, grades, lines }: Side): ComparedBatch {
  const { promptTokens, completionTokens } = index.columns;
  const count = (fits: (line: number) => boolean) => lines.reduce((sum, line) => sum + Number(fits(line)), 0);
  const sum = (tokens: Uint32Array) => {
    const known = Array.from(lines, (line) => tokens[line - 1] ?? unknownTokens).filter((one) => one !== unknownTokens);
    return known.length === 0 ? null : known.reduce((total, one) => total + one, 0);
  };
  const milliseconds = Float32Array.from(lines, (line) => timeAt(index.columns, line - 1))
    .filter((time) => !Number.isNaN(time))
    .sort();
  return {
    id: batch.id,
    lines: index.total,
    answered: count((line) => index.answer(line)?.file === "output"),
    failed: count((line) => index.answer(line)?.file === "error"),
    promptTokens: sum(promptTokens),
    completionTokens: sum(completionTokens),
    milliseconds: milliseconds[Math.floor(milliseconds.length / 2)] ?? null,
    grades: grades && {
      passed: count((line) => grades.mark(line) === "pass"),
      failed: count((line) => grades.mark(line) === "fail"),
    },
    verified: verdicts && {
      lines: count((line) => verdicts.mark(line) !== null),
      doubtful: count((line) => doubtful.has(verdicts.mark(line))),
    },
  };
}

function toComparisonRow(details: readonly ResultDetail[]): ComparisonRow {
  const [first] = details.map(toRow);
  const answered = details.filter(({ state }) => state === "answered");
  const excerpts = cutAroundDifference(answered.map(({ answer }) => answer.trim()));
  return {
    line: first?.line ?? 0,
    customId: first?.customId ?? "",
    question: first?.question ?? "",
    cells: details.map((detail) => {
      const at = answered.indexOf(detail);
      const { state, grade, verdict } = detail;
      return { state, text: at === -1 ? toRow(detail).answer : (excerpts[at] ?? ""), grade, verdict };
    }),
  };
}

/**
 * Digests of answers, 8 bytes each, so that millions of them can be compared. Only what has been answered since the last
 * time is read; they are compared line by line, so that 48 bits are enough.
 */
function createDigester(store: Store) {
  const known = createRecent<{ readonly index: LineIndex; readonly digests: Float64Array }>(2 * mostInMemory);
  return {
    async read(batch: BatchRecord, index: LineIndex): Promise<Float64Array> {
      const found = known.get(batch.id);
      const { digests } =
        found?.index === index ? found : known.set(batch.id, { index, digests: new Float64Array(index.total) });
      const missing: number[] = [];
      for (let line = 1; line <= index.total; line++) {
        if (digests[line - 1] === 0 && index.answer(line)?.file === "output") missing.push(line);
      }
      const paths = missing.length === 0 ? null : pathsOf(batch, store);
      for (const lines of inSteps(missing)) {
        const texts = paths === null ? [] : await readAnswers(paths, lines.map(index.answer));
        lines.forEach((line, at) => {
          const text = texts[at];
          if (text) digests[line - 1] = digestOf(readOutcome(text.toString()).answer);
        });
      }
      return digests;
    },
  };
}

/** The text without what stands around it: a line end more is no other answer. */
function digestOf(answer: string): number {
  return Number.parseInt(hash("sha1", answer.trim(), "hex").slice(0, 12), 16) || 1;
}

/** The values that were used last, by their key. */
function createRecent<Value>(most: number) {
  const values = new Map<string, Value>();
  function set(key: string, value: Value): Value {
    values.delete(key);
    values.set(key, value);
    const [oldest] = values.keys();
    if (values.size > most && oldest !== undefined) values.delete(oldest);
    return value;
  }
  return {
    set,
    delete: (key: string) => values.delete(key),
    get(key: string): Value | undefined {
      const value = values.get(key);
      return value === undefined ? undefined : set(key, value);
    },
  };
}
