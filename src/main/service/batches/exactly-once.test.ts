import { appendFile, stat, truncate } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { finalStatuses, type ResultLine } from "#contract";
import { createManualClock, createSystemMachine, type ManualClock } from "../clock/index.ts";
import { createScopedFaults } from "../engines/index.ts";
import { checkFile, createCheckRules, createFiles, type FileChecker, startFileExpiry } from "../files/index.ts";
import { createRandomIds } from "../ids.ts";
import { createSilentLogger } from "../logger.ts";
import { createModelCatalog } from "../model-catalog.ts";
import type { Engine, EngineCall, EngineReply } from "../ports.ts";
import { createIndexCache, createMergedBatches } from "../results/index.ts";
import { openStore } from "../store/index.ts";
import { createStoredResponses } from "../stored-responses.ts";
import { fileOf, makeTempDir, readContent, replyTo, upload } from "../testing/index.ts";
import { startBatches } from "./batches.ts";

type Outcome = "answer" | "http_error" | "failure";
type Step =
  | { readonly do: "settle"; readonly from: number; readonly count: number; readonly how: Outcome }
  | { readonly do: "cancel" }
  | { readonly do: "pass"; readonly hours: number }
  /** The service ends, and what it wrote last may be torn. */
  | { readonly do: "restart"; readonly grace: number; readonly torn: number };

const httpError: EngineReply = {
  statusCode: 500,
  body: { error: { message: "No.", type: "server_error", param: null, code: null } },
};

/** An engine whose calls are settled by the steps of a test, and at once in the end. */
function createSteppedEngine() {
  let held: { call: EngineCall; settle: (how: Outcome) => void }[] = [];
  let atOnce = false;
  const engine: Engine = {
    description: "stepped",
    concurrency: 4,
    stream: () => Promise.reject(new Error("A batch asks for whole answers.")),
    complete(call) {
      const { promise, resolve, reject } = Promise.withResolvers<EngineReply>();
      const settle = (how: Outcome) => {
        if (how === "answer") resolve(replyTo(call));
        else if (how === "http_error") resolve(httpError);
        else reject(new Error("failed"));
      };
      if (atOnce) settle("answer");
      else held.push({ call, settle });
      call.signal.addEventListener("abort", () => {
        held = held.filter((entry) => entry.call !== call);
        reject(call.signal.reason);
      });
      return promise;
    },
  };
  /** Settles `count` of the waiting calls, from the `from`th on. */
  const settle = (from: number, count: number, how: Outcome) => {
    for (const call of held.splice(from, count)) call.settle(how);
  };
  return {
    engine,
    settle,
    waiting: () => held.length,
    finish() {
      atOnce = true;
      settle(0, held.length, "answer");
    },
  };
}

async function open(dataDir: string, engine: Engine, clock: ManualClock) {
  const logger = createSilentLogger();
  const store = await openStore(
    { dataDir, durability: "never" },
    { logger: createSilentLogger(), machine: createSystemMachine() },
  );
  const limits = { bytes: 1_000_000, requests: 1_000, lineBytes: 1_000_000 };
  const catalog = createModelCatalog("standard");
  const rules = createCheckRules(catalog, limits);
  const checker: FileChecker = { check: (path, options) => checkFile(path, rules, options) };
  const ids = createRandomIds();
  const indexes = createIndexCache({
    store,
    own: store,
    durability: store.durability,
    machine: createSystemMachine(),
    logger,
  });
  const faults = createScopedFaults(1);
  const expiry = startFileExpiry({ store, clock, logger });
  const files = createFiles({
    store,
    clock,
    ids,
    limits,
    generatedLimits: limits,
    completeLedger: indexes.get,
    onStored: expiry.watch,
  });
  const parts = {
    store,
    checker,
    indexes,
    damage: { compareAll: async () => {} },
    merged: createMergedBatches(store, indexes),
    files,
    watchExpiry: expiry.watch,
    forgetRuns: async () => {},
    engine,
    connectionRuntime: null,
    archives: async () => [],
    faults,
    catalog,
    responses: createStoredResponses(),
    tier: () => "standard" as const,
    clock,
    machine: createSystemMachine(),
    ids,
    logger,
  } as const;
  const { batches, close } = startBatches(parts);
  return {
    files,
    batches,
    pathOf: store.pathOf,
    async close(grace: number) {
      expiry.close();
      await close(grace);
      await store.close();
    },
  };
}

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
};

