import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { finalStatuses, type ResultLine } from "#contract";
import { createAdjustableClock, createManualClock } from "#main/base";
import { createMockEngine } from "#main/engines";
import { createCountingIds } from "../base/ids.ts";
import { createSilentLogger } from "../base/logger.ts";
import { createModelCatalog } from "../requests/model-catalog.ts";
import { createService } from "../service/create-service.ts";
import {
  createFakeMachine,
  createManualEngine,
  type FakeMachine,
  fileOf,
  makeTempDir,
  openTestService,
  requestLine,
  sharedThreads,
  type TestService,
  upload,
} from "../service/testing/index.ts";
import { skipReasons } from "./skip-lines.ts";

const hours = 60 * 60_000;

function sortedIds(lines: readonly unknown[]): string[] {
  return lines.map((line) => String((line as ResultLine).custom_id)).sort();
}

describe("cancelling", () => {
  test("finishes what is in flight, keeps what was answered, and names what never ran", async () => {
    const held = createManualEngine(2);
    const service = await openTestService({ engine: held });
    const { id } = await service.submit(fileOf(6));
    await held.arrived(2);
    held.release(1);
    await held.arrived(2);
    const cancelling = await service.batches.cancel(id);
    expect(cancelling).toMatchObject({ status: "cancelling", times: { cancelling: service.clock.now() } });
    expect(await service.batches.cancel(id)).toMatchObject({ status: "cancelling" });

    held.release();
    const batch = await service.batches.settled(id);
    expect(batch).toMatchObject({ status: "cancelled", counts: { total: 6, completed: 3, failed: 0 } });
    expect(sortedIds(await service.lines(batch.outputFileId))).toEqual(["q-1", "q-2", "q-3"]);
    const never = await service.lines(batch.errorFileId);
    expect(sortedIds(never)).toEqual(["q-4", "q-5", "q-6"]);
    expect(never[0]).toMatchObject({ response: null, error: { code: "batch_cancelled" } });
    expect(await service.batches.cancel(id)).toEqual(batch);
  });

  test("waits no longer than ten minutes for what is in flight", async () => {
    const held = createManualEngine(2);
    const service = await openTestService({ engine: held });
    const { id } = await service.submit(fileOf(3));
    await held.arrived(2);
    await service.batches.cancel(id);
    await service.clock.advance(10 * 60_000 - 1);
    expect(service.batches.get(id)?.status).toBe("cancelling");
    await service.clock.advance(1);
    const batch = await service.batches.settled(id);
    expect(batch).toMatchObject({ status: "cancelled", outputFileId: null });
    expect(sortedIds(await service.lines(batch.errorFileId))).toEqual(["q-1", "q-2", "q-3"]);
  });

  test("of a batch that is still checked names what never ran, also what can't be read", async () => {
    const dataDir = await makeTempDir();
    const service = await openTestService({ dataDir });
    const { id } = await service.submit(`${fileOf(2)}no JSON\n{"custom_id":7}\n${requestLine("last", "Hello?")}`);
    expect((await service.batches.cancel(id)).status).toBe("cancelling");
    const batch = await service.batches.settled(id);
    expect(batch).toMatchObject({
      status: "cancelled",
      endedBy: "user",
      outputFileId: null,
      counts: { total: 5, completed: 0, failed: 0 },
      times: { inProgress: null },
    });
    const lines = (await service.lines(batch.errorFileId)) as ResultLine[];
    const { message } = skipReasons.cancelled;
    expect(lines.map(({ custom_id, error }) => [custom_id, error?.message])).toEqual([
      ["q-1", message],
      ["q-2", message],
      ["line-3", `Line 3 can't be read. ${message}`],
      ["line-4", `Line 4 can't be read. ${message}`],
      ["last", message],
    ]);
    const idsOf = async ({ results }: TestService) =>
      (await results.page(id, 0, 10)).rows.map(({ customId, state }) => [customId, state]);
    const expected = lines.map(({ custom_id }) => [custom_id, "skipped"]);
    expect(await idsOf(service)).toEqual(expected);
    await service.close(0);
    await rm(join(dataDir, "indexes"), { recursive: true, force: true });
    expect(await idsOf(await openTestService({ dataDir }))).toEqual(expected);
  });

  test("of a file without a line leaves no files", async () => {
    const service = await openTestService();
    const { id } = await service.submit("");
    await service.batches.cancel(id);
    expect(await service.batches.settled(id)).toMatchObject({
      status: "cancelled",
      errorFileId: null,
      counts: { total: 0 },
    });
  });

  test("is refused once the batch has ended", async () => {
    const service = await openTestService();
    const completed = await service.run(fileOf(1));
    const failed = await service.run("{}");
    await expect(service.batches.cancel(completed.id)).rejects.toMatchObject({
      code: "batch_not_cancellable",
      status: 409,
      message: "Cannot cancel a batch with status 'completed'.",
    });
    await expect(service.batches.cancel(failed.id)).rejects.toThrow("status 'failed'");
    await expect(service.batches.cancel("batch_none")).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("the end of the completion window", () => {
  test("expires the batch: answers are kept, and what never ran is named", async () => {
    const held = createManualEngine(2);
    const service = await openTestService({ engine: held });
    const { id } = await service.submit(fileOf(4));
    await held.arrived(2);
    held.release(1);
    await held.arrived(2);
    await service.clock.advance(24 * hours);
    const batch = await service.batches.settled(id);
    expect(batch).toMatchObject({ status: "expired", counts: { total: 4, completed: 1, failed: 0 } });
    expect(batch.times).toMatchObject({ expired: batch.times.expires, completed: null, finalizing: null });
    expect(sortedIds(await service.lines(batch.outputFileId))).toEqual(["q-1"]);
    const never = await service.lines(batch.errorFileId);
    expect(sortedIds(never)).toEqual(["q-2", "q-3", "q-4"]);
    expect(never[0]).toMatchObject({ response: null, error: { code: "batch_expired" } });
    await expect(service.batches.cancel(id)).rejects.toThrow("status 'expired'");
  });

  test("a cancel that comes while it expires is told that it has", async () => {
    const held = createManualEngine(2);
    const service = await openTestService({ engine: held });
    const { id } = await service.submit(fileOf(4));
    await held.arrived(2);
    await service.clock.advance(24 * hours - 1);
    const cancelled = Promise.withResolvers<unknown>();
    held.waiting[0]?.signal.addEventListener("abort", () => cancelled.resolve(service.batches.cancel(id)));
    const refused = expect(cancelled.promise).rejects.toThrow("status 'expired'");
    await service.clock.advance(1);
    await refused;
  });
});

describe("a wall clock that is set while a batch runs", () => {
  /** A service at the machine's speed, with lines of a minute each; `pass` lets time pass until the batch is that far. */
  async function openOn(machine: FakeMachine, lines: number) {
    const clock = createAdjustableClock({ machine });
    const [ids, catalog] = [createCountingIds(), createModelCatalog("standard")];
    const engine = createMockEngine({ pace: 60_000, seed: 1, clock, ids, catalog });
    const service = await createService({
      ...{ ephemeral: true, engine, clock, machine, ids, logger: createSilentLogger() },
      ...sharedThreads(),
    });
    onTestFinished(() => service.close(0));
    const { id: inputFileId } = await upload(service.files, fileOf(lines));
    const asked = { inputFileId, endpoint: "/v1/chat/completions", completionWindow: "24h" };
    const { id } = await service.batches.create(asked);
    const batch = () => service.batches.get(id);
    return {
      batch,
      async pass(isReached: (completed: number, isOver: boolean) => boolean) {
        const isThere = () =>
          isReached(batch()?.counts.completed ?? 0, finalStatuses.has(batch()?.status ?? "validating"));
        while (!isThere()) await machine.advance(1_000);
      },
    };
  }

  test.each([
    ["an hour", hours],
    ["ten years", 87_600 * hours],
  ])("back by %s freezes nothing, and no time is earlier than the one before", async (_, back) => {
    const machine = createFakeMachine();
    const { batch, pass } = await openOn(machine, 60);
    await pass((completed) => completed >= 20);
    machine.setWall(machine.wall() - back);
    await pass((_completed, isOver) => isOver);
    const { status, counts, times } = batch() ?? {};
    expect({ status, counts }).toEqual({ status: "completed", counts: { total: 60, completed: 60, failed: 0 } });
    expect(times?.completed).toBeGreaterThanOrEqual(times?.inProgress ?? Number.POSITIVE_INFINITY);
  });

  test("forward by 25 hours ends its window", async () => {
    const machine = createFakeMachine();
    const { batch, pass } = await openOn(machine, 60);
    await pass((completed) => completed >= 10);
    machine.setWall(machine.wall() + 25 * hours);
    await pass((_completed, isOver) => isOver);
    expect(batch()).toMatchObject({ status: "expired", endedBy: "expiry", counts: { total: 60 } });
    expect(batch()?.times.expired).toBeGreaterThanOrEqual(batch()?.times.expires ?? Number.POSITIVE_INFINITY);
  });

  test("back before a start lets the window of its batches begin anew", async () => {
    const dataDir = await makeTempDir();
    const held = createManualEngine(2);
    const ahead = await openTestService({ dataDir, engine: held, clock: createManualClock(Date.UTC(2030, 0, 1)) });
    const { id } = await ahead.submit(fileOf(2));
    await held.arrived(2);
    await ahead.close(0);
    const clock = createManualClock(Date.UTC(2026, 0, 1));
    const again = createManualEngine(2);
    const service = await openTestService({ dataDir, engine: again, clock });
    await again.arrived(2);
    await clock.advance(24 * hours - 1);
    expect(service.batches.get(id)?.status).toBe("in_progress");
    await clock.advance(1);
    const { status, times } = service.batches.get(id) ?? {};
    expect([status, times?.expired]).toEqual(["expired", times?.expires]);
  });
});
