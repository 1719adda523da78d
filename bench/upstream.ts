/**
 * How near a batch whose lines are called one by one comes to what its server allows: so many calls at a time, each of the
 * same length. Beside it a bare client, which only asks. `--lines`, `--at-a-time`, `--latency` in milliseconds.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Agent, request } from "undici";
import { z } from "zod";
import { createConnectionStore, openConnections } from "../src/main/connections/index.ts";
import {
  createMemorySecretStore,
  createMockEngine,
  createModelCatalog,
  createRandomIds,
  createService,
  createSilentLogger,
  createSystemClock,
} from "../src/main/service/index.ts";
import { type Server, startSlow } from "./servers.ts";

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    lines: { type: "string", default: "100000" },
    "at-a-time": { type: "string", default: "64" },
    latency: { type: "string", default: "50" },
  },
});
const lines = Number(values.lines);
const atATime = Number(values["at-a-time"]);
const latency = Number(values.latency);
const ideal = (atATime / latency) * 1_000;

const content = "What is six times seven? Answer with one sentence.";
const body = { model: "any", messages: [{ role: "user", content }] };

const countsSchema = z.object({ most: z.int(), all: z.int() });

/** What the server saw since it was last asked. */
async function readCounts({ url }: Server): Promise<z.infer<typeof countsSchema>> {
  return countsSchema.parse(await (await fetch(`${url}/counts`)).json());
}

function report(name: string, count: number, milliseconds: number, { most, all }: z.infer<typeof countsSchema>): void {
  const rate = (count / milliseconds) * 1_000;
  const share = `${((rate / ideal) * 100).toFixed(1)} % of ${ideal.toFixed(0)}`;
  console.log(`${name}: ${rate.toFixed(0)} lines/s (${share}), at most ${most} at a time, ${all} calls`);
}

/** A loop for each call at a time, which does nothing but ask and read. */
async function runBare(server: Server, count: number): Promise<void> {
  const dispatcher = new Agent({ connections: atATime });
  let left = count;
  const start = performance.now();
  async function ask(): Promise<void> {
    while (left > 0) {
      left -= 1;
      const headers = { "content-type": "application/json" };
      const options = { method: "POST" as const, headers, body: JSON.stringify(body), dispatcher };
      JSON.parse(await (await request(`${server.url}/v1/chat/completions`, options)).body.text());
    }
  }
  await Promise.all(Array.from({ length: atATime }, ask));
  report("A bare client", count, performance.now() - start, await readCounts(server));
  await dispatcher.close();
}

async function* writeLines(): AsyncGenerator<Buffer, void> {
  const block = 1_000;
  for (let from = 1; from <= lines; from += block) {
    const count = Math.min(block, lines - from + 1);
    const ids = Array.from({ length: count }, (_, at) => `line-${from + at}`);
    const texts = ids.map((id) => JSON.stringify({ custom_id: id, method: "POST", url: "/v1/chat/completions", body }));
    yield Buffer.from(`${texts.join("\n")}\n`);
  }
}

async function runService(server: Server, dataDir: string): Promise<void> {
  const ids = createRandomIds();
  const clock = createSystemClock();
  const store = createConnectionStore(dataDir, createMemorySecretStore(), {});
  const url = `${server.url}/v1`;
  const { id } = await store.save({ name: "Slow", adapter: "chat", preset: null, url, concurrency: atATime });
  const connections = openConnections({ store, folder: join(dataDir, "parts"), ids });
  const catalog = createModelCatalog("standard");
  const engine = createMockEngine({ pace: "instant", seed: 1, catalog, clock, ids });
  const fileLimits = { requests: lines, bytes: Number.MAX_SAFE_INTEGER };
  const logger = createSilentLogger();
  const service = await createService({ dataDir, engine, connections, ids, fileLimits, logger });
  const pending = await service.files.receive(writeLines());
  const { id: inputFileId } = await pending.store({ filename: "lines.jsonl", purpose: "batch" });
  const { batches } = service;
  const batch = await batches.create({
    inputFileId,
    endpoint: "/v1/chat/completions",
    completionWindow: "24h",
    connection: id,
  });
  while (batches.get(batch.id)?.status === "validating") await wait(5);
  const start = performance.now();
  let done = false;
  const ended = batches.settled(batch.id).finally(() => {
    done = true;
  });
  const memory = watchMemory(() => done || (batches.get(batch.id)?.counts.completed ?? 0) / lines);
  const { status, counts } = await ended;
  report("A batch", counts.completed, performance.now() - start, await readCounts(server));
  console.log(`  ${status}, ${counts.failed} failed; ${await memory}`);
  await service.close(0);
  await connections.close();
}

/** The process's memory at a tenth of the work and at the end: flat is when they are the same. */
async function watchMemory(readShare: () => number | true): Promise<string> {
  const readMegabytes = () => {
    globalThis.gc?.();
    return process.memoryUsage.rss() / 1e6;
  };
  let early = 0;
  let most = 0;
  for (let share = readShare(); share !== true; share = readShare()) {
    if (share >= 0.1 && early === 0) early = readMegabytes();
    most = Math.max(most, process.memoryUsage.rss() / 1e6);
    await wait(250);
  }
  return `memory ${early.toFixed(0)} MB after a tenth, ${readMegabytes().toFixed(0)} MB at the end, ${most.toFixed(0)} MB at most`;
}

const server = await startSlow(latency);
const dataDir = await mkdtemp(join(tmpdir(), "sheaf-bench-"));
try {
  await runBare(server, Math.min(lines, 20_000));
  await runService(server, dataDir);
} finally {
  await server.stop();
  await rm(dataDir, { recursive: true });
}
