import {
  allRows,
  type BuildInput,
  batchEndpoint,
  completionWindow,
  finalStatuses,
  messageText,
  type ResultDetail,
  type Rows,
  type SourceColumns,
  type Span,
  type TrialProgress,
  type TrialRow,
} from "#contract";
import { readAnswerFields } from "#main/answers";
import { countPromptTokens } from "#main/requests";
import type { Service } from "#main/service";
import { readBytes } from "#main/storage";
import { BuildError } from "./errors.ts";
import type { InputWriter } from "./input-writer.ts";
import { describeSourceColumns, type FindUsedColumns } from "./source-columns.ts";
import type { SourceStore } from "./sources/source-store.ts";

export interface TrialDeps {
  readonly writer: Pick<InputWriter, "prepare">;
  readonly service: Pick<Service, "files" | "batches" | "results">;
  readonly sources: Pick<SourceStore, "get" | "rows">;
  readonly findUsedColumns: FindUsedColumns;
}

export interface TrialInput extends Omit<BuildInput, "rows"> {
  readonly draftId: string;
  readonly rows: Pick<Rows, "take" | "count" | "filter">;
}

/** Runs a few rows as a batch that is not listed, and reports their answers as they arrive. */
export async function* runTrial(
  { writer, service, sources, findUsedColumns }: TrialDeps,
  { draftId, rows, ...input }: TrialInput,
  signal?: AbortSignal,
): AsyncGenerator<TrialProgress> {
  const { batchId, written, table } = await start();
  const numbers = written.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, at) => from + at));
  let changed = Promise.withResolvers<void>();
  const wake = () => changed.resolve();
  const stop = service.batches.subscribe((batch) => batch.id === batchId && wake());
  signal?.addEventListener("abort", wake, { once: true });
  let finished = false;
  try {
    while (!finished) {
      changed = Promise.withResolvers();
      const batch = service.batches.get(batchId);
      finished = batch === undefined || finalStatuses.has(batch.status) || signal?.aborted === true;
      yield {
        batchId,
        finished,
        waiting: batch?.waiting ?? null,
        source: table.source,
        rows: await readRows(),
      };
      if (!finished) await changed.promise;
    }
  } finally {
    stop();
    const batch = service.batches.get(batchId);
    if (batch !== undefined && !finalStatuses.has(batch.status))
      await service.batches.cancel(batchId).catch(() => undefined);
  }

  async function start(): Promise<{ batchId: string; written: readonly Span[]; table: TriedTable }> {
    for await (const { file } of writer.prepare(
      { ...input, rows: { ...allRows, ...rows, skipFaulty: true } },
      signal,
    )) {
      if (file === null) continue;
      try {
        const table = await readTable(file.written);
        const connection = input.template.connectionId;
        const upload = await service.files.receive(readBytes(file.path), { connection, isGenerated: true });
        const { id: inputFileId } = await upload.store({ filename: "trial.jsonl", purpose: "batch" });
        const batch = await service.batches.create({
          inputFileId,
          endpoint: batchEndpoint,
          completionWindow,
          connection,
          link: { kind: "trial", root: draftId },
          direct: true,
        });
        return { batchId: batch.id, written: file.written, table };
      } finally {
        await file.remove();
      }
    }
    throw new BuildError("refused", "There is no row to try.");
  }

  /** The rows of the table that are tried. */
  async function readTable(written: readonly Span[]): Promise<TriedTable> {
    const { holds, columns } = await sources.get(input.sourceId);
    const source = await describeSourceColumns(holds === "rows" ? columns : [], input.template, findUsedColumns);
    const rows = new Map<number, Readonly<Record<string, string>>>();
    if (source.columns.length === 0) return { source: { ...source, hasChosenIds: true }, rows };
    for (const [from, to] of written) {
      const found = await sources.rows(input.sourceId, from - 1, to - from + 1);
      for (const { row, cells } of found.rows) rows.set(row, cells);
    }
    return { source, rows };
  }

  function cellsOf(row: number): Pick<TrialRow, "expected" | "cells"> {
    const { inPrompt, expected } = table.source;
    const cells = table.rows.get(row);
    return {
      expected: (expected === null ? null : cells?.[expected]) ?? null,
      cells: Object.fromEntries(inPrompt.map((column) => [column, cells?.[column] ?? ""])),
    };
  }

  async function readRows(): Promise<TrialRow[]> {
    const batch = service.batches.get(batchId);
    if (batch === undefined || batch.counts.total === 0)
      return numbers.map((row) => ({ ...waitingRow, row, ...cellsOf(row) }));
    const lines = numbers.map((_, at) => at + 1);
    const found = await service.results.checkedLines(batchId, lines);
    return found.map((detail, at) => {
      const row = numbers[at] ?? 0;
      return { ...toTrialRow(detail), row, ...cellsOf(row) };
    });
  }
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

function toTrialRow({ messages, ...detail }: ResultDetail): ReadRow {
  const { customId, state, answer, milliseconds, promptTokens, completionTokens, cost, misfits } = detail;
  const asked = messages.findLast(({ role }) => role === "user");
  const question = asked === undefined ? "" : messageText(asked);
  const fields = state === "answered" ? readAnswerFields(answer) : null;
  const countedTokens = countPromptTokens(messages);
  const read = { customId, state, question, answer, fields, milliseconds, promptTokens, completionTokens, cost };
  return { ...read, countedTokens, ...(misfits && { misfits }) };
}
