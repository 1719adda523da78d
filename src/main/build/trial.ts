import {
  allRows,
  type BuildInput,
  batchEndpoint,
  completionWindow,
  finalStatuses,
  type KeptTrial,
  messageText,
  type ResultDetail,
  type Rows,
  type SourceColumns,
  type TrialProgress,
  type TrialRow,
} from "#contract";
import { readAnswerFields } from "#main/answers";
import type { Clock, Logger } from "#main/base";
import { countPromptTokens } from "#main/requests";
import type { Service } from "#main/service";
import { readBytes } from "#main/storage";
import { BuildError } from "./errors.ts";
import type { InputWriter } from "./input-writer.ts";
import { describeSourceColumns, type FindUsedColumns } from "./source-columns.ts";
import type { SourceStore } from "./sources/source-store.ts";
import type { StoredTrial, TrialStore } from "./trial-store.ts";

export interface TrialDeps extends KeptTrialDeps {
  readonly writer: Pick<InputWriter, "prepare">;
  readonly service: Pick<Service, "files" | "batches" | "results">;
  readonly clock: Pick<Clock, "monotonic">;
}

interface KeptTrialDeps {
  readonly logger: Pick<Logger, "warn">;
  readonly service: Pick<Service, "batches" | "results">;
  readonly sources: Pick<SourceStore, "get" | "rows">;
  readonly findUsedColumns: FindUsedColumns;
  readonly store: TrialStore;
}

export interface TrialInput extends Omit<BuildInput, "rows"> {
  readonly draftId: string;
  /** The name of the version that is tried. */
  readonly version?: string;
  readonly rows: Pick<Rows, "take" | "count" | "filter"> & { readonly take: Exclude<Rows["take"], "all"> };
}

/** Runs a few rows as a batch that is not listed, and reports their answers as they arrive. The trial is kept with its draft. */
export async function* runTrial(
  { clock, ...deps }: TrialDeps,
  trial: TrialInput,
  signal?: AbortSignal,
): AsyncGenerator<TrialProgress> {
  const { service, store } = deps;
  const startedAt = clock.monotonic();
  const { started, table } = await startTrial(deps, trial, signal);
  const { batchId } = started;
  let changed = Promise.withResolvers<void>();
  const wake = () => changed.resolve();
  const stop = service.batches.subscribe((batch) => batch.id === batchId && wake());
  signal?.addEventListener("abort", wake, { once: true });
  let finished = false;
  try {
    await store.keep(started);
    while (!finished) {
      changed = Promise.withResolvers();
      const batch = service.batches.get(batchId);
      finished = batch === undefined || finalStatuses.has(batch.status) || signal?.aborted === true;
      yield {
        batchId,
        finished,
        waiting: batch?.waiting ?? null,
        source: table.source,
        rows: await readRows(deps, started, table),
      };
      if (!finished) await changed.promise;
    }
  } finally {
    stop();
    const batch = service.batches.get(batchId);
    if (batch !== undefined && !finalStatuses.has(batch.status))
      await service.batches.cancel(batchId).catch(() => undefined);
    await store.keep({ ...started, milliseconds: clock.monotonic() - startedAt });
  }
}

/** The trials that are kept with a draft, as far as their tables and answers are there. */
export async function readKeptTrials(deps: KeptTrialDeps, draftId: string): Promise<KeptTrial[]> {
  const trials: KeptTrial[] = [];
  for (const kept of await deps.store.list(draftId)) {
    if (deps.service.batches.get(kept.batchId) === undefined) continue;
    try {
      const table = await readTable(deps, kept);
      const { batchId, input, milliseconds } = kept;
      trials.push({ batchId, input, milliseconds, source: table.source, rows: await readRows(deps, kept, table) });
    } catch (error) {
      // A table that was removed, or is read with other columns now, needs no word. The other trials are shown all the same.
      if (!(error instanceof BuildError))
        deps.logger.warn("a trial can't be read", { batch: kept.batchId, error: String(error) });
    }
  }
  return trials;
}

/** Nothing can fail after the batch was created: whoever sees nothing of a trial doesn't pay for it. */
async function startTrial(
  deps: Omit<TrialDeps, "clock" | "store">,
  trial: TrialInput,
  signal: AbortSignal | undefined,
): Promise<{ readonly started: StoredTrial; readonly table: TriedTable }> {
  const { inputFileId, tried, table } = await prepareTrial(deps, trial, signal);
  const batch = await deps.service.batches.create({
    inputFileId,
    endpoint: batchEndpoint,
    completionWindow,
    connection: trial.template.connectionId,
    link: { kind: "trial", root: trial.draftId },
    direct: true,
  });
  return { started: { ...tried, batchId: batch.id, milliseconds: null }, table };
}

