import {
  answerPrefix,
  type Comparison,
  type ComparisonFilter,
  type ComparisonRow,
  type Grade,
  type Grader,
  type ResultDetail,
} from "#contract";
import { sortKeys } from "#main/answers";
import { ServiceError } from "#main/base";
import type { BatchRecord } from "#main/storage";
import { createAnswerDigests, shownText } from "./answer-digests.ts";
import type { Costs } from "./batch-costs.ts";
import { pathsOf } from "./batch-paths.ts";
import { createJoin, cutAroundDifference } from "./compare.ts";
import { compareWith, type Side, selectRows, summarizeSides } from "./compare-sides.ts";
import { cutText } from "./cut-text.ts";
import { inSteps } from "./export-lines.ts";
import type { MarkIndex } from "./index-columns.ts";
import { toRow } from "./join-line.ts";
import type { LineViewDeps } from "./line-views.ts";
import { createLruCache, createMemo } from "./lru-cache.ts";
import { readCustomIds } from "./read-lines.ts";
import type { Results } from "./results.ts";
import { dependenciesOf } from "./select-lines.ts";

/** Batches side by side: their lines joined by custom_id, those that all of them have. */
export interface Comparisons {
  /** `baseline`: the place of the batch that the others are held against, the first one by default. */
  summary(compared: Compared & { readonly baseline?: number | undefined }): Promise<Comparison>;
  page(compared: Compared, page: ComparisonPage): Promise<{ total: number; rows: ComparisonRow[] }>;
  /** The row of a line of the first batch, from 0, among those that the filter leaves; null when it is not one of them. */
  rowOf(compared: Compared, filter: ComparisonFilter, line: number): Promise<number | null>;
  /** A line of the first batch in full, then the same of each other one. */
  line(ids: readonly string[], line: number): Promise<ResultDetail[]>;
  /** The lines that the filter leaves in full, as many at a time as are read at once: of each line, that of each batch. */
  details(compared: Compared, filter: ComparisonFilter): AsyncIterable<readonly (readonly ResultDetail[])[]>;
}

/** The batches that are compared, and what of their answers. */
export interface Compared {
  readonly ids: readonly string[];
  /** `answer`, or a path into answers that are JSON. Default: what all are graded by, else the whole answer. */
  readonly by?: string | undefined;
}

export interface ComparisonPage {
  readonly filter: ComparisonFilter;
  readonly offset: number;
  readonly limit: number;
}

export interface ComparisonDeps extends Pick<LineViewDeps, "store" | "indexes" | "verdicts"> {
  readonly results: Pick<Results, "lines" | "checkedLines" | "numbers">;
  readonly costs: Pick<Costs, "ofSome">;
  readonly grades: { get(batch: BatchRecord): Promise<GradedLines | null> };
}

/** The grades of a batch, with what it was graded by. */
interface GradedLines {
  readonly index: MarkIndex<Grade>;
  readonly header: { readonly grader: Grader; readonly column: string | null };
}

interface ComparedSides {
  readonly sides: readonly Side[];
  readonly summary: ReturnType<typeof summarizeSides>;
  /** By the place of the baseline. */
  readonly pairs: Map<number, Comparison["pairs"]>;
  /** The rows that filters leave, by the filter. */
  readonly selections: Map<string, Promise<Uint32Array>>;
}

/** Comparisons that stay in memory, some 12 bytes for each of their lines and batches. */
const mostInMemory = 4;

