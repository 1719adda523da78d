import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { appendFile, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, onTestFinished, test } from "vitest";
import type { ResultLine } from "#contract";
import { createManualClock, createSystemMachine } from "#main/base";
import type { DurabilityMode } from "#main/storage";
import { type BatchRecord, openStore } from "#main/storage";
import { createSilentLogger } from "../base/logger.ts";
import {
  createManualEngine,
  createTestEngine,
  fileOf,
  makeTempDir,
  openTestService,
  replyTo,
  type TestService,
} from "../service/testing/index.ts";
import { injectDiskFaults } from "../storage/io/testing/inject-disk-faults.ts";

const hours = 60 * 60_000;

/** An engine that notes which lines it is asked for. */
function createNotingEngine() {
  const asked: string[] = [];
  const engine = createTestEngine((call) => {
    asked.push(call.line?.customId ?? "");
    return replyTo(call);
  });
  return { engine, asked };
}

async function idsIn(service: TestService, fileId: string | null): Promise<string[]> {
  return (await service.lines(fileId)).map((line) => String((line as ResultLine).custom_id));
}

/** Runs the first `answered` of `total` lines, and closes the service in the middle. */
async function stopHalfway(
  dataDir: string,
  total: number,
  answered: number,
  durability?: DurabilityMode,
): Promise<BatchRecord> {
  const held = createManualEngine(answered);
  const service = await openTestService({ dataDir, engine: held, durability });
  const { id } = await service.submit(fileOf(total));
  await held.arrived(answered);
  held.release();
  await held.arrived(1);
  await service.close(0);
  const batch = service.batches.get(id);
  if (batch === undefined) throw new Error("The batch is gone.");
  expect(batch).toMatchObject({ status: "in_progress", counts: { total, completed: answered } });
  return batch;
}

test("a running batch whose answer file is not on the disk goes on, and has each line once", async () => {
  const dataDir = await makeTempDir();
  const { id, outputFileId } = await stopHalfway(dataDir, 6, 2);
  await rm(join(dataDir, "files", outputFileId ?? ""));
  await rm(join(dataDir, "answers"), { recursive: true });
  const { engine, asked } = createNotingEngine();
  const service = await openTestService({ dataDir, engine });
  const batch = await service.batches.settled(id);
  expect(batch).toMatchObject({ status: "completed", counts: { total: 6, completed: 6, failed: 0 } });
  expect((await idsIn(service, batch.outputFileId)).sort()).toEqual(["q-1", "q-2", "q-3", "q-4", "q-5", "q-6"]);
  expect(asked).toHaveLength(6);
});

test("ended batches are there with their files and results", async () => {
  const dataDir = await makeTempDir();
  const before = await openTestService({ dataDir });
  const completed = await before.run(fileOf(3));
  const failed = await before.run("{}");
  await before.close();

  const after = await openTestService({ dataDir });
  expect(after.batches.list({ limit: 10 }).batches).toEqual([failed, completed]);
  expect(await idsIn(after, completed.outputFileId)).toHaveLength(3);
  expect((await after.results.page(completed.id, 0, 10)).rows.map(({ state }) => state)).toEqual(
    Array.from({ length: 3 }, () => "answered"),
  );
});

test("a batch that was running carries on with exactly the lines that have no answer", async () => {
  const dataDir = await makeTempDir();
  const stopped = await stopHalfway(dataDir, 10, 4);
  const { engine, asked } = createNotingEngine();
  const service = await openTestService({ dataDir, engine });
  expect(service.batches.get(stopped.id)?.counts.completed).toBe(4);

  const batch = await service.batches.settled(stopped.id);
  expect(batch).toMatchObject({ status: "completed", counts: { total: 10, completed: 10, failed: 0 } });
  expect(asked).toEqual(["q-5", "q-6", "q-7", "q-8", "q-9", "q-10"]);
  const ids = await idsIn(service, batch.outputFileId);
  expect(new Set(ids).size).toBe(10);
  expect(ids).toHaveLength(10);
});

test("a batch that goes on has its counts from the first moment", async () => {
  const dataDir = await makeTempDir();
  const { id, counts } = await stopHalfway(dataDir, 6, 3);
  const service = await openTestService({ dataDir, engine: createManualEngine() });
  expect(service.batches.get(id)?.counts).toEqual(counts);
});

