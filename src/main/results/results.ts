import {
  countErrors,
  type ErrorCounts,
  mostValues,
  type Preparation,
  type ResultChart,
  type ResultDetail,
  type ResultFilter,
  type ResultHit,
  type ResultRow,
  type ResultSort,
  type ResultSummary,
  type SearchProgress,
  type SentPicture,
} from "#contract";
import type { Machine } from "#main/base";
import { ServiceError } from "#main/base";
import { type BatchRecord, parseJson, type ValueLists } from "#main/storage";
import { type Choice, createLineChooser, type WantedChart, type WantedHit } from "./choose-lines.ts";
import type { Columns } from "./columns.ts";
import { wholeText } from "./cut-text.ts";
import type { DamageRecords } from "./damaged-answers.ts";
import { inSteps, numberLines } from "./export-lines.ts";
import { bodyOf, joinLine, type ResultLine, readLine, toRow } from "./join-line.ts";
import { createLineIndex } from "./line-index.ts";
import { type BatchLines, createLineOpener, type LineView, type LineViewDeps } from "./line-views.ts";
import { type Attempt, listRetries, listRetryable, type RetryableKind, rootOf } from "./merged.ts";
import { addMisfits, findMisfits } from "./misfits.ts";
import type { SchemaChecks } from "./schema-checks.ts";
import type { Searches, SearchThread } from "./searches.ts";
import { isEmptyFilter } from "./select-lines.ts";
import { showPicture } from "./sent-pictures.ts";
import { summarizeLines } from "./summarize-lines.ts";
import { whilePending } from "./while-pending.ts";

export interface Results {
  /** Of all lines, or of those that the filter leaves, once all that they depend on has been read. */
  page(
    batchId: string,
    offset: number,
    limit: number,
    filter?: ResultFilter,
    sort?: ResultSort,
    view?: ResultsView,
  ): Promise<ResultPage>;
  /** Such a page as far as it is known, up to ten times a second until all has been read. */
  rows(batchId: string, wanted: WantedRows, view?: ResultsView, signal?: AbortSignal): AsyncGenerator<ResultRows>;
  /** The same rows with their texts whole, to be copied. */
  wholeRows(batchId: string, wanted: WantedRows, view?: ResultsView): Promise<ResultRow[]>;
  /** The row of a line, from 0, among those that the filter leaves, in the order asked for; null when it is not one of them. */
  rowOf(batchId: string, line: number, choice: Choice, view?: ResultsView): Promise<number | null>;
  line(batchId: string, line: number, view?: ResultsView): Promise<ResultDetail>;
  /** The numbers of the lines that the filter leaves, in the order asked for; default: ascending. */
  numbers(batchId: string, filter?: ResultFilter, view?: ResultsView, sort?: ResultSort): Promise<number[]>;
  /** Stores values with a batch, for a condition with a list, and resolves with the list's id. */
  keepList(batchId: string, values: readonly string[]): Promise<string>;
  /** The lines that the filter leaves, counted. */
  summary(batchId: string, filter?: ResultFilter, view?: ResultsView): Promise<ResultSummary>;
  /** How many answers break the JSON schemas of their requests, of those that are there. */
  countMisfits(batchId: string, view?: ResultsView, signal?: AbortSignal): Promise<number>;
  /** The lines that the filter leaves by the values of a column; null when the batch has no lines. */
  chart(batchId: string, wanted: WantedChart, view?: ResultsView, signal?: AbortSignal): Promise<ResultChart | null>;
  /**
   * Looks for a text in the requests and answers of all lines, and tells how many of those that the filter leaves hold it,
   * at most ten times a second. Ends when all has been read.
   */
  search(
    batchId: string,
    text: string,
    filter?: ResultFilter,
    view?: ResultsView,
    signal?: AbortSignal,
  ): AsyncGenerator<SearchProgress>;
  /** The next hit after a row, or before it; it waits for the search where that has not come so far. */
  findHit(batchId: string, wanted: WantedHit, view?: ResultsView, signal?: AbortSignal): Promise<ResultHit | null>;
  /** The lines of a batch that can be asked again: those that no retry has answered better, or is about to. */
  left(batchId: string): Promise<LinesLeft>;
  /** Of a retry, which lines of the batch that it began with its lines are; null for any other batch. */
  retriedLines(batchId: string): Promise<RetriedLines | null>;
  /** A picture of a line's request, from 0; `small` where many are shown. Nothing is fetched. */
  picture(batchId: string, wanted: WantedPicture, view?: ResultsView): Promise<SentPicture>;
  /** Several lines in full, in the order that is asked for. */
  lines(batchId: string, lines: readonly number[], view?: ResultsView): Promise<ResultDetail[]>;
  /** The same, marked where answers break the schemas of their requests. */
  checkedLines(batchId: string, lines: readonly number[]): Promise<ResultDetail[]>;
  /**
   * The lines of output and error file, each with its line end, in the order of their numbers; default: all, in the order
   * of the input. A line that has been verified or graded has its verdict as `verification` and its grade as `grade`, too
   * (docs/verify-batches.md). Those whose answer is damaged on disk are left out; `onDamaged` is called with each such.
   */
  exportLines(
    batchId: string,
    view?: ResultsView,
    lines?: readonly number[],
    onDamaged?: () => void,
  ): AsyncIterable<Uint8Array>;
  /** Lines without their messages, with what shows why they have their verdicts, as many at a time as are read at once. */
  exportRows(batchId: string, lines: readonly number[], view?: ResultsView): AsyncIterable<readonly ResultLine[]>;
}

