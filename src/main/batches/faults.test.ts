import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { type BatchStatus, faultSettingsSchema, resultLineSchema } from "#contract";
import type { BatchRecord } from "#main/storage";
import { fileOf, makeTempDir, openTestService, type TestService } from "../service/testing/index.ts";

async function openWith(settings: object): Promise<TestService> {
  const service = await openTestService();
  service.faults.set(faultSettingsSchema.parse(settings));
  return service;
}

async function until(service: TestService, { id }: BatchRecord, status: BatchStatus): Promise<void> {
  while (service.batches.get(id)?.status !== status) await nextTurn();
}

/** Lets so much time pass that a batch would have gone on: another service runs one from start to end meanwhile. */
async function letItRun(): Promise<void> {
  const service = await openTestService();
  await service.run(fileOf(50));
}

async function readStatuses(
  service: TestService,
  { errorFileId }: BatchRecord,
): Promise<[string, number | undefined][]> {
  const lines = (await service.lines(errorFileId)).map((line) => resultLineSchema.parse(line));
  return lines
    .map(({ custom_id: id, response }): [string, number | undefined] => [String(id), response?.status_code])
    .sort(([a], [b]) => a.localeCompare(b));
}

test("a failure rate puts that share of the lines into the error file, the same lines each time", async () => {
  const service = await openWith({ failure_rate: 0.2, statuses: [500, 503] });
  const first = await service.run(fileOf(300));
  const second = await service.run(fileOf(300));
  expect(first).toMatchObject({ status: "completed", counts: { total: 300 } });
  expect(first.counts.failed).toBeGreaterThan(40);
  expect(first.counts.failed).toBeLessThan(80);
  expect(first.counts.completed + first.counts.failed).toBe(300);
  const statuses = await readStatuses(service, first);
  expect(new Set(statuses.map(([, status]) => status))).toEqual(new Set([500, 503]));
  expect(await readStatuses(service, second)).toEqual(statuses);
});

test("rate limits are errors of lines with status 429, and say what asked for them", async () => {
  const service = await openWith({ rate_limit_rate: 1 });
  const batch = await service.run(fileOf(2));
  expect(batch.counts).toEqual({ total: 2, completed: 0, failed: 2 });
  expect(await service.lines(batch.errorFileId)).toMatchObject(
    Array.from({ length: 2 }, () => ({
      response: {
        status_code: 429,
        body: { error: { code: "rate_limit_exceeded", message: expect.stringContaining("rate_limit_rate 1") } },
      },
    })),
  );
});

test("faults that are cut connections do nothing to lines, nor do those that act on other requests", async () => {
  const service = await openWith({ drop_rate: 0.5, malformed_rate: 0.5 });
  expect((await service.run(fileOf(20))).counts.failed).toBe(0);
  service.faults.set(faultSettingsSchema.parse({ failure_rate: 1, targets: ["chat"] }));
  expect((await service.run(fileOf(20))).counts.failed).toBe(0);
});

test("latency is added to every line, in time of the clock", async () => {
  const service = await openWith({ latency_ms: 60_000 });
  const batch = await service.submit(fileOf(8));
  await until(service, batch, "in_progress");
  while (service.clock.pending < 9) await nextTurn();
  expect(service.batches.get(batch.id)?.counts.completed).toBe(0);
  await service.clock.advance(60_000);
  expect(await service.batches.settled(batch.id)).toMatchObject({ status: "completed", counts: { completed: 8 } });
});

test("a batch sticks in validating until it is let go", async () => {
  const service = await openWith({ stuck_in: ["validating"] });
  const batch = await service.submit(fileOf(5));
  await letItRun();
  expect(service.batches.get(batch.id)?.status).toBe("validating");
  service.faults.clear();
  expect(await service.batches.settled(batch.id)).toMatchObject({ status: "completed", counts: { completed: 5 } });
});

test("a batch that sticks in validating can be cancelled, and expires with its window", async () => {
  const service = await openWith({ stuck_in: ["validating"] });
  const cancelled = await service.submit(fileOf(5));
  const expired = await service.submit(fileOf(5));
  await service.batches.cancel(cancelled.id);
  expect(await service.batches.settled(cancelled.id)).toMatchObject({ status: "cancelled" });
  await service.clock.advance(24 * 60 * 60_000);
  expect(await service.batches.settled(expired.id)).toMatchObject({ status: "expired" });
});

test("a batch sticks in cancelling, beyond ten minutes, until it is let go", async () => {
  const service = await openWith({ stuck_in: ["cancelling"], latency_ms: 1_000 });
  const batch = await service.submit(fileOf(50));
  await until(service, batch, "in_progress");
  await service.batches.cancel(batch.id);
  await service.clock.advance(11 * 60_000);
  await letItRun();
  expect(service.batches.get(batch.id)?.status).toBe("cancelling");
  service.faults.clear();
  const ended = await service.batches.settled(batch.id);
  expect(ended.status).toBe("cancelled");
  const skipped = await service.lines(ended.errorFileId);
  expect(skipped).toHaveLength(50 - ended.counts.completed);
});

test("a service that is closed while a batch is stuck goes on with it the next time", async () => {
  const dataDir = await makeTempDir();
  const first = await openTestService({ dataDir });
  first.faults.set(faultSettingsSchema.parse({ stuck_in: ["validating", "cancelling"] }));
  const batch = await first.submit(fileOf(5));
  const cancelled = await first.submit(fileOf(5));
  await first.batches.cancel(cancelled.id);
  await first.close(0);
  const second = await openTestService({ dataDir });
  expect(await second.batches.settled(batch.id)).toMatchObject({ status: "completed", counts: { completed: 5 } });
  expect(await second.batches.settled(cancelled.id)).toMatchObject({ status: "cancelled" });
});

test.each([0, 3, 49])("a batch expires once %i of its lines have been answered, and keeps these", async (count) => {
  const service = await openWith({ expire_after: count });
  const batch = await service.run(fileOf(50));
  expect(batch).toMatchObject({ status: "expired", counts: { total: 50, completed: count, failed: 0 } });
  expect(await service.lines(batch.outputFileId)).toHaveLength(count);
  const skipped = await service.lines(batch.errorFileId);
  expect(skipped).toHaveLength(50 - count);
  expect(skipped[0]).toMatchObject({ response: null, error: { code: "batch_expired" } });
});

test("a batch with no more lines than that completes", async () => {
  const service = await openWith({ expire_after: 5 });
  expect(await service.run(fileOf(5))).toMatchObject({ status: "completed", counts: { completed: 5 } });
});