/** Compares batches, while they run and after. */
export function createComparisons({ store, indexes, results, costs, verdicts, grades }: ComparisonDeps): Comparisons {
  const joins = createLruCache<Promise<readonly Uint32Array[]>>(mostInMemory);
  const compared = createMemo<ComparedSides>(mostInMemory);
  const digests = createAnswerDigests(store, 2 * mostInMemory);

  function find(id: string): BatchRecord {
    const batch = store.batches.get(id);
    if (batch === undefined) throw new ServiceError("not_found", "A batch that is compared is no longer there.", "ids");
    return batch;
  }

  async function readJoin(batches: readonly BatchRecord[]): Promise<readonly Uint32Array[]> {
    const join = createJoin(batches.length);
    for (const [at, batch] of batches.entries()) {
      const index = await indexes.get(batch);
      await readCustomIds(pathsOf(batch, store), index, (customId, line) => join.add(at, customId, line));
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

  async function openSide(
    batch: BatchRecord,
    lines: Uint32Array,
    graded: GradedLines | null,
    by: string,
  ): Promise<Side> {
    const [index, judged] = await Promise.all([indexes.get(batch), verdicts.get(batch)]);
    return {
      batch,
      index,
      digests: await digests.read(batch, index, by),
      verdicts: judged?.index ?? null,
      grades: graded?.index ?? null,
      gradedBy: graded && JSON.stringify([graded.header.grader, graded.header.column], sortKeys),
      expected: graded?.header.column ?? null,
      lines,
    };
  }

  async function compare({ ids, by: chosen }: Compared): Promise<ComparedSides> {
    const batches = ids.map(find);
    const unchecked = batches.find(({ counts }) => counts.total === 0);
    if (unchecked !== undefined) {
      const name = unchecked.metadata.name ?? unchecked.id;
      throw new ServiceError("invalid_value", `No line of “${name}” was asked, so there is nothing to compare.`, "ids");
    }
    const lines = await join(batches);
    const graded = await Promise.all(batches.map((batch) => grades.get(batch)));
    const by = chosen ?? gradedPath(graded.map((one) => one?.header.grader ?? null));
    const sides = await Promise.all(
      batches.map((batch, at) => openSide(batch, lines[at] ?? new Uint32Array(), graded[at] ?? null, by)),
    );
    const dependencies = sides.flatMap(({ index, ...marks }) => dependenciesOf(index, marks));
    return compared.get([...ids, by].join(" "), dependencies, () => ({
      sides,
      summary: summarizeSides(sides, by),
      pairs: new Map(),
      selections: new Map(),
    }));
  }

  async function chooseRows(sides: readonly Side[], filter: ComparisonFilter): Promise<Uint32Array> {
    const { search } = filter;
    if (search === undefined) return selectRows(sides, filter, null);
    const found = await Promise.all(sides.map(({ batch }) => results.numbers(batch.id, { search })));
    return selectRows(
      sides,
      filter,
      found.map((lines) => new Set(lines)),
    );
  }

  function select({ sides, selections }: ComparedSides, filter: ComparisonFilter): Promise<Uint32Array> {
    const key = JSON.stringify(filter);
    const known = selections.get(key);
    if (known !== undefined) return known;
    const choosing = chooseRows(sides, filter);
    choosing.catch(() => selections.delete(key));
    selections.set(key, choosing);
    return choosing;
  }

  /** Of each row, the result of it in each batch; `read`: with the marks of broken schemas, or without. */
  async function readRows(
    sides: readonly Side[],
    rows: readonly number[],
    read: "lines" | "checkedLines" = "lines",
  ): Promise<ResultDetail[][]> {
    const details = await Promise.all(
      sides.map(({ batch, lines }) =>
        results[read](
          batch.id,
          rows.map((row) => lines[row] ?? 0),
        ),
      ),
    );
    return rows.map((_, at) => details.flatMap((ofBatch) => ofBatch[at] ?? []));
  }

  return {
    async summary({ baseline = 0, ...compared }) {
      const { sides, summary, pairs } = await compare(compared);
      const found = pairs.get(baseline) ?? compareWith(baseline, sides);
      pairs.set(baseline, found);
      const prices = await Promise.all(sides.map(({ batch, index, lines }) => costs.ofSome(batch, index, lines)));
      const batches = summary.batches.map((side, place) => ({ ...side, cost: prices[place] ?? null }));
      return { ...summary, batches, pairs: found };
    },
    async page(compared, { filter, offset, limit }) {
      const comparison = await compare(compared);
      const rows = await select(comparison, filter);
      const details = await readRows(comparison.sides, [...rows.subarray(offset, offset + limit)], "checkedLines");
      return { total: rows.length, rows: details.map((row) => toComparisonRow(row, comparison.summary.by)) };
    },
    async rowOf(compared, filter, line) {
      const comparison = await compare(compared);
      const place = comparison.sides[0]?.lines.indexOf(line) ?? -1;
      const row = place === -1 ? -1 : (await select(comparison, filter)).indexOf(place);
      return row === -1 ? null : row;
    },
    async line(ids, line) {
      const { sides } = await compare({ ids });
      const row = sides[0]?.lines.indexOf(line) ?? -1;
      if (row === -1) throw new ServiceError("not_found", `Line ${line} is not in all of these batches.`, "line");
      return (await readRows(sides, [row], "checkedLines"))[0] ?? [];
    },
    async *details(compared, filter) {
      const comparison = await compare(compared);
      for (const rows of inSteps([...(await select(comparison, filter))])) {
        yield await readRows(comparison.sides, rows);
      }
    },
  };
}

/** The path that all batches are graded at, as columns name it; else the whole answer. */
function gradedPath(graders: readonly (Grader | null)[]): string {
  const paths = new Set(graders.map((grader) => (grader?.name === "json" ? grader.path : null)));
  const [path = null, ...others] = paths;
  if (path === null || others.length > 0) return "answer";
  const steps = path.replace(/^\$?\.?/, "").replace(/\[(?:'([^']*)'|"([^"]*)"|(\d+))\]/g, ".$1$2$3");
  return `${answerPrefix}${steps.replace(/^\./, "")}`;
}

function toComparisonRow(details: readonly ResultDetail[], by: string): ComparisonRow {
  const [first] = details.map((detail) => toRow(detail));
  const answered = details.filter(({ state }) => state === "answered");
  const compared = answered.map(({ answer }) => shownText(answer, by));
  const excerpts = cutAroundDifference(compared.filter((text) => text !== null));
  return {
    line: first?.line ?? 0,
    customId: first?.customId ?? "",
    question: first?.question ?? "",
    ...(first?.picture !== undefined && { picture: first.picture }),
    values: {},
    cells: details.map((detail) => {
      const at = answered.indexOf(detail);
      const { state, grade, verdict, claims, misfits } = detail;
      const shownBefore = compared.slice(0, at).filter((text) => text !== null).length;
      const text = compared[at] === null ? null : (excerpts[shownBefore] ?? "");
      const cell = { state, text: at === -1 ? cutText(detail.answer) : text, grade, verdict, claims };
      return misfits === undefined ? cell : { ...cell, misfits };
    }),
  };
}
