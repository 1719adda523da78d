import { describe, expect, onTestFinished, test } from "vitest";
import { createManualClock, remotePartSchema } from "#main/base";
import { openStore } from "#main/storage";
import { createLogger } from "../base/logger.ts";
import type { ServiceOptions } from "../service/options.ts";
import {
  createFakeMachine,
  createManualEngine,
  createTestEngine,
  fileOf,
  makeBatchRecord,
  makeTempDir,
  openTestService,
  replyTo,
  upload,
} from "../service/testing/index.ts";
import { startRetention } from "./retention.ts";

const hour = 60 * 60_000;
const day = 24 * hour;
const none = { age: null, bytes: null };

/** A service whose computer's time the test lets pass, with what it logs. */
async function open(options: Partial<ServiceOptions> = {}) {
  const machine = createFakeMachine();
  const log: string[] = [];
  const logger = createLogger({ machine, level: "warn", write: (line) => log.push(line) });
  const clock = createManualClock();
  const service = await openTestService({ logger, ...options, machine, clock });
  const idsOf = () => service.batches.list({ limit: 100 }).batches.map(({ id }) => id);
  return { service, machine, clock, log, idsOf };
}

describe("what is older than is to be kept", () => {
  test("goes by the computer's clock and not by the turned one, and the log and the list say what went", async () => {
    const { service, machine, clock, log, idsOf } = await open();
    const old = await service.run(fileOf(2));
    const unused = await upload(service.files, fileOf(3));
    await clock.advance(365 * day);
    await service.retention.setLimits({ age: 10 * day, bytes: null });
    expect(idsOf()).toEqual([old.id]);

    await machine.advance(10 * day - 1);
    const fresh = await service.run(fileOf(1));
    expect(idsOf()).toEqual([fresh.id, old.id]);
    await machine.advance(hour);
    await expect.poll(idsOf).toEqual([fresh.id]);
    await expect
      .poll(() => service.retention.removed)
      .toMatchObject([
        { kind: "file", id: unused.id, name: "input.jsonl", bytes: unused.bytes, limit: "age" },
        { kind: "batch", id: old.id, limit: "age" },
      ]);
    expect(service.files.list().map(({ id }) => id)).toEqual([fresh.outputFileId, fresh.inputFileId]);
    expect(log.join("")).toContain(`Removed 1 batch and 1 file`);
    expect(log.join("")).toContain(`${old.id}, ${unused.id}.`);

    // Without limits nothing is looked for any more.
    await service.retention.setLimits(none);
    await machine.advance(20 * day);
    expect(idsOf()).toEqual([fresh.id]);
  });

  test("stays while it runs, and while something that is newer needs it", async () => {
    const failure = { statusCode: 500, body: { error: { message: "no", type: "test", param: null, code: null } } };
    const engineOf = createTestEngine((call) => (call.line?.customId === "q-1" ? failure : replyTo(call)));
    const { service, machine, idsOf } = await open({ engine: engineOf });
    const root = await service.run(fileOf(2));
    const first = await service.run(fileOf(1));
    await machine.advance(20 * day);
    const retry = await service.batches.retry({ id: root.id, which: ["failed"] });
    await service.batches.settled(retry.id);
    const sharing = await service.batches.create({
      inputFileId: first.inputFileId,
      endpoint: "/v1/chat/completions",
      completionWindow: "24h",
    });
    await service.batches.settled(sharing.id);
    await service.retention.setLimits({ age: 10 * day, bytes: null });
    // Read as one with its retry, the first is as old as that; the shared input stays.
    expect(idsOf()).toEqual([sharing.id, retry.id, root.id]);
    expect(service.files.get(first.inputFileId)).toBeDefined();

    await machine.advance(11 * day);
    await expect.poll(idsOf).toEqual([]);
    await expect.poll(() => service.files.list()).toEqual([]);

    // Versions of a prompt are compared with the first of them, which goes last.
    const version0 = await service.run(fileOf(1));
    await machine.advance(8 * day);
    const link = { kind: "version", root: version0.id } as const;
    const version1 = await service.batches.create({
      inputFileId: version0.inputFileId,
      endpoint: "/v1/chat/completions",
      completionWindow: "24h",
      link,
    });
    await service.batches.settled(version1.id);
    await machine.advance(3 * day);
    expect(idsOf()).toEqual([version1.id, version0.id]);
    await service.retention.setLimits({ age: null, bytes: 1 });
    expect(service.retention.removed.slice(0, 2).map(({ id }) => id)).toEqual([version0.id, version1.id]);

    const engine = createManualEngine(1);
    const { service: busy, machine: time } = await open({ engine });
    const { id } = await busy.submit(fileOf(1));
    await engine.arrived(1);
    await time.advance(11 * day);
    await busy.retention.setLimits({ age: day, bytes: 1 });
    expect(busy.retention.removed).toEqual([]);
    engine.release();
    await busy.batches.settled(id);
    await time.advance(2 * day);
    await expect.poll(() => busy.retention.removed).toMatchObject([{ id }]);
  });
});

test("a batch whose verification begins while others are removed stays", async () => {
  const machine = createFakeMachine();
  const logger = createLogger({ machine, level: "error", write: () => {} });
  const store = await openStore({ ephemeral: true }, { machine, logger });
  onTestFinished(() => store.close());
  for (const id of ["batch_1", "batch_2", "batch_3"]) {
    store.batches.put(makeBatchRecord({ id, status: "completed", inputFileId: `file-${id}` }));
  }
  await machine.advance(11 * day);
  const busy = new Set<string>();
  const retention = startRetention({
    store,
    batches: {
      async remove(id) {
        store.batches.remove(id);
        busy.add("batch_2");
      },
      purge: async () => {},
    },
    files: { remove: async () => {} },
    isBusy: (id) => busy.has(id),
    machine,
    logger,
  });
  onTestFinished(() => retention.close());
  await retention.setLimits({ age: 10 * day, bytes: null });
  expect(store.batches.list().map(({ id }) => id)).toEqual(["batch_2"]);
});

