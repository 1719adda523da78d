import { createReadStream } from "node:fs";
import {
  allRows,
  type BuildInput,
  batchEndpoint,
  completionWindow,
  finalStatuses,
  messageText,
  type ResultDetail,
  type Rows,
  type Span,
  type TrialProgress,
  type TrialRow,
} from "#contract";
import type { BatchApi } from "../connections/index.ts";
import { BuildError } from "./errors.ts";
import type { InputWriter } from "./input-writer.ts";

export interface TrialParts {
  readonly writer: Pick<InputWriter, "prepare">;
  readonly api: Pick<BatchApi, "files" | "batches" | "results">;
}

export interface TrialInput extends Omit<BuildInput, "rows"> {
  readonly draftId: string;
  readonly rows: Pick<Rows, "take" | "count" | "filter">;
}

/** Runs a few rows as a batch that is not listed, and reports their answers as they arrive. */
export async function* runTrial(
  { writer, api }: TrialParts,
  { draftId, rows, ...input }: TrialInput,
  signal?: AbortSignal,
): AsyncGenerator<TrialProgress> {
  const { batchId, written } = await start();
  const numbers = written.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, at) => from + at));
  let changed = Promise.withResolvers<void>();
  const wake = () => changed.resolve();
  const stop = api.batches.subscribe((batch) => batch.id === batchId && wake());
  signal?.addEventListener("abort", wake, { once: true });
  let finished = false;
  try {
    while (!finished) {
      changed = Promise.withResolvers();
      const batch = api.batches.get(batchId);
      finished = batch === undefined || finalStatuses.has(batch.status) || signal?.aborted === true;
      yield { batchId, finished, waiting: batch?.waiting ?? null, rows: await readRows() };
      if (!finished) await changed.promise;
    }
  } finally {
    stop();
    const batch = api.batches.get(batchId);
    if (batch !== undefined && !finalStatuses.has(batch.status))
      await api.batches.cancel(batchId).catch(() => undefined);
  }

  async function start(): Promise<{ batchId: string; written: readonly Span[] }> {
    for await (const { file } of writer.prepare(
      { ...input, rows: { ...allRows, ...rows, skipFaulty: true } },
      signal,
    )) {
      if (file === null) continue;
      try {
        const connection = input.template.connectionId;
        const upload = await api.files.receive(createReadStream(file.path), { connection, isGenerated: true });
        const { id: inputFileId } = await upload.store({ filename: "trial.jsonl", purpose: "batch" });
        const batch = await api.batches.create({
          inputFileId,
          endpoint: batchEndpoint,
          completionWindow,
          connection,
          link: { kind: "trial", root: draftId },
          direct: true,
        });
        return { batchId: batch.id, written: file.written };
      } finally {
        await file.remove();
      }
    }
    throw new BuildError("refused", "There is no row to try.");
  }

  async function readRows(): Promise<TrialRow[]> {
    const batch = api.batches.get(batchId);
    if (batch === undefined || batch.counts.total === 0) return numbers.map(toWaiting);
    const found = await api.results.lines(
      batchId,
      numbers.map((_, at) => at + 1),
    );
    return found.map((detail, at) => toTrialRow(detail, numbers[at] ?? 0));
  }
}

function toWaiting(row: number): TrialRow {
  const nothingYet = { milliseconds: null, promptTokens: null, completionTokens: null, cost: null };
  return { row, state: "waiting", question: "", answer: "", ...nothingYet };
}

function toTrialRow(detail: ResultDetail, row: number): TrialRow {
  const { state, answer, milliseconds, promptTokens, completionTokens, cost, messages } = detail;
  const asked = messages.findLast(({ role }) => role === "user");
  const question = asked === undefined ? "" : messageText(asked);
  return { row, state, question, answer, milliseconds, promptTokens, completionTokens, cost };
}