test("a batch whose last lines were answered first carries on, and ends", async () => {
  const dataDir = await makeTempDir();
  const last = createTestEngine((call) => {
    return call.line?.number === 3 ? replyTo(call) : new Promise((_, reject) => rejectOnAbort(call.signal, reject));
  });
  const before = await openTestService({ dataDir, engine: last });
  const { id } = await before.submit(fileOf(3));
  while (before.batches.get(id)?.counts.completed !== 1) await new Promise((resolve) => setImmediate(resolve));
  await before.close(0);

  const { engine, asked } = createNotingEngine();
  const after = await openTestService({ dataDir, engine });
  expect(await after.batches.settled(id)).toMatchObject({ status: "completed", counts: { completed: 3 } });
  expect(asked).toEqual(["q-1", "q-2"]);
});

test("how long lines took and how fast they came is known after a restart, of batches that ran and that run on", async () => {
  const dataDir = await makeTempDir();
  const held = createManualEngine(4);
  const first = await openTestService({ dataDir, engine: held });
  const { id } = await first.submit(fileOf(8));
  for (const answered of [1, 4]) {
    await held.arrived(4);
    await first.clock.advance(1_500);
    held.release(answered - (first.batches.get(id)?.counts.completed ?? 0));
    while (first.batches.get(id)?.counts.completed !== answered) await new Promise((resolve) => setImmediate(resolve));
  }
  const { rows } = await first.results.page(id, 0, 8);
  const { throughput } = first.batches.progress(id);
  await first.close(0);
  expect(rows.map(({ milliseconds }) => milliseconds)).toEqual([1_500, 3_000, 3_000, 3_000, null, null, null, null]);

  const second = await openTestService({ dataDir });
  await second.batches.settled(id);
  const times = async (service: TestService) =>
    (await service.results.page(id, 0, 8)).rows.map(({ milliseconds }) => milliseconds);
  const whole = second.batches.progress(id).throughput;
  expect(await times(second)).toEqual([1_500, 3_000, 3_000, 3_000, 0, 0, 0, 0]);
  expect(whole.slice(0, throughput.length)).toEqual(throughput);
  await second.close();

  const third = await openTestService({ dataDir });
  expect(await times(third)).toEqual([1_500, 3_000, 3_000, 3_000, 0, 0, 0, 0]);
  expect(third.batches.progress(id).throughput).toEqual(whole);
});

test("a torn last line of the output is cut off, and its request runs again", async () => {
  const dataDir = await makeTempDir();
  const { id, outputFileId } = await stopHalfway(dataDir, 6, 3, "never");
  const output = join(dataDir, "files", outputFileId ?? "");
  await truncate(output, (await stat(output)).size - 10);

  const { engine, asked } = createNotingEngine();
  const service = await openTestService({ dataDir, engine });
  const batch = await service.batches.settled(id);
  expect(batch.counts).toEqual({ total: 6, completed: 6, failed: 0 });
  expect(asked).toHaveLength(4);
  expect((await idsIn(service, batch.outputFileId)).sort()).toEqual(["q-1", "q-2", "q-3", "q-4", "q-5", "q-6"]);
});

test("where the power took all entries of a ledger, what it took of the answers is asked again", async () => {
  const lost = [
    (ledger: Buffer) => ledger.fill(0),
    (ledger: Buffer) => ledger.fill(0, ledger.indexOf("\n") + 1),
    (ledger: Buffer) => ledger.subarray(0, ledger.indexOf("\n") + 1),
  ];
  for (const lose of lost) {
    const dataDir = await makeTempDir();
    const { id, outputFileId } = await stopHalfway(dataDir, 6, 4);
    const ledger = join(dataDir, "answers", id);
    await writeFile(ledger, lose(await readFile(ledger)));
    const output = join(dataDir, "files", outputFileId ?? "");
    const answers = await readFile(output);
    const third = answers.indexOf('"custom_id":"q-3"');
    await writeFile(output, answers.fill(0, third + 20, third + 80));

    const { engine, asked } = createNotingEngine();
    const service = await openTestService({ dataDir, engine });
    const batch = await service.batches.settled(id);
    expect(batch).toMatchObject({ status: "completed", counts: { total: 6, completed: 6, failed: 0 } });
    expect(asked).toEqual(["q-3", "q-4", "q-5", "q-6"]);
    expect((await idsIn(service, batch.outputFileId)).sort()).toEqual(["q-1", "q-2", "q-3", "q-4", "q-5", "q-6"]);
    await service.close();
  }
});

test("a batch whose files can't be read is tried again until they can", async () => {
  const dataDir = await makeTempDir();
  const { id, inputFileId } = await stopHalfway(dataDir, 6, 3);
  const input = join(dataDir, "files", inputFileId);
  const heal = await injectDiskFaults(({ name, path }) => (name === "read" && path === input ? "EISDIR" : null));
  onTestFinished(heal);
  const errors: string[] = [];
  const logger = { ...createSilentLogger(), error: (message: string) => void errors.push(message) };
  const service = await openTestService({ dataDir, logger });
  const isTriedAgain = () => errors.includes("A batch can't go on; trying again");
  while (!isTriedAgain()) await new Promise((resolve) => setImmediate(resolve));
  expect(service.batches.get(id)?.status).toBe("in_progress");

  heal();
  await service.clock.advance(1_000);
  expect(await service.batches.settled(id)).toMatchObject({ status: "completed", counts: { completed: 6 } });
});

