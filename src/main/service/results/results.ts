import type {
  Grade,
  LineGrade,
  Preparation,
  ResultDetail,
  ResultFilter,
  ResultHit,
  ResultRow,
  ResultSort,
  ResultSummary,
  SearchProgress,
  Verdict,
  VerifyResult,
} from "#contract";
import { ServiceError } from "../errors.ts";
import type { BatchRecord, Store } from "../store/index.ts";
import { pathsOf } from "./batch-paths.ts";
import { type Choice, createLineChooser, type WantedHit } from "./choose-lines.ts";
import type { Columns } from "./columns.ts";
import { inSteps, numberLines, readExported } from "./export-lines.ts";
import type { IndexCache } from "./index-cache.ts";
import { joinLine, type LineText, toRow } from "./join-line.ts";
import { createLineCosts, type LineCosts, type LinePrice, type Prices } from "./line-costs.ts";
import { createLineIndex, type LineIndex } from "./line-index.ts";
import { listLeft, type MergedBatches, type MergedLines, rootOf } from "./merged.ts";
import { type MergedIndex, mergeIndexes } from "./merged-index.ts";
import { readAnswers, readRanges } from "./read-lines.ts";
import { gatherLines, selectMerged } from "./read-merged.ts";
import type { Searches } from "./searches.ts";
import { isEmptyFilter, type MarkIndex } from "./select-lines.ts";
import { summarizeLines } from "./summarize-lines.ts";
import { type ModelUsage, sumUsage } from "./usage.ts";

export interface Results {
  /** Of all lines, or of those that the filter leaves. */
  page(
    batchId: string,
    offset: number,
    limit: number,
    filter?: ResultFilter,
    sort?: ResultSort,
    view?: ResultsView,
  ): Promise<ResultPage>;
  /** Reads what a choice of lines needs, and tells how far that is. Ends when all has been read. */
  prepare(batchId: string, wanted: Choice, signal?: AbortSignal): AsyncGenerator<Preparation>;
  line(batchId: string, line: number, view?: ResultsView): Promise<ResultDetail>;
  /** The numbers of the lines that the filter leaves, ascending. */
  numbers(batchId: string, filter?: ResultFilter, view?: ResultsView): Promise<number[]>;
  /** The lines that the filter leaves, counted. */
  summary(batchId: string, filter?: ResultFilter, view?: ResultsView): Promise<ResultSummary>;
  /**
   * Looks for a text in the requests and answers of all lines, and tells how many of those that the filter leaves hold it,
   * at most ten times a second. Ends when all has been read.
   */
  search(batchId: string, text: string, filter?: ResultFilter, signal?: AbortSignal): AsyncGenerator<SearchProgress>;
  /** The next hit after a row, or before it; it waits for the search where that has not come so far. */
  findHit(batchId: string, wanted: WantedHit, signal?: AbortSignal): Promise<ResultHit | null>;
  /** What the answers so far took, by model. */
  usage(batchId: string): Promise<ModelUsage[]>;
  /** The lines of a batch that failed or never ran, and that no retry has answered, or is about to. */
  left(batchId: string): Promise<{ failed: number; neverRan: number }>;
  /** Several lines in full, in the order that is asked for. */
  lines(batchId: string, lines: readonly number[], view?: ResultsView): Promise<ResultDetail[]>;
  /**
   * The lines of output and error file in the order of the input, each with its line end. A line that has been verified
   * or graded has its verdict as `verification` and its grade as `grade`, too (docs/verify-batches.md).
   */
  exportLines(batchId: string, view?: ResultsView, filter?: ResultFilter): AsyncIterable<Uint8Array>;
  /** The lines that the filter leaves in full, in the order of the input, as many at a time as are read at once. */
  details(batchId: string, view?: ResultsView, filter?: ResultFilter): AsyncIterable<readonly ResultDetail[]>;
}

