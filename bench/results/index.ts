/**
 * What a batch of a million lines and a gigabyte of results takes: opened before and after it was indexed, filtered, sorted,
 * counted and searched; next to the search, what a mere read of the same bytes takes. `npm run bench -- results 100000` takes
 * fewer lines.
 */
import { createReadStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { createSilentLogger, type Engine } from "#main/base";
import { createService, type Service } from "#main/service";
import { batchId, files, writeBatch } from "./write-batch.ts";

const lines = Number(process.argv[3] ?? 1_000_000);

const dataDir = await mkdtemp(join(tmpdir(), "sheaf-results-"));
try {
  await writeBatch(dataDir, lines);
  console.log(`Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim()}, ${lines} lines`);
  const first = await open();
  await time("first rows, index read from the files", () => first.results.page(batchId, 0, 100));
  await first.close(0);
  const service = await open();
  await measureRows(service);
  await measureSearch(service);
  await service.close(0);
  await rm(dataDir, { recursive: true });
  await measureRestart();
} finally {
  await rm(dataDir, { recursive: true });
}

/** A start with a batch that continues: how long it takes until its next line is sent. */
async function measureRestart(): Promise<void> {
  await writeBatch(dataDir, lines, 10);
  for (const what of ["a start with it running, its ledger made from its files", "a start with it running"]) {
    const sent = Promise.withResolvers<void>();
    const { promise, reject } = Promise.withResolvers<never>();
    const engine: Engine = {
      description: "asked",
      concurrency: 1,
      complete: (call) => {
        call.signal.addEventListener("abort", () => reject(call.signal.reason));
        sent.resolve();
        return promise;
      },
      stream: () => promise,
    };
    let service: Service | null = null;
    await time(what, async () => {
      service = await open(engine);
      await sent.promise;
    });
    await (service as Service | null)?.close(0);
    console.log(`most memory: ${(process.resourceUsage().maxRSS / 1e3).toFixed(0)} MB`);
  }
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
  const byScore = (value: string) => ({ columns: [{ path: "answer.score", op: "at_least" as const, value }] });
  await time("first filter by a JSON path of the answers", () => results.page(batchId, 0, 100, byScore("500")));
  await time("another by the same path", () => results.page(batchId, 0, 100, byScore("900")));
  await time("count all that came", () => results.summary(batchId));
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

function unused(): never {
  throw new Error("Nothing runs here.");
}

function open(
  engine: Engine = { description: "none", concurrency: 1, complete: unused, stream: unused },
): Promise<Service> {
  return createService({ dataDir, engine, logger: createSilentLogger() });
}
