/**
 * What a batch of a million lines and a gigabyte of results takes: opened before and after it was indexed, filtered, sorted,
 * counted and searched; beside the search, what a mere read of the same bytes takes. `npm run bench -- results 100000` takes
 * fewer lines.
 */
import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { createService, createSilentLogger, type Engine, type Service } from "../../src/main/service/index.ts";
import { openStore } from "../../src/main/service/store/index.ts";

const lines = Number(process.argv[3] ?? 1_000_000);
const model = "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo";
const batchId = "batch_results";
const files = { input: "file-input", output: "file-output", error: "file-error" };
/** A failed line, and one that was cut off, every so many lines. */
const [failedEvery, cutEvery] = [50, 20];
const words = "The parcel reached the harbour three days late, and nobody could say where it had been. ".repeat(8);

const dataDir = await mkdtemp(join(tmpdir(), "sheaf-results-"));
try {
  await writeBatch();
  console.log(`Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim()}, ${lines} lines`);
  const first = await open();
  await time("first rows, index read from the files", () => first.results.page(batchId, 0, 100));
  await first.close(0);
  const service = await open();
  await measureRows(service);
  await measureSearch(service);
  await service.close(0);
} finally {
  await rm(dataDir, { recursive: true });
}

async function measureRows({ results }: Service): Promise<void> {
  const before = process.memoryUsage().arrayBuffers;
  await time("first rows, once indexed", () => results.page(batchId, 0, 100));
  const memory = process.memoryUsage().arrayBuffers - before;
  console.log(`memory a line: ${(memory / lines).toFixed(1)} bytes`);
  await time("a page in the middle", () => results.page(batchId, Math.floor(lines / 2), 100));
  await time("filter by status", () => results.page(batchId, 0, 100, { states: ["failed"] }));
  await time("filter by finish", () => results.page(batchId, 0, 100, { finish: ["length"] }));
  await time("filter by error", () => results.page(batchId, 0, 100, { errors: ["rate_limit_exceeded"] }));
  const columns = [{ path: "completion_tokens", op: "greater" as const, value: "150" }];
  await time("filter by tokens", () => results.page(batchId, 0, 100, { columns }));
  await time("sort by tokens", () => results.page(batchId, 0, 100, {}, { by: "completion_tokens", descending: true }));
  await time("count all that came", () => results.summary(batchId));
  await time("tokens by model", () => results.usage(batchId));
}

async function measureSearch({ results }: Service): Promise<void> {
  const paths = Object.values(files).map((id) => join(dataDir, "files", id));
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size));
  const megabytes = sizes.reduce((sum, size) => sum + size, 0) / 1e6;
  const reading = await time(`a read of all ${megabytes.toFixed(0)} MB`, async () => {
    for (const path of paths) {
      for await (const chunk of createReadStream(path, { highWaterMark: 4 * 1024 * 1024 })) void chunk;
    }
  });
  console.log(`read: ${((megabytes / reading) * 1_000).toFixed(0)} MB/s`);
  for (const text of ["nowhere in it", "letter 777", "HARBOUR"]) {
    const start = performance.now();
    let [hits, firstHit] = [0, 0];
    for await (const progress of results.search(batchId, text)) {
      hits = progress.hits;
      if (firstHit === 0 && hits > 0) firstHit = performance.now() - start;
    }
    const milliseconds = performance.now() - start;
    const rate = ((megabytes / milliseconds) * 1_000).toFixed(0);
    const first = firstHit === 0 ? "" : `, the first after ${firstHit.toFixed(0)} ms`;
    console.log(`search for "${text}": ${rate} MB/s, ${hits} lines${first}`);
  }
}

async function time(what: string, work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  const milliseconds = performance.now() - start;
  console.log(`${what}: ${milliseconds.toFixed(0)} ms`);
  return milliseconds;
}

function open(): Promise<Service> {
  const unused = () => {
    throw new Error("Nothing runs here.");
  };
  const engine: Engine = { description: "none", concurrency: 1, complete: unused, stream: unused };
  return createService({ dataDir, engine, logger: createSilentLogger() });
}

/** Puts a batch that is done into the data folder, as a run of it leaves it: the answers a little out of their order. */
async function writeBatch(): Promise<void> {
  const store = await openStore({ dataDir }, createSilentLogger());
  await mkdir(join(dataDir, "files"), { recursive: true });
  const inOrder = Array.from({ length: lines }, (_, at) => at + 1);
  const asAnswered = inOrder.map((line) => Math.min(lines, line % 2 === 1 ? line + 1 : line - 1));
  const failed = inOrder.filter((line) => line % failedEvery === 0);
  await writeLines(store.pathOf(files.input), inOrder, toRequest);
  await writeLines(
    store.pathOf(files.output),
    asAnswered.filter((line) => line % failedEvery !== 0),
    toAnswer,
  );
  await writeLines(store.pathOf(files.error), failed, toFailure);
  const created = Date.now();
  for (const id of Object.values(files)) {
    const { size: bytes } = await stat(store.pathOf(id));
    const purpose = id === files.input ? "batch" : "batch_output";
    store.files.put({
      id,
      filename: id,
      purpose,
      bytes,
      sha256: null,
      createdAt: created,
      expiresAt: null,
      faulty: false,
    });
  }
  const noTimes = { failed: null, expired: null, cancelling: null, cancelled: null };
  store.batches.put({
    id: batchId,
    endpoint: "/v1/chat/completions",
    completionWindow: "24h",
    inputFileId: files.input,
    outputFileId: files.output,
    errorFileId: files.error,
    status: "completed",
    times: { created, inProgress: created, finalizing: created, completed: created, expires: created + 1, ...noTimes },
    counts: { total: lines, completed: lines - failed.length, failed: failed.length },
    metadata: {},
    models: [model],
    problems: [],
    pace: null,
    connection: null,
    remote: null,
    waiting: null,
    notice: null,
    direct: false,
    deadline: null,
    reuse: false,
    reused: null,
    onceIdentical: false,
    copied: null,
    answeredAs: null,
    link: null,
  });
  store.close();
}

function toRequest(line: number) {
  const content = `Sort letter ${line} by what it is about. ${words.slice(0, 200)}`;
  const body = { model, messages: [{ role: "user", content }] };
  return { custom_id: `line-${line}`, method: "POST", url: "/v1/chat/completions", body };
}

function toAnswer(line: number) {
  const tokens = 100 + ((line * 7_919) % 100);
  const message = { role: "assistant", content: `Letter ${line}: ${words.slice(0, 300 + (line % 100))}` };
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
