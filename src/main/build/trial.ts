import {
  allRows,
  type BuildInput,
  batchEndpoint,
  completionWindow,
  finalStatuses,
  guessExpected,
  messageText,
  type ResultDetail,
  type Rows,
  type Span,
  type TrialProgress,
  type TrialRow,
  withoutFence,
} from "#contract";
import { readAnswerFields } from "#main/answers";
import { schemaOf } from "#main/judging";
import { countPromptTokens } from "#main/requests";
import type { Service } from "#main/service";
import { readBytes } from "#main/storage";
import { BuildError } from "./errors.ts";
import type { InputWriter } from "./input-writer.ts";
import type { SourceStore } from "./sources/source-store.ts";

export interface TrialDeps {
  readonly writer: Pick<InputWriter, "prepare">;
  readonly service: Pick<Service, "files" | "batches" | "results">;
  readonly sources: Pick<SourceStore, "get" | "rows">;
  /** The problems of an answer by a JSON schema, one sentence each. */
  readonly trySchema: (input: { schema: string; answer: string }) => Promise<readonly string[]>;
}

export interface TrialInput extends Omit<BuildInput, "rows"> {
  readonly draftId: string;
  readonly rows: Pick<Rows, "take" | "count" | "filter">;
}

/** Runs a few rows as a batch that is not listed, and reports their answers as they arrive. */
export async function* runTrial(
  { writer, service, sources, trySchema }: TrialDeps,
  { draftId, rows, ...input }: TrialInput,
  signal?: AbortSignal,
): AsyncGenerator<TrialProgress> {
  const { batchId, written, expected } = await start();
  const numbers = written.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, at) => from + at));
  const misfits = new Map<number, string | null>();
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
        expectedColumn: expected.column,
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

  async function start(): Promise<{ batchId: string; written: readonly Span[]; expected: Expected }> {
    for await (const { file } of writer.prepare(
      { ...input, rows: { ...allRows, ...rows, skipFaulty: true } },
      signal,
    )) {
      if (file === null) continue;
      try {
        const expected = await readExpected(file.written);
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
        return { batchId: batch.id, written: file.written, expected };
      } finally {
        await file.remove();
      }
    }
    throw new BuildError("refused", "There is no row to try.");
  }

  /** The expected answers of the rows, where the table has a column of them. */
  async function readExpected(written: readonly Span[]): Promise<Expected> {
    const { holds, columns } = await sources.get(input.sourceId);
    const column = holds === "rows" ? guessExpected(columns) : null;
    const cells = new Map<number, string>();
    if (column === null) return { column, cells };
    for (const [from, to] of written) {
      const found = await sources.rows(input.sourceId, from - 1, to - from + 1);
      for (const { row, cells: texts } of found.rows) cells.set(row, texts[column] ?? "");
    }
    return { column, cells };
  }

  async function readRows(): Promise<TrialRow[]> {
    const batch = service.batches.get(batchId);
    if (batch === undefined || batch.counts.total === 0)
      return numbers.map((row) => ({ ...waitingRow, row, expected: expected.cells.get(row) ?? null }));
    const found = await service.results.lines(
      batchId,
      numbers.map((_, at) => at + 1),
    );
    return Promise.all(
      found.map(async (detail, at) => {
        const row = numbers[at] ?? 0;
        return {
          ...toTrialRow(detail),
          row,
          expected: expected.cells.get(row) ?? null,
          misfit: await findMisfit(row, detail),
        };
      }),
    );
  }

  /** Why an answer breaks the schema of its request: each answer is looked at once. */
  async function findMisfit(row: number, { state, answer, rawRequest }: ResultDetail): Promise<string | null> {
    const known = misfits.get(row);
    if (known !== undefined) return known;
    if (state !== "answered") return null;
    const schema = schemaOf(rawRequest);
    const [misfit = null] = schema === null ? [] : await trySchema({ schema, answer: withoutFence(answer) });
    misfits.set(row, misfit);
    return misfit;
  }
}

/** The expected answers by row. */
interface Expected {
  /** The column that has them; null where the table has none. */
  readonly column: string | null;
  readonly cells: ReadonlyMap<number, string>;
}

type ReadRow = Omit<TrialRow, "row" | "expected" | "misfit">;

const nothingYet = { milliseconds: null, promptTokens: null, completionTokens: null, cost: null };
const waitingRow = {
  state: "waiting",
  customId: "",
  question: "",
  answer: "",
  fields: null,
  misfit: null,
  ...nothingYet,
} as const;

function toTrialRow({ messages, ...detail }: ResultDetail): ReadRow {
  const { customId, state, answer, milliseconds, promptTokens, completionTokens, cost } = detail;
  const asked = messages.findLast(({ role }) => role === "user");
  const question = asked === undefined ? "" : messageText(asked);
  const fields = state === "answered" ? readAnswerFields(answer) : null;
  const countedTokens = countPromptTokens(messages);
  const read = { customId, state, question, answer, fields, milliseconds, promptTokens, completionTokens, cost };
  return { ...read, countedTokens };
}