test("a batch that was being checked is checked again", async () => {
  const dataDir = await makeTempDir();
  const before = await openTestService({ dataDir });
  const { id } = await before.submit(fileOf(5_000));
  await before.close(0);
  expect(before.batches.get(id)?.status).toBe("validating");

  const after = await openTestService({ dataDir });
  expect(await after.batches.settled(id)).toMatchObject({ status: "completed", counts: { completed: 5_000 } });
});

test("a batch that was being cancelled is cancelled", async () => {
  const dataDir = await makeTempDir();
  const held = createManualEngine(2);
  const before = await openTestService({ dataDir, engine: held });
  const { id } = await before.submit(fileOf(5));
  await held.arrived(2);
  held.release(1);
  await held.arrived(2);
  await before.batches.cancel(id);
  await before.close(0);

  const { engine, asked } = createNotingEngine();
  const after = await openTestService({ dataDir, engine });
  const batch = await after.batches.settled(id);
  expect(batch).toMatchObject({ status: "cancelled", counts: { total: 5, completed: 1, failed: 0 } });
  expect(await idsIn(after, batch.errorFileId)).toEqual(["q-2", "q-3", "q-4", "q-5"]);
  expect(asked).toEqual([]);
});

test("a batch whose window ended meanwhile is expired, and nothing more runs", async () => {
  const dataDir = await makeTempDir();
  const { id, times } = await stopHalfway(dataDir, 5, 2);
  const { engine, asked } = createNotingEngine();
  const after = await openTestService({ dataDir, engine, clock: createManualClock(times.created + 25 * hours) });
  const batch = await after.batches.settled(id);
  expect(batch).toMatchObject({ status: "expired", counts: { total: 5, completed: 2, failed: 0 } });
  expect(await idsIn(after, batch.errorFileId)).toEqual(["q-3", "q-4", "q-5"]);
  expect(asked).toEqual([]);
});

test("half a line is cut off also where no other takes its place", async () => {
  const dataDir = await makeTempDir();
  const { id, outputFileId } = await stopHalfway(dataDir, 4, 2);
  const output = join(dataDir, "files", outputFileId ?? "");
  const whole = await readFile(output, "utf8");
  await appendFile(output, '{"id":"half');

  const service = await openTestService({ dataDir, clock: createManualClock(Date.now() + 25 * hours) });
  expect(await service.batches.settled(id)).toMatchObject({ status: "expired", counts: { total: 4, completed: 2 } });
  expect(await readFile(output, "utf8")).toBe(whole);
});

test("a batch that was finalizing, and whose last answers did not reach the disk, asks them again", async () => {
  const dataDir = await makeTempDir();
  const { id } = await stopHalfway(dataDir, 6, 2);
  const store = await openStore({ dataDir }, { logger: createSilentLogger(), machine: createSystemMachine() });
  const batch = store.batches.get(id);
  if (batch !== undefined) store.batches.put({ ...batch, status: "finalizing" });
  await store.close();

  const { engine, asked } = createNotingEngine();
  const after = await openTestService({ dataDir, engine });
  expect(await after.batches.settled(id)).toMatchObject({ status: "completed", counts: { total: 6, completed: 6 } });
  expect(asked).toHaveLength(4);
});

test("a batch that was finalizing is completed", async () => {
  const dataDir = await makeTempDir();
  const before = await openTestService({ dataDir });
  const completed = await before.run(fileOf(3));
  await before.close();
  const store = await openStore({ dataDir }, { logger: createSilentLogger(), machine: createSystemMachine() });
  const times = { ...completed.times, completed: null };
  store.batches.put({ ...completed, status: "finalizing", times, counts: { total: 3, completed: 0, failed: 0 } });
  await store.close();

  const after = await openTestService({ dataDir });
  expect(await after.batches.settled(completed.id)).toEqual({
    ...completed,
    times: { ...completed.times, completed: after.clock.now() },
  });
});