/** Writes the rows as an input file. */
async function prepareTrial(
  { writer, service, ...deps }: Omit<TrialDeps, "clock" | "store">,
  { draftId, version = "", rows, ...input }: TrialInput,
  signal: AbortSignal | undefined,
) {
  for await (const { file } of writer.prepare({ ...input, rows: { ...allRows, ...rows, skipFaulty: true } }, signal)) {
    if (file === null) continue;
    try {
      const written = file.written.map((span) => [...span] as [number, number]);
      const tried = { input: { ...input, draftId, version, rows }, written };
      const table = await readTable(deps, tried);
      const { connectionId: connection } = input.template;
      const upload = await service.files.receive(readBytes(file.path), { connection, isGenerated: true });
      const { id: inputFileId } = await upload.store({ filename: "trial.jsonl", purpose: "batch" });
      return { inputFileId, tried, table };
    } finally {
      await file.remove();
    }
  }
  throw new BuildError("refused", "There is no row to try.");
}

/** The rows of the table that are tried. */
async function readTable(
  { sources, findUsedColumns }: Pick<KeptTrialDeps, "sources" | "findUsedColumns">,
  { input: { sourceId, template }, written }: Pick<StoredTrial, "input" | "written">,
): Promise<TriedTable> {
  const { holds, columns } = await sources.get(sourceId);
  const source = await describeSourceColumns(holds === "rows" ? columns : [], template, findUsedColumns);
  const rows = new Map<number, Readonly<Record<string, string>>>();
  if (source.columns.length === 0) return { source: { ...source, hasChosenIds: true }, rows };
  for (const [from, to] of written) {
    const found = await sources.rows(sourceId, from - 1, to - from + 1);
    for (const { row, cells } of found.rows) rows.set(row, cells);
  }
  return { source, rows };
}

async function readRows(
  { service }: Pick<KeptTrialDeps, "service">,
  { batchId, written }: StoredTrial,
  table: TriedTable,
): Promise<TrialRow[]> {
  const numbers = written.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, at) => from + at));
  const batch = service.batches.get(batchId);
  if (batch === undefined || batch.counts.total === 0)
    return numbers.map((row) => ({ ...waitingRow, row, ...cellsOf(row, table) }));
  const lines = numbers.map((_, at) => at + 1);
  const found = await service.results.checkedLines(batchId, lines);
  return found.map((detail, at) => {
    const row = numbers[at] ?? 0;
    return { ...toTrialRow(detail), row, ...cellsOf(row, table) };
  });
}

function cellsOf(row: number, { source, rows }: TriedTable): Pick<TrialRow, "expected" | "cells"> {
  const { inPrompt, expected } = source;
  const cells = rows.get(row);
  return {
    expected: (expected === null ? null : cells?.[expected]) ?? null,
    cells: Object.fromEntries(inPrompt.map((column) => [column, cells?.[column] ?? ""])),
  };
}

interface TriedTable {
  readonly source: SourceColumns;
  /** Its cells by row and column; none of a file of requests. */
  readonly rows: ReadonlyMap<number, Readonly<Record<string, string>>>;
}

type ReadRow = Omit<TrialRow, "row" | "expected" | "cells">;

const nothingYet = { milliseconds: null, promptTokens: null, completionTokens: null, cost: null };
const waitingRow = {
  state: "waiting",
  customId: "",
  question: "",
  answer: "",
  fields: null,
  ...nothingYet,
} as const;

function toTrialRow({ messages, model, picture, ...detail }: ResultDetail): ReadRow {
  const { customId, state, answer, milliseconds, promptTokens, completionTokens, cost, misfits } = detail;
  const asked = messages.findLast(({ role }) => role === "user");
  const question = asked === undefined ? "" : messageText(asked);
  const fields = state === "answered" ? readAnswerFields(answer) : null;
  const countedTokens = countPromptTokens(messages, model ?? undefined);
  const read = { customId, state, question, answer, fields, milliseconds, promptTokens, completionTokens, cost };
  return { ...read, countedTokens, ...(misfits && { misfits }), ...(picture !== undefined && { picture }) };
}
