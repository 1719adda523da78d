/**
 * How near a batch whose lines are called one by one comes to what its server allows: so many calls at a time, each of the
 * same length. Next to it a bare client, which only asks. `--lines`, `--bare` for the lines of the bare client, `--at-a-time`,
 * `--latency` in milliseconds, `--durability`.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Agent, request } from "undici";
import { z } from "zod";
import {
  createMemorySecretStore,
  createRandomIds,
  createSilentLogger,
  createSystemClock,
  createSystemMachine,
} from "#main/base";
import { createConnectionStore, openConnections } from "#main/connections";
import { createMockEngine } from "#main/engines";
import { createModelCatalog } from "#main/requests";
import { createService } from "#main/service";
import { type Server, startSlow } from "./servers.ts";

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    lines: { type: "string", default: "100000" },
    bare: { type: "string", default: "20000" },
    "at-a-time": { type: "string", default: "64" },
    latency: { type: "string", default: "50" },
    durability: { type: "string", default: "second" },
  },
});
const lines = Number(values.lines);
const atATime = Number(values["at-a-time"]);
const latency = Number(values.latency);
const durability = z.enum(["always", "second", "never"]).parse(values.durability);
const ideal = (atATime / latency) * 1_000;

const content = "What is six times seven? Answer with one sentence.";
const body = { model: "any", messages: [{ role: "user", content }] };

const countsSchema = z.object({ most: z.int(), all: z.int() });

/** What the server saw since it was last asked. */
async function readCounts({ url }: Server): Promise<z.infer<typeof countsSchema>> {
  return countsSchema.parse(await (await fetch(`${url}/counts`)).json());
}

/** Begins to measure: a call of the answer reports how it went, and answers with lines a second. */
async function startReport(server: Server): Promise<(name: string, count: number) => Promise<number>> {
  await readCounts(server);
  const start = performance.now();
  const before = process.cpuUsage();
  return async (name, count) => {
    const milliseconds = performance.now() - start;
    const { user, system } = process.cpuUsage(before);
    return report(name, count, milliseconds, (user + system) / count, await readCounts(server));
  };
}

function report(
  name: string,
  count: number,
  milliseconds: number,
  microseconds: number,
  { most, all }: z.infer<typeof countsSchema>,
): number {
  const rate = (count / milliseconds) * 1_000;
  const share = `${((rate / ideal) * 100).toFixed(1)} % of ${ideal.toFixed(0)}`;
  console.log(
    `${name}: ${rate.toFixed(0)} lines/s (${share}), ${microseconds.toFixed(0)} µs of processor time each, at most ${most} at a time, ${all} calls`,
  );
  return rate;
}

/** A loop for each call at a time, which does nothing but ask and read. */
async function runBare(server: Server, count: number): Promise<number> {
  const dispatcher = new Agent({ connections: atATime });
  let left = count;
  const end = await startReport(server);
  async function ask(): Promise<void> {
    while (left > 0) {
      left -= 1;
      const headers = { "content-type": "application/json" };
      const options = { method: "POST" as const, headers, body: JSON.stringify(body), dispatcher };
      JSON.parse(await (await request(`${server.url}/v1/chat/completions`, options)).body.text());
    }
  }
  await Promise.all(Array.from({ length: atATime }, ask));
  const rate = await end("A bare client", count);
  await dispatcher.close();
  return rate;
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

async function runService(server: Server, dataDir: string): Promise<number> {
  const ids = createRandomIds();
  const clock = createSystemClock();
  const store = createConnectionStore(dataDir, createMemorySecretStore(), {});
  const url = `${server.url}/v1`;
  const { id } = await store.save({ name: "Slow", adapter: "chat", preset: null, url, concurrency: atATime });
  const connections = openConnections({ store, folder: join(dataDir, "parts"), ids, machine: createSystemMachine() });
  const catalog = createModelCatalog("standard");
  const engine = createMockEngine({ pace: "instant", seed: 1, catalog, clock, ids });
  const fileLimits = { requests: lines, bytes: Number.MAX_SAFE_INTEGER };
  const logger = createSilentLogger();
  const service = await createService({ dataDir, durability, engine, connections, ids, fileLimits, logger });
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
  const end = await startReport(server);
  let done = false;
  const ended = batches.settled(batch.id).finally(() => {
    done = true;
  });
  const memory = watchMemory(() => done || (batches.get(batch.id)?.counts.completed ?? 0) / lines);
  const { status, counts } = await ended;
  const rate = await end("A batch", counts.completed);
  console.log(`  ${status}, ${counts.failed} failed; ${await memory}`);
  await service.close(0);
  await connections.close();
  return rate;
}

/** What is in use at a tenth of the work and at the end, after a collection: flat is when they are the same. */
async function watchMemory(readShare: () => number | true): Promise<string> {
  const read = () => {
    collectGarbage();
    const { heapUsed, external, rss } = process.memoryUsage();
    return { used: (heapUsed + external) / 1e6, rss: rss / 1e6 };
  };
  let early: ReturnType<typeof read> | null = null;
  for (let share = readShare(); share !== true; share = readShare()) {
    if (share >= 0.1) early ??= read();
    await wait(250);
  }
  const late = read();
  const toText = ({ used, rss }: typeof late) => `${used.toFixed(1)} MB in use (process: ${rss.toFixed(0)} MB)`;
  return `${toText(early ?? late)} after a tenth, ${toText(late)} at the end`;
}

/** Node shows it only where it is asked to. */
function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
}

const server = await startSlow(latency);
const dataDir = await mkdtemp(join(tmpdir(), "sheaf-bench-"));
try {
  console.log(`load ${loadavg().map((one) => one.toFixed(1))}`);
  const bare = await runBare(server, Math.min(lines, Number(values.bare)));
  const rate = await runService(server, dataDir);
  console.log(`  ${((rate / bare) * 100).toFixed(1)} % of the bare client`);
} finally {
  await server.stop();
  await rm(dataDir, { recursive: true });
}