/** Takes up to `torn` bytes off the end of what was written last, or leaves an unfinished line behind it. */
async function tear(dataDir: string, fileId: string | null, torn: number): Promise<void> {
  if (fileId === null || torn === 0) return;
  const path = join(dataDir, "files", fileId);
  const { size } = await stat(path);
  if (torn % 2 === 0) await appendFile(path, '{"id":"batch_req_torn"'.slice(0, torn));
  else await truncate(path, Math.max(0, size - torn));
}

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 16, arbitrary: settleStep() },
  { weight: 1, arbitrary: fc.constant<Step>({ do: "cancel" }) },
  { weight: 1, arbitrary: fc.constantFrom(1, 2, 23).map((hours): Step => ({ do: "pass", hours })) },
  {
    weight: 4,
    arbitrary: fc
      .record({ grace: fc.constantFrom(0, 1), torn: fc.constantFrom(0, 0, 1, 4, 21, 22, 333) })
      .map((restart): Step => ({ do: "restart", ...restart })),
  },
);

function settleStep(): fc.Arbitrary<Step> {
  return fc
    .record({
      from: fc.nat({ max: 3 }),
      count: fc.nat({ max: 6 }),
      how: fc.constantFrom<Outcome>("answer", "answer", "http_error", "failure"),
    })
    .map((settled) => ({ do: "settle", ...settled }));
}

test("each custom_id is in exactly one of the files, once, whatever happens on the way", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 30 }), fc.array(step, { maxLength: 16 }), async (total, steps) => {
      const dataDir = await makeTempDir();
      const clock = createManualClock();
      const stepped = createSteppedEngine();
      let service = await open(dataDir, stepped.engine, clock);
      const { id: inputFileId } = await upload(service.files, fileOf(total));
      const endpoint = "/v1/chat/completions";
      const { id } = await service.batches.create({ inputFileId, endpoint, completionWindow: "24h" });
      const current = () => {
        const batch = service.batches.get(id);
        if (batch === undefined) throw new Error("The batch is gone.");
        return batch;
      };

      for (const next of steps) {
        if (next.do === "settle") {
          // Most steps are to happen while lines run: until the first is, the batch is checked, or read again.
          for (let turn = 0; turn < 100 && stepped.waiting() === 0 && !finalStatuses.has(current().status); turn++) {
            await turns(1);
          }
          stepped.settle(next.from, next.count, next.how);
        }
        if (next.do === "cancel") await service.batches.cancel(id).catch(() => {});
        if (next.do === "pass") await clock.advance(next.hours * 60 * 60_000);
        if (next.do === "restart") {
          await service.close(next.grace);
          if (!finalStatuses.has(current().status)) {
            await tear(dataDir, current().outputFileId, next.torn);
            await tear(dataDir, current().errorFileId, next.torn);
          }
          service = await open(dataDir, stepped.engine, clock);
        }
        await turns(3);
      }
      stepped.finish();
      const batch = await service.batches.settled(id);

      const read = async (fileId: string | null): Promise<ResultLine[]> => {
        if (fileId === null) return [];
        const lines = (await readContent(service.files.read(fileId))).split("\n");
        expect(lines.pop()).toBe("");
        return lines.map((line) => JSON.parse(line));
      };
      const [output, errors] = [await read(batch.outputFileId), await read(batch.errorFileId)];
      const skipped = errors.filter(({ response }) => response === null);
      const { counts, status, times } = batch;
      const wasChecked = counts.total > 0;
      expect([...output, ...errors].map(({ custom_id }) => custom_id).sort()).toEqual(
        wasChecked ? Array.from({ length: total }, (_, at) => `q-${at + 1}`).sort() : [],
      );
      expect(counts).toEqual({
        total: wasChecked ? total : 0,
        completed: output.length,
        failed: errors.length - skipped.length,
      });
      if (status === "completed") expect(skipped).toEqual([]);
      for (const file of [batch.outputFileId, batch.errorFileId]) {
        if (file !== null) expect(service.files.get(file)?.bytes).toBeGreaterThan(0);
      }
      const ends = [times.completed, times.cancelled, times.expired, times.failed];
      expect(ends.filter((time) => time !== null)).toHaveLength(1);
      const moments = [times.created, times.inProgress, times.finalizing, times.cancelling, ...ends];
      const taken = moments.filter((time) => time !== null);
      expect(taken).toEqual(taken.toSorted((one, other) => one - other));
      await service.close(0);
    }),
    { numRuns: 60 },
  );
}, 60_000);
