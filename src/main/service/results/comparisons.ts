import type { Comparison, ComparisonFilter, ComparisonRow, ResultDetail } from "#contract";
import { ServiceError } from "../errors.ts";
import type { BatchRecord } from "../store/index.ts";
import { createAnswerDigests } from "./answer-digests.ts";
import { pathsOf } from "./batch-paths.ts";
import { createJoin, cutAroundDifference } from "./compare.ts";
import { type Side, selectRows, summarizeSides } from "./compare-sides.ts";
import { inSteps } from "./export-lines.ts";
import { toRow } from "./join-line.ts";
import type { LineViewParts } from "./line-views.ts";
import { createLruCache, createMemo } from "./lru-cache.ts";
import { readCustomIds } from "./read-lines.ts";
import type { Results } from "./results.ts";
import { dependenciesOf } from "./select-lines.ts";

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

interface Compared {
  readonly sides: readonly Side[];
  readonly summary: Comparison;
  /** The rows that filters leave, by the filter. */
  readonly selections: Map<string, Uint32Array>;
}

/** Comparisons that stay in memory, some 12 bytes for each of their lines and batches. */
const mostInMemory = 4;

/** Compares batches, while they run and after. */
export function createComparisons({ store, indexes, results, verdicts, grades }: ComparisonParts): Comparisons {
  const joins = createLruCache<Promise<readonly Uint32Array[]>>(mostInMemory);
  const compared = createMemo<Compared>(mostInMemory);
  const digests = createAnswerDigests(store, 2 * mostInMemory);

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
    return {
      batch,
      index,
      digests: await digests.read(batch, index),
      verdicts: judged?.index ?? null,
      grades: graded?.index ?? null,
      lines,
    };
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
    const dependencies = sides.flatMap(({ index, ...marks }) => dependenciesOf(index, marks));
    return compared.get(ids.join(" "), dependencies, () => ({
      sides,
      summary: summarizeSides(sides),
      selections: new Map(),
    }));
  }

  function select({ sides, selections }: Compared, filter: ComparisonFilter): Uint32Array {
    const key = JSON.stringify(filter);
    const rows = selections.get(key) ?? selectRows(sides, filter);
    selections.set(key, rows);
    return rows;
  }

  /** Of each row, the result of it in each batch. */
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