/** Some rows. While columns are still being read there may be more than `total`; `isWhole` is false then. */
export interface ResultPage {
  readonly total: number;
  readonly rows: ResultRow[];
  readonly isWhole: boolean;
}

/**
 * With `merged`, the lines are those of the batch, each with the newest answer that it or one of its retries has, else with
 * the newest of what else came of it. They stay in the order of the batch, whatever is to be sorted by.
 */
export interface ResultsView {
  readonly merged?: boolean | undefined;
}

/** What came of the lines of a batch in a run over it. */
interface LineMarks<Mark extends string, Result> {
  readonly index: MarkIndex<Mark>;
  /** The results of these lines, in their order; null where there is none. */
  results(lines: readonly number[]): Promise<readonly (Result | null)[]>;
}

export interface ResultsParts {
  readonly store: Store;
  readonly indexes: IndexCache;
  readonly searches: Searches;
  readonly columns: Columns;
  /** What prices of answers are known: they are the host's. */
  readonly readPrices: () => Prices | null;
  readonly merged: MergedBatches;
  readonly verdicts: { get(batch: BatchRecord): Promise<LineMarks<Verdict, VerifyResult> | null> };
  readonly grades: { get(batch: BatchRecord): Promise<LineMarks<Grade, LineGrade> | null> };
}