interface WantedPicture {
  readonly line: number;
  readonly place: number;
  readonly small?: boolean | undefined;
}

const noneLeft: LinesLeft = {
  ...{ failed: 0, errors: {}, damaged: 0, neverRan: 0, awaited: 0, mayBePaid: 0, cut: 0, empty: 0 },
};

export interface LinesLeft {
  readonly failed: number;
  /** These by their errors. */
  readonly errors: ErrorCounts;
  readonly damaged: number;
  readonly neverRan: number;
  /** Lines whose results the service counted as done and has not handed out. */
  readonly awaited: number;
  /** These, and lines whose results can't be read or are gone. */
  readonly mayBePaid: number;
  /** Their answers were cut by the limit of their tokens, or are empty. */
  readonly cut: number;
  readonly empty: number;
}

export interface WantedRows extends Choice {
  /** From 0. */
  readonly offset: number;
  readonly limit: number;
}

export interface RetriedLines {
  readonly rootId: string;
  /** By the lines of the retry, ascending. */
  readonly lines: readonly number[];
}

/** Some rows of the `total` that there are. */
export interface ResultPage {
  readonly total: number;
  readonly rows: ResultRow[];
}

/** Some rows of those found so far: `total` is null while none is, `progress` once all has been read. */
export interface ResultRows {
  readonly total: number | null;
  readonly rows: ResultRow[];
  readonly progress: Preparation | null;
}

/**
 * With `merged`, the lines are those of the batch, each with the newest answer that it or one of its retries has, else with
 * the newest of what else resulted from it.
 */
export interface ResultsView {
  readonly merged?: boolean | undefined;
}

export interface ResultsDeps extends LineViewDeps {
  readonly machine: Pick<Machine, "after">;
  readonly searches: Searches;
  readonly damage: Pick<DamageRecords, "compareAll">;
  readonly columns: Columns;
  /** Where answers are checked by the schemas of their requests. */
  readonly thread: SearchThread;
  readonly schemaChecks: SchemaChecks;
  readonly lists: ValueLists;
  /** Whether a batch is in the own data folder. */
  readonly isOwn: (batchId: string) => boolean;
}