test("of more than is to be kept the oldest go, but nothing of the last hour", async () => {
  const { service, machine, idsOf } = await open();
  const batches = [];
  for (let index = 0; index < 4; index++) {
    batches.push(await service.run(fileOf(10)));
    await machine.advance(2 * hour);
  }
  const last = await service.run(fileOf(10));
  const bytes = service.files.list().reduce((sum, file) => sum + file.bytes, 0);
  const limits = { age: null, bytes: Math.ceil((bytes * 3) / 5) };
  expect(service.retention.plan(limits)).toMatchObject([
    { id: batches[0]?.id, limit: "size" },
    { id: batches[1]?.id, limit: "size" },
  ]);
  await service.retention.setLimits(limits);
  expect(idsOf()).toEqual([last.id, batches[3]?.id, batches[2]?.id]);
  await service.retention.setLimits({ age: null, bytes: 1 });
  expect(idsOf()).toEqual([last.id]);
});

test("a batch stays as long as a service keeps results that it awaits", async () => {
  const machine = createFakeMachine();
  const logger = createLogger({ level: "error", write: () => {} });
  // Its own: the store looks at its folder each second.
  const store = await openStore({ dataDir: await makeTempDir() }, { machine: createFakeMachine(), logger });
  onTestFinished(() => store.close());
  const now = machine.wall();
  const awaited = { kind: "results", since: now, results: 2, lines: 2, readAt: now, until: now + 7 * day };
  const part = remotePartSchema.parse({
    ...{ from: 1, to: 2, token: "token", fileId: "file-1", sentAt: now, batchId: "batch-1", rawStatus: "completed" },
    ...{ counts: null, isFetched: true, awaited },
  });
  store.batches.put(makeBatchRecord({ id: "batch_1", status: "completed", inputFileId: "file-1", remote: [part] }));
  const batches = { remove: async (id: string) => store.batches.remove(id), purge: async () => {} };
  const files = { remove: async () => {} };
  const retention = startRetention({ store, batches, files, isBusy: () => false, machine, logger });
  onTestFinished(() => retention.close());
  await machine.advance(2 * day);
  await retention.setLimits({ age: day, bytes: null });
  expect(retention.removed).toEqual([]);
  await machine.advance(6 * day);
  await expect.poll(() => retention.removed).toMatchObject([{ id: "batch_1" }]);
});

describe("where the computer's clock is more than a day ahead", () => {
  test("of the newest record, nothing goes before it is confirmed", async () => {
    const dataDir = await makeTempDir();
    const before = await open({ dataDir });
    const { id } = await before.service.run(fileOf(1));
    await before.service.close();

    const machine = createFakeMachine(before.machine.wall() + 100 * day);
    const keep = { age: 30 * day, bytes: null };
    const after = await openTestService({ dataDir, machine, keep });
    expect(after.retention.paused).toBe("clock");
    expect(after.batches.get(id)).toBeDefined();
    await after.retention.confirmClock();
    expect(after.retention.paused).toBeNull();
    expect(after.batches.get(id)).toBeUndefined();
  });

  test("of the newest record, that stays so over restarts and changes, until Sheaf has run for a day", async () => {
    const dataDir = await makeTempDir();
    const logger = createLogger({ level: "error", write: () => {} });
    /** A session of some hours in which a batch is made, which answers with what is there at its end. */
    async function run(wall: number, hours: number, id: string) {
      const store = await openStore({ dataDir }, { machine: createFakeMachine(wall), logger });
      // Its own: the store looks at its folder each second.
      const machine = createFakeMachine(wall);
      const batches = { remove: async (removed: string) => store.batches.remove(removed), purge: async () => {} };
      const files = { remove: async () => {} };
      const retention = startRetention({ store, batches, files, isBusy: () => false, machine, logger });
      await retention.setLimits({ age: 30 * day, bytes: null });
      store.batches.put(makeBatchRecord({ id, status: "completed", inputFileId: `file-${id}` }));
      await machine.advance(hours * hour);
      await retention.close();
      await store.close();
      return { paused: retention.paused, ids: store.batches.list().map((batch) => batch.id) };
    }
    const start = createFakeMachine().wall();
    expect(await run(start, 1, "batch_1")).toEqual({ paused: null, ids: ["batch_1"] });
    const ahead = start + 100 * day;
    expect(await run(ahead, 10, "batch_2")).toEqual({ paused: "clock", ids: ["batch_2", "batch_1"] });
    expect(await run(ahead + day, 10.5, "batch_3")).toEqual({
      paused: "clock",
      ids: ["batch_3", "batch_2", "batch_1"],
    });
    expect(await run(ahead + 2 * day, 5, "batch_4")).toEqual({ paused: null, ids: ["batch_4", "batch_3", "batch_2"] });
  });

  test("of what it showed while Sheaf ran, nothing goes for a day", async () => {
    const { service, machine, log, idsOf } = await open({ keep: { age: 30 * day, bytes: null } });
    const { id } = await service.run(fileOf(1));
    machine.setWall(machine.wall() + 100 * day);
    await machine.advance(hour);
    expect(service.retention.paused).toBe("clock");
    await machine.advance(23 * hour);
    expect(idsOf()).toEqual([id]);
    expect(log.filter((line) => line.includes("over a day ahead"))).toHaveLength(1);
    await machine.advance(2 * hour);
    await expect.poll(idsOf).toEqual([]);
  });
});
