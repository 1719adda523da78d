import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { createSilentLogger, createSystemMachine } from "#main/base";
import { type BatchRecord, openStore } from "#main/storage";
import { makeBatchRecord, makeFileRecord } from "../../src/main/service/testing/records.ts";

const model = "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo";
export const batchId = "batch_results";
export const files = { input: "file-input", output: "file-output", error: "file-error" };
/** A failed line, and one that was cut off, every so many lines. */
const [failedEvery, cutEvery] = [50, 20];
const words = "The parcel reached the harbour three days late, and nobody could say where it had been. ".repeat(8);

/**
 * Puts a batch into the data folder, as a run of an older version leaves it: the answers a little out of their order. Of its lines `waiting`
 * have no answer, the last ones; without such it is done.
 */
export async function writeBatch(dataDir: string, lines: number, waiting = 0): Promise<void> {
  const store = await openStore({ dataDir }, { logger: createSilentLogger(), machine: createSystemMachine() });
  await mkdir(join(dataDir, "files"), { recursive: true });
  const inOrder = Array.from({ length: lines }, (_, at) => at + 1);
  const asAnswered = inOrder.map((line) => Math.min(lines, line % 2 === 1 ? line + 1 : line - 1));
  const failed = inOrder.filter((line) => line % failedEvery === 0 && line <= lines - waiting);
  await writeLines(store.pathOf(files.input), inOrder, toRequest);
  await writeLines(
    store.pathOf(files.output),
    asAnswered.filter((line) => line % failedEvery !== 0 && line <= lines - waiting),
    toAnswer,
  );
  await writeLines(store.pathOf(files.error), failed, toFailure);
  for (const id of Object.values(files)) {
    const { size: bytes } = await stat(store.pathOf(id));
    const purpose = id === files.input ? "batch" : "batch_output";
    store.files.put(makeFileRecord({ id, filename: id, bytes, purpose, createdAt: Date.now() }));
  }
  const ended = waiting === 0;
  const counts = { total: lines, completed: lines - failed.length, failed: failed.length };
  store.batches.put(toBatchRecord({ id: batchId, counts, files, ended }));
  await store.close();
}

interface BatchDeps extends Pick<BatchRecord, "id" | "counts"> {
  readonly files: { readonly input: string; readonly output: string; readonly error: string };
  readonly ended: boolean;
}

/** A batch as it is recorded, of this computer. */
export function toBatchRecord({ id, counts, files, ended }: BatchDeps): BatchRecord {
  const created = Date.now();
  const { times, ...record } = makeBatchRecord({ id, counts, models: [model] });
  const inputs = { inputFileId: files.input, outputFileId: files.output, errorFileId: files.error };
  const end = ended ? created : null;
  return {
    ...record,
    ...inputs,
    status: ended ? "completed" : "in_progress",
    times: {
      ...times,
      created,
      inProgress: created,
      finalizing: end,
      completed: end,
      expires: created + 24 * 3_600_000,
    },
  };
}

function toRequest(line: number) {
  const content = `Sort letter ${line} by what it is about. ${words.slice(0, 200)}`;
  const body = { model, messages: [{ role: "user", content }] };
  return { custom_id: `line-${line}`, method: "POST", url: "/v1/chat/completions", body };
}

function toAnswer(line: number) {
  const tokens = 100 + ((line * 7_919) % 100);
  const answer = { score: (line * 7_919) % 1_000, text: `Letter ${line}: ${words.slice(0, 300 + (line % 100))}` };
  const message = { role: "assistant", content: JSON.stringify(answer) };
  const choice = { index: 0, message, finish_reason: line % cutEvery === 0 ? "length" : "stop" };
  const usage = { prompt_tokens: 60, completion_tokens: tokens, total_tokens: 60 + tokens };
  const body = { id: `c-${line}`, object: "chat.completion", created: 1, model, choices: [choice], usage };
  const response = { status_code: 200, request_id: `r-${line}`, body };
  return { id: `a-${line}`, custom_id: `line-${line}`, response, error: null };
}

function toFailure(line: number) {
  const error = { message: "Too many requests.", type: "rate_limit", param: null, code: "rate_limit_exceeded" };
  const response = { status_code: 429, request_id: `r-${line}`, body: { error } };
  return { id: `e-${line}`, custom_id: `line-${line}`, response, error: null };
}

async function writeLines(path: string, numbers: readonly number[], toLine: (line: number) => object): Promise<void> {
  const file = createWriteStream(path);
  for (let from = 0; from < numbers.length; from += 1_000) {
    const text = numbers.slice(from, from + 1_000).map((line) => `${JSON.stringify(toLine(line))}\n`);
    if (!file.write(text.join(""))) await once(file, "drain");
  }
  file.end();
  await finished(file);
}