/** Reads the lines of batches joined with their answers, while they run and after. */
export function createResults(parts: ResultsDeps): Results {
  const { machine, searches, columns, damage, store, indexes, merged: retryGroups, thread, schemaChecks } = parts;
  const { lists, isOwn } = parts;
  const openLines = createLineOpener(parts);
  const chooser = createLineChooser({ machine, searches, columns, lists });

  function find(id: string): BatchRecord {
    const batch = store.batches.get(id);
    if (batch === undefined) throw new ServiceError("not_found", `No such batch: ${id}.`, "batch_id");
    return batch;
  }

  /** Null when the file of the batch has not passed a check, so that there are no lines to speak of. */
  async function open(batchId: string, { merged = false }: ResultsView = {}): Promise<BatchLines | null> {
    const batch = find(batchId);
    return batch.counts.total === 0 ? null : openLines(batch, await indexes.get(batch), merged);
  }

  async function openView(batchId: string, view?: ResultsView): Promise<LineView | null> {
    return (await open(batchId, view))?.view() ?? null;
  }

  /** Numbers of lines. All of them, in their own order, are known without a look at the result of them. */
  async function choose({ total, view }: BatchLines, filter: ResultFilter = {}, sort?: ResultSort): Promise<number[]> {
    if (isEmptyFilter(filter) && sort === undefined) return numberLines(1, total);
    return [...(await chooser.select(await view(), { filter, sort }))];
  }

  async function* followRows(
    batchId: string,
    { offset, limit, ...choice }: WantedRows,
    view: ResultsView | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<ResultRows> {
    const { filter = {}, sort, columns = [] } = choice;
    const isWhole = isEmptyFilter(filter) && sort === undefined;
    const opening = open(batchId, view).then(
      async (opened) => opened && { ...opened, all: isWhole && columns.length === 0 ? null : await opened.view() },
    );
    for await (const _ of whilePending(opening, machine, signal)) {
      const progress = indexes.building();
      if (progress !== null) yield { total: null, rows: [], progress: { step: "indexing", ...progress } };
    }
    if (signal.aborted) return;
    const opened = await opening;
    if (opened === null) {
      yield { total: 0, rows: [], progress: null };
      return;
    }
    const { total, all } = opened;
    const readRows = async (lines: readonly number[]) => {
      const texts = await opened.read(lines);
      const read = texts.map((text) => ({ request: text.request, line: readLine(text) }));
      const misfits = await findMisfits(thread, read);
      return read.map(({ line }, at) => addMisfits(toRow(line), misfits[at]));
    };
    const found = all === null ? [{ lines: null, progress: null }] : chooser.follow(all, choice, signal);
    for await (const { lines, progress } of found) {
      if (isWhole) {
        const numbers = numberLines(offset + 1, Math.max(0, Math.min(limit, total - offset)));
        yield { total, rows: await readRows(numbers), progress };
      } else {
        const rows = lines === null ? [] : await readRows([...lines.subarray(offset, offset + limit)]);
        yield { total: lines?.length ?? null, rows, progress };
      }
    }
  }

  /** @throws ServiceError where the batch has no such line */
  async function readText(batchId: string, line: number, view: ResultsView | undefined) {
    const opened = await open(batchId, view);
    const isThere = opened !== null && Number.isInteger(line) && line >= 1 && line <= opened.total;
    const [text] = isThere ? await opened.read([line]) : [];
    if (text === undefined) throw new ServiceError("not_found", `Batch ${batchId} has no line ${line}.`, "line");
    return text;
  }

  async function readDetails(batchId: string, lines: readonly number[], view?: ResultsView): Promise<ResultDetail[]> {
    const opened = await open(batchId, view);
    return opened === null ? [] : (await opened.read(lines)).map(joinLine);
  }

  async function* readRows(batchId: string, lines: readonly number[], view: ResultsView | undefined) {
    const opened = await open(batchId, view);
    if (opened === null) return;
    for (const some of inSteps(lines)) yield (await opened.read(some, { withReasons: true })).map(readLine);
  }

  async function* readWire(
    batchId: string,
    view: ResultsView | undefined,
    lines: readonly number[] | undefined,
    onDamaged: (() => void) | undefined,
  ) {
    const opened = await open(batchId, view);
    if (opened === null) return;
    for (const some of inSteps(lines ?? numberLines(1, opened.total))) {
      for (const line of await opened.readWire(some)) {
        if (line === "damaged") onDamaged?.();
        else yield line;
      }
    }
  }

  /** What is read along lines; nothing where there are none. */
  async function* readAlong<T>(
    batchId: string,
    view: ResultsView | undefined,
    read: (lines: LineView) => AsyncGenerator<T>,
  ) {
    const lines = await openView(batchId, view);
    if (lines !== null) yield* read(lines);
  }

  return {
    async page(batchId, offset, limit, filter, sort, view) {
      for await (const { total, rows, progress } of followRows(
        batchId,
        { offset, limit, filter, sort },
        view,
        neverAborted,
      )) {
        if (progress === null && total !== null) return { total, rows };
      }
      throw new Error("Rows were read without an end.");
    },
    rows: (batchId, wanted, view, signal = neverAborted) => followRows(batchId, wanted, view, signal),
    async wholeRows(batchId, { offset, limit, filter, sort }, view) {
      const opened = await open(batchId, view);
      if (opened === null) return [];
      const lines = (await choose(opened, filter, sort)).slice(offset, offset + limit);
      return (await opened.read(lines)).map((text) => toRow(readLine(text), wholeText));
    },
    async rowOf(batchId, line, { filter, sort }, view) {
      const opened = await open(batchId, view);
      const row = opened === null ? -1 : (await choose(opened, filter, sort)).indexOf(line);
      return row === -1 ? null : row;
    },
    line: async (batchId, line, view) => joinLine(await readText(batchId, line, view)),
    async picture(batchId, { line, place, small = false }, view) {
      const { request, isRequestDamaged } = await readText(batchId, line, view);
      return showPicture((isRequestDamaged ? null : bodyOf(parseJson(request))) ?? {}, place, small);
    },
    async numbers(batchId, filter, view, sort) {
      const opened = await open(batchId, view);
      return opened === null ? [] : choose(opened, filter, sort);
    },
    async keepList(batchId, values) {
      find(batchId);
      if (!isOwn(batchId)) {
        const next = `Filter by at most ${mostValues} values, or open that folder.`;
        throw new ServiceError(
          "batch_read_only",
          `This batch is in another data folder, where no list is stored. ${next}`,
        );
      }
      return lists.keep(batchId, values);
    },
    async summary(batchId, filter, view) {
      const lines = await openView(batchId, view);
      return lines === null
        ? summarizeLines(noLines, new Uint32Array())
        : summarizeLines(lines, await chooser.select(lines, { filter }));
    },
    async countMisfits(batchId, view, signal = neverAborted) {
      const lines = await openView(batchId, view);
      if (lines === null) return 0;
      const found = new Set<number>();
      await schemaChecks.find(lines, (line) => found.add(line), { report: () => {}, signal });
      return found.size;
    },
    async chart(batchId, wanted, view, signal = neverAborted) {
      const lines = await openView(batchId, view);
      return lines && chooser.chart(lines, wanted, signal);
    },
    search(batchId, text, filter, view, signal = neverAborted) {
      find(batchId);
      return readAlong(batchId, view, (lines) => chooser.search(lines, text, filter, signal));
    },
    async findHit(batchId, wanted, view, signal = neverAborted) {
      const lines = await openView(batchId, view);
      return lines && chooser.findHit(lines, wanted, signal);
    },
    async left(batchId) {
      const batch = find(batchId);
      if (batch.counts.total === 0) return noneLeft;
      const root = rootOf(batch, store);
      // Which lines a record has as damaged is known once they are compared.
      for (const one of [root, ...listRetries(store, root.id)]) if (one.damaged !== null) await damage.compareAll(one);
      const retryGroup = await retryGroups.get(root);
      const list = (kind: RetryableKind) =>
        listRetryable(retryGroup, batchId, kind).filter(({ isUnderWay }) => !isUnderWay);
      const count = (kind: RetryableKind) => list(kind).length;
      const [damaged, neverRan] = [count("damaged"), count("never_ran")];
      const failed = [...list("failed"), ...list("refused")].filter(
        ({ place }) => retryGroup.stateOf(place) === "failed",
      );
      const [awaited, mayBePaid] = [count("awaited"), count("may_be_paid")];
      return {
        failed: failed.length,
        errors: countErrors(failed.map(({ place }) => retryGroup.errorOf(place))),
        ...{ damaged, neverRan, awaited, mayBePaid, cut: count("cut"), empty: count("empty") },
      };
    },
    async retriedLines(batchId) {
      const batch = store.batches.get(batchId);
      if (batch?.link?.kind !== "retry" || batch.counts.total === 0) return null;
      const root = rootOf(batch, store);
      const retryGroup = await retryGroups.get(root);
      const at = retryGroup.batches.findIndex(({ id }) => id === batchId);
      const isOwn = (attempt: Attempt) => attempt.batch === at;
      const lines = numberLines(1, retryGroup.total).filter((line) => retryGroup.attempts(line).some(isOwn));
      return lines.length === batch.counts.total ? { rootId: root.id, lines } : null;
    },
    lines: readDetails,
    async checkedLines(batchId, lines) {
      const details = await readDetails(batchId, lines);
      const read = details.map((line) => ({ request: line.rawRequest, line }));
      const misfits = await findMisfits(thread, read);
      return details.map((line, at) => addMisfits(line, misfits[at]));
    },
    exportLines(batchId, view, lines, onDamaged) {
      find(batchId);
      return readWire(batchId, view, lines, onDamaged);
    },
    exportRows(batchId, lines, view) {
      find(batchId);
      return readRows(batchId, lines, view);
    },
  };
}

const noLines = { index: createLineIndex(new Float64Array(1)), marks: { verdicts: null, grades: null }, costs: null };

const neverAborted = new AbortController().signal;