describe("closing", () => {
  test("lets what is in flight come to its end within the grace", async () => {
    const dataDir = await makeTempDir();
    const held = createManualEngine(2);
    const before = await openTestService({ dataDir, engine: held });
    const { id } = await before.submit(fileOf(5));
    await held.arrived(2);
    const closed = before.close(10_000);
    held.release();
    await closed;
    expect(held.waiting).toEqual([]);

    const { engine, asked } = createNotingEngine();
    const after = await openTestService({ dataDir, engine });
    await after.batches.settled(id);
    expect(asked).toEqual(["q-3", "q-4", "q-5"]);
  });

  test("gives up what is in flight after the grace, and tells those who wait for the end", async () => {
    const held = createManualEngine(2);
    const service = await openTestService({ engine: held });
    const { id } = await service.submit(fileOf(5));
    await held.arrived(2);
    const settled = expect(service.batches.settled(id)).rejects.toThrow("closed before");
    await service.close(0);
    await settled;
    expect(held.waiting).toEqual([]);
    await service.close(0);
  });
});

test("a process that is killed in the middle loses no answer and repeats none", async () => {
  const dataDir = await makeTempDir();
  const service = new URL("../service/index.ts", import.meta.url).href;
  const code = `
    import { setTimeout as sleep } from "node:timers/promises";
    import { createSilentLogger } from ${JSON.stringify(new URL("../base/index.ts", import.meta.url).href)};
    import { createService } from ${JSON.stringify(service)};
    const engine = {
      description: "slow", concurrency: 5,
      async complete({ request, line }) {
        await sleep(line.number % 7);
        const choice = { index: 0, message: { role: "assistant", content: "yes" }, finish_reason: "stop" };
        const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
        const body = { id: "c", object: "chat.completion", created: 1, model: request.model, choices: [choice], usage };
        return { statusCode: 200, body };
      },
    };
    const service = await createService({ dataDir: ${JSON.stringify(dataDir)}, engine, logger: createSilentLogger() });
    async function* content() { yield Buffer.from(${JSON.stringify(fileOf(300))}); }
    const file = await (await service.files.receive(content())).store({ filename: "a.jsonl", purpose: "batch" });
    service.batches.subscribe(({ id, counts }) => console.log(JSON.stringify([id, counts.completed])));
    const window = { endpoint: "/v1/chat/completions", completionWindow: "24h" };
    await service.batches.create({ inputFileId: file.id, ...window });
  `;
  const program = join(await makeTempDir(), "program.mjs");
  await writeFile(program, code);
  const child = spawn(process.execPath, [program], { stdio: ["ignore", "pipe", "inherit"] });
  let id = "";
  for await (const line of createInterface(child.stdout)) {
    const [batchId, completed]: [string, number] = JSON.parse(line);
    id = batchId;
    if (completed >= 40) break;
  }
  child.kill("SIGKILL");
  await once(child, "exit");

  const journal = await readFile(join(dataDir, "journal.jsonl"), "utf8");
  const output = /"outputFileId":"(file-[0-9a-f]+)"/.exec(journal)?.[1] ?? "";
  const kept = (await readFile(join(dataDir, "files", output), "utf8")).split("\n").length - 1;
  expect(kept).toBeGreaterThanOrEqual(40);
  await appendFile(join(dataDir, "files", output), '{"id":"batch_req_torn","custom_');

  const { engine, asked } = createNotingEngine();
  const after = await openTestService({ dataDir, engine, clock: createManualClock(Date.now()) });
  const batch = await after.batches.settled(id);
  expect(batch).toMatchObject({ status: "completed", counts: { total: 300, completed: 300, failed: 0 } });
  const ids = await idsIn(after, batch.outputFileId);
  expect(new Set(ids).size).toBe(300);
  expect(ids).toHaveLength(300);
  expect(asked).toHaveLength(300 - kept);
});

function rejectOnAbort(signal: AbortSignal, reject: (reason: unknown) => void): void {
  signal.addEventListener("abort", () => reject(signal.reason));
}

test("a kill has no more calls asked again than there may be at a time: answers that are not on disk yet count, too", async () => {
  const dataDir = await makeTempDir();
  const concurrency = 4;
  let [calls, most] = [0, 0];
  const countLines = (path: string) => readFileSync(path, "utf8").split("\n").length - 1;
  const engine = createTestEngine((call) => {
    const files = readdirSync(join(dataDir, "files"), { withFileTypes: true }).filter((entry) => entry.isFile());
    const onDisk = files.reduce((sum, { name }) => sum + countLines(join(dataDir, "files", name)), 0) - 500;
    calls += 1;
    most = Math.max(most, calls - onDisk);
    const error = { message: "No.", type: "server_error", param: null, code: null };
    return calls % 50 === 0 ? { statusCode: 500, body: { error } } : replyTo(call);
  }, concurrency);
  const { run } = await openTestService({ dataDir, engine });
  expect(await run(fileOf(500))).toMatchObject({ counts: { completed: 490, failed: 10 } });
  expect(most).toBe(concurrency);
});