/** Reads the lines of batches joined with their answers, while they run and after. */
export function createResults(parts: ResultsParts): Results {
  const { searches, columns, readPrices, store, indexes, merged, verdicts, grades } = parts;

  function find(id: string): BatchRecord {
    const batch = store.batches.get(id);
    if (batch === undefined) throw new ServiceError("not_found", `No such batch: ${id}.`, "batch_id");
    return batch;
  }

  /** The index of a batch; null when its file has not passed a check, so that there are no lines to speak of. */
  async function indexOf(batch: BatchRecord): Promise<LineIndex | null> {
    return batch.counts.total === 0 ? null : indexes.get(batch);
  }

  /** What is read along the lines of a batch; nothing where there are none. */
  async function* readWith<T>(batch: BatchRecord, read: (index: LineIndex) => AsyncGenerator<T>): AsyncGenerator<T> {
    const index = await indexOf(batch);
    if (index !== null) yield* read(index);
  }

  async function readLines(batch: BatchRecord, index: LineIndex, lines: readonly number[]): Promise<LineText[]> {
    const answers = lines.map((line) => index.answer(line));
    const paths = pathsOf(batch, store);
    const [costs, requests, responses, judged, graded] = await Promise.all([
      costsOf(batch, index),
      readRanges(paths.input, lines.map(index.request)),
      readAnswers(paths, answers),
      verdicts.get(batch),
      grades.get(batch),
    ]);
    return lines.map((line, at) => ({
      line,
      request: textOf(requests[at]) ?? "",
      response: textOf(responses[at]),
      asked: { batchId: batch.id, line },
      milliseconds: answers[at]?.milliseconds ?? null,
      cost: toNullable(costs?.(line - 1)),
      verdict: judged?.index.mark(line) ?? null,
      grade: graded?.index.mark(line) ?? null,
    }));
  }

  const knownCosts = new WeakMap<LineIndex, { readonly price: LinePrice; readonly costs: LineCosts }>();

  /** What the answer of each line cost; null where no price is known. */
  async function costsOf(batch: BatchRecord, index: LineIndex): Promise<LineCosts | null> {
    const price = (await readPrices()?.priceOf(batch)) ?? null;
    if (price === null) return null;
    const known = knownCosts.get(index);
    if (known?.price === price) return known.costs;
    const costs = createLineCosts(index, batch.models, price);
    knownCosts.set(index, { price, costs });
    return costs;
  }

  async function marksOf(batch: BatchRecord) {
    const [judged, graded] = await Promise.all([verdicts.get(batch), grades.get(batch)]);
    return { verdicts: judged?.index ?? null, grades: graded?.index ?? null };
  }

  const chooser = createLineChooser({ store, searches, columns, marksOf, costsOf });

  /** The last merged lines with what they were made of: another part, another index. */
  let lastMerged: { readonly basis: readonly unknown[]; readonly merged: MergedIndex } | null = null;

  async function openMerged(family: MergedLines): Promise<MergedIndex> {
    const marks = await Promise.all(family.batches.map(marksOf));
    const basis = [
      ...family.indexes.flatMap((index) => [index, index?.version]),
      ...marks.flatMap(({ verdicts, grades }) => [verdicts, verdicts?.done, grades, grades?.done]),
    ];
    const isCurrent =
      lastMerged?.basis.length === basis.length && lastMerged.basis.every((one, at) => one === basis[at]);
    if (lastMerged === null || !isCurrent) lastMerged = { basis, merged: mergeIndexes(family, marks) };
    return lastMerged.merged;
  }

  const chooseAll = (filter: ResultFilter) => async (batch: BatchRecord, index: LineIndex) =>
    (await chooser.page(batch, index, { offset: 0, limit: index.total, filter })).lines;

  /** Lines of a batch with what came of them in it and its retries. */
  async function readMerged(batch: BatchRecord, lines: readonly number[]): Promise<LineText[]> {
    const texts = await gatherLines(await merged.get(batch), lines, readLines);
    return texts.flatMap((text, at) => (text === null ? [] : [{ ...text, line: lines[at] ?? text.line }]));
  }

  async function linesOfMerged(batch: BatchRecord, filter: ResultFilter = {}): Promise<number[]> {
    const family = await merged.get(batch);
    return isEmptyFilter(filter) ? numberLines(1, family.total) : await selectMerged(family, chooseAll(filter));
  }

  async function pageMerged(batch: BatchRecord, offset: number, limit: number, filter?: ResultFilter) {
    const lines = await linesOfMerged(batch, filter);
    const texts = await readMerged(batch, lines.slice(offset, offset + limit));
    return { total: lines.length, rows: texts.map((text) => toRow(joinLine(text))), isWhole: true };
  }

  async function* exportMerged(batch: BatchRecord, filter?: ResultFilter): AsyncGenerator<Uint8Array> {
    const family = await merged.get(batch);
    for (const lines of inSteps(await linesOfMerged(batch, filter))) {
      const written = await gatherLines(family, lines, async (one, index, own) => {
        const [judged, graded] = await Promise.all([verdicts.get(one), grades.get(one)]);
        return readExported({ index, paths: pathsOf(find(one.id), store), verdicts: judged, grades: graded }, own);
      });
      for (const line of written) if (line !== null) yield line;
    }
  }

  async function* exportBatch(batch: BatchRecord, filter: ResultFilter = {}): AsyncGenerator<Uint8Array> {
    const index = await indexOf(batch);
    if (index === null) return;
    const [judged, graded] = await Promise.all([verdicts.get(batch), grades.get(batch)]);
    for (const lines of inSteps(await chooseAll(filter)(batch, index))) {
      // The paths are asked again for each step: a file may be deleted meanwhile.
      const source = { index, paths: pathsOf(find(batch.id), store), verdicts: judged, grades: graded };
      for (const line of await readExported(source, lines)) if (line !== null) yield line;
    }
  }

  async function* readDetails(
    batch: BatchRecord,
    view: ResultsView = {},
    filter: ResultFilter = {},
  ): AsyncGenerator<readonly ResultDetail[]> {
    const index = await indexOf(batch);
    if (index === null) return;
    const all = await (view.merged ? linesOfMerged(batch, filter) : chooseAll(filter)(batch, index));
    for (const lines of inSteps(all)) {
      const texts = await (view.merged ? readMerged(batch, lines) : readLines(batch, index, lines));
      yield texts.map(joinLine);
    }
  }

  return {
    async page(batchId, offset, limit, filter, sort, view) {
      const batch = find(batchId);
      if (view?.merged) return pageMerged(batch, offset, limit, filter);
      const index = await indexOf(batch);
      if (index === null) return { total: 0, rows: [], isWhole: true };
      const patience = limit === 0 ? undefined : pagePatience;
      const { lines, ...page } = await chooser.page(batch, index, { offset, limit, filter, sort }, patience);
      return { ...page, rows: (await readLines(batch, index, lines)).map((line) => toRow(joinLine(line))) };
    },
    prepare(batchId, choice, signal = neverAborted) {
      const batch = find(batchId);
      return readWith(batch, (index) => chooser.prepare(batch, index, choice, signal));
    },
    async line(batchId, line, view) {
      const batch = find(batchId);
      const index = await indexOf(batch);
      const isThere = index !== null && Number.isInteger(line) && line >= 1 && line <= index.total;
      const [text] = !isThere ? [] : await (view?.merged ? readMerged(batch, [line]) : readLines(batch, index, [line]));
      if (text === undefined) throw new ServiceError("not_found", `Batch ${batchId} has no line ${line}.`, "line");
      return joinLine(text);
    },
    async numbers(batchId, filter, view) {
      const batch = find(batchId);
      if (view?.merged) return linesOfMerged(batch, filter);
      const index = await indexOf(batch);
      return index === null ? [] : [...(await chooser.select(batch, index, { filter }))];
    },
    async summary(batchId, filter = {}, view) {
      const batch = find(batchId);
      if (view?.merged) {
        const family = await merged.get(batch);
        const { index, marks } = await openMerged(family);
        return summarizeLines({ index, marks }, Uint32Array.from(await linesOfMerged(batch, filter)));
      }
      const index = (await indexOf(batch)) ?? createLineIndex(new Float64Array(1));
      const [marks, costs] = await Promise.all([marksOf(batch), costsOf(batch, index)]);
      return summarizeLines({ index, marks, costs }, await chooser.select(batch, index, { filter }));
    },
    search(batchId, text, filter, signal = neverAborted) {
      const batch = find(batchId);
      return readWith(batch, (index) => chooser.search(batch, index, text, filter, signal));
    },
    async findHit(batchId, wanted, signal = neverAborted) {
      const batch = find(batchId);
      const index = await indexOf(batch);
      return index === null ? null : chooser.findHit(batch, index, wanted, signal);
    },
    async usage(batchId) {
      const batch = find(batchId);
      const index = await indexOf(batch);
      return index === null ? [] : sumUsage(index, batch.models);
    },
    async left(batchId) {
      const batch = find(batchId);
      if (batch.counts.total === 0) return { failed: 0, neverRan: 0 };
      const family = await merged.get(rootOf(batch, store));
      const count = (state: "failed" | "skipped") =>
        listLeft(family, batchId, state).filter(({ isUnderWay }) => !isUnderWay).length;
      return { failed: count("failed"), neverRan: count("skipped") };
    },
    async lines(batchId, lines, view) {
      const batch = find(batchId);
      if (view?.merged) return (await readMerged(batch, lines)).map(joinLine);
      const index = await indexOf(batch);
      return index === null ? [] : (await readLines(batch, index, lines)).map(joinLine);
    },
    exportLines: (batchId, view, filter) => (view?.merged ? exportMerged : exportBatch)(find(batchId), filter),
    details: (batchId, view, filter) => readDetails(find(batchId), view, filter),
  };
}

const neverAborted = new AbortController().signal;

/** How long a page waits for columns that are being read, in milliseconds, before it has what was found so far. */
const pagePatience = 150;

function toNullable(value = Number.NaN): number | null {
  return Number.isNaN(value) ? null : value;
}

function textOf(bytes: Buffer | null | undefined): string | null {
  return bytes?.toString().replace(/[\r\n]+$/, "") ?? null;
}
