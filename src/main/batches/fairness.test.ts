import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createManualClock } from "#main/base";
import type { EngineCall } from "../base/ports.ts";
import type { Tier } from "../requests/model-catalog.ts";
import { createTestEngine, fileOf, openTestService, replyTo, upload } from "../service/testing/index.ts";

/**
 * A service whose engine notes which batch each call is for, and waits at its gate until that is opened. A call takes some
 * turns of the event loop, as any real one takes a moment: else the batches would wait for the disk more than for the engine that they share.
 */
async function openCounted(tier: Tier) {
  const calls: string[] = [];
  const gate = Promise.withResolvers<void>();
  const engine = createTestEngine(async (call: EngineCall) => {
    await gate.promise;
    calls.push(call.line?.batchId ?? "");
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    return replyTo(call);
  }, 4);
  const service = await openTestService({ engine, tier, clock: createManualClock() });

  async function submit(lines: number, metadata: Record<string, string> = {}): Promise<string> {
    const { id } = await upload(service.files, fileOf(lines));
    const endpoint = "/v1/chat/completions";
    const batch = await service.batches.create({ inputFileId: id, endpoint, completionWindow: "24h", metadata });
    while (service.batches.get(batch.id)?.status === "validating") await nextTurn();
    return batch.id;
  }
  return { service, calls, submit, openGate: () => gate.resolve() };
}

/**
 * Calls for the one batch to each call for the other, while both had some. Not counted are the first: the batch that came
 * second may catch up with what was done while its first requests were read.
 */
function compareShares(calls: readonly string[], batchId: string, otherId: string): number {
  const both = calls.slice(
    Math.max(calls.indexOf(batchId), calls.indexOf(otherId)) + 400,
    Math.min(calls.lastIndexOf(batchId), calls.lastIndexOf(otherId)) + 1,
  );
  expect(both.length).toBeGreaterThan(500);
  return both.filter((id) => id === batchId).length / both.filter((id) => id === otherId).length;
}

test("batches of Standard and High priority that run together share the engine 1 : 3", async () => {
  const { service, calls, submit, openGate } = await openCounted("standard");
  const low = await submit(400, { priority: "standard" });
  const high = await submit(1_000);
  openGate();
  await Promise.all([low, high].map((id) => service.batches.settled(id)));
  expect(Math.abs(compareShares(calls, high, low) - 3)).toBeLessThan(0.3);
});

test("in the free tier a batch is Standard unless it asks for High", async () => {
  const { service, calls, submit, openGate } = await openCounted("free");
  const low = await submit(400);
  const high = await submit(1_000, { priority: "high" });
  openGate();
  await Promise.all([low, high].map((id) => service.batches.settled(id)));
  expect(Math.abs(compareShares(calls, high, low) - 3)).toBeLessThan(0.3);
});

test("equal batches share it 1 : 1; a priority that is no word of ours changes nothing", async () => {
  const { service, calls, submit, openGate } = await openCounted("standard");
  const one = await submit(600);
  const other = await submit(600, { priority: "urgent" });
  openGate();
  await Promise.all([one, other].map((id) => service.batches.settled(id)));
  expect(Math.abs(compareShares(calls, one, other) - 1)).toBeLessThan(0.1);
});

test("ten lines are done while 10,000 that came before them still run", async () => {
  const { service, calls, submit, openGate } = await openCounted("standard");
  const large = await submit(10_000);
  openGate();
  while (calls.length < 1_000) await nextTurn();
  const joined = calls.length;
  const small = await submit(10);
  await service.batches.settled(small);
  expect(calls.indexOf(small)).toBeGreaterThanOrEqual(joined);
  expect(calls.lastIndexOf(small) - calls.indexOf(small)).toBeLessThanOrEqual(30);
  expect(service.batches.get(large)?.status).toBe("in_progress");
});
