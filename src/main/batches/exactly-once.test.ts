import { cpSync } from "node:fs";
import { appendFile, stat, truncate } from "node:fs/promises";
import { basename, join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FaultSettings, faultSettingsSchema, finalStatuses, type ResultLine } from "#contract";
import { createAdjustableClock, createManualClock } from "#main/base";
import type { BatchRecord, DurabilityMode } from "#main/storage";
import { createFakeMachine } from "../base/clock/fake-machine.ts";
import type { Connections } from "../base/connections.ts";
import type { Engine, EngineCall, EngineReply } from "../base/ports.ts";
import { fileOf, makeTempDir, openTestService, replyTo, type TestService, upload } from "../service/testing/index.ts";
import { type DiskCall, injectDiskFaults } from "../storage/io/testing/inject-disk-faults.ts";

const minute = 60_000;
const hour = 60 * minute;
const endpoint = "/v1/chat/completions";

type Outcome = "answer" | "http_error" | "failure";
/** Times are in hours; in minutes for a batch on a connection, whose clock is always the computer's. */
type Step =
  | { readonly do: "settle"; readonly from: number; readonly count: number; readonly how: Outcome }
  | { readonly do: "cancel" }
  /** Of a batch on a connection; others can have none. */
  | { readonly do: "deadline"; readonly time: number }
  | { readonly do: "pass"; readonly time: number }
  /** The computer's clock is set forward or back. */
  | { readonly do: "set_clock"; readonly time: number }
  | { readonly do: "fault"; readonly settings: Partial<FaultSettings> }
  /** So many calls of the disk fail, or all until it is well again. */
  | { readonly do: "disk"; readonly code: string; readonly name: string; readonly times: number }
  /** The service ends; where nothing is synced, what it wrote last may be torn. */
  | { readonly do: "restart"; readonly grace: number; readonly torn: number }
  /** The process is killed: the folder is as it happens to be. */
  | { readonly do: "crash" };

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

let decide: (call: DiskCall) => string | null = () => null;
let putBack = () => {};
beforeAll(async () => {
  putBack = await injectDiskFaults((call) => decide(call));
});
afterAll(() => putBack());
const healDisk = () => {
  decide = () => null;
};

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
};

/** Most waits are for the real disk, and not for a second that must pass. */
const turnsOfSecond = 50;
/** A thread checks the input, and the disk is read: that takes its time. */
const mostTurns = 20_000;

/** How a batch is made, and by what clock: one that stands still until it is turned, or the computer's. */
interface Setting {
  readonly total: number;
  readonly isTurned: boolean;
  readonly isConnected: boolean;
  readonly durability: DurabilityMode;
}

/** A service with one batch, in a folder of its own. */
async function begin({ total, isTurned, isConnected, durability }: Setting) {
  const base = await makeTempDir();
  const stepped = createSteppedEngine();
  const machine = createFakeMachine();
  /** Of the batch's clock: its hours need not pass by the seconds of all else. */
  const time = isConnected ? machine : createFakeMachine();
  const unit = isConnected ? minute : hour;
  const turned = createManualClock();
  const connections: Connections = {
    open: async () => ({ kind: "engine", engine: stepped.engine }),
    describe: async () => null,
    identify: async () => ({ answeredAs: "there", keyOf: (body) => JSON.stringify(body) }),
    findMissingModels: async () => [],
    subscribe: () => () => {},
  };
  let folders = 0;
  let dataDir = join(base, "0");
  let service = await open();
  const { id: inputFileId } = await upload(service.files, fileOf(total));
  const connection = isConnected ? "conn_1" : null;
  const { id } = await service.batches.create({ inputFileId, endpoint, completionWindow: "24h", connection });

  function open(): Promise<TestService> {
    const clock = isTurned ? turned : createAdjustableClock({ machine: time });
    return openTestService({ dataDir, engine: stepped.engine, connections, clock, machine, durability });
  }

  function current(): BatchRecord {
    const batch = service.batches.get(id);
    if (batch === undefined) throw new Error("The batch is gone.");
    return batch;
  }

  /** Lets the seconds pass that something waits for; a disk that refuses too long is well again then. */
  async function waitFor<T>(work: Promise<T>): Promise<T> {
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    work.then(end, end);
    for (let turn = 1; !isOver; turn++) {
      if (turn % turnsOfSecond === 0) await machine.advance(1_000);
      if (turn > 10 * turnsOfSecond) healDisk();
      await turns(1);
    }
    return await work;
  }

  /** Most steps are to happen while lines run: until the first is, the batch is checked, or read again. */
  async function untilAsked(): Promise<void> {
    const isStuck = () => service.disk.failure !== null || service.faults.settings.stuck_in.length > 0;
    const mayBeAsked = () => ["validating", "in_progress"].includes(current().status) && !isStuck();
    for (let turn = 0; turn < mostTurns && stepped.waiting() === 0 && mayBeAsked(); turn++) await turns(1);
  }

  return {
    id,
    stepped,
    current,
    waitFor,
    get service() {
      return service;
    },
    async perform(step: Step): Promise<void> {
      switch (step.do) {
        case "settle":
          await untilAsked();
          return stepped.settle(step.from, step.count, step.how);
        case "cancel":
          return void (await waitFor(service.batches.cancel(id)).catch(() => {}));
        case "deadline":
          try {
            service.batches.setDeadline(id, machine.wall() + step.time * unit);
          } catch {
            // It has ended, has no connection, or the disk refuses.
          }
          return;
        case "pass":
          return await waitFor((isTurned && !isConnected ? turned : time).advance(step.time * unit));
        case "set_clock":
          return time.setWall(time.wall() + step.time * unit);
        case "fault":
          return service.faults.set(faultSettingsSchema.parse(step.settings));
        case "disk": {
          let left = step.times;
          decide = ({ name, path }) => (name === step.name && path.startsWith(base) && left-- > 0 ? step.code : null);
          return;
        }
        case "restart":
          await waitFor(service.close(step.grace));
          healDisk();
          if (durability === "never" && !finalStatuses.has(current().status)) {
            for (const file of [current().outputFileId, current().errorFileId]) await tear(dataDir, file, step.torn);
          }
          service = await waitFor(open());
          return;
        case "crash": {
          const killed = { service, dataDir };
          healDisk();
          folders += 1;
          dataDir = join(base, String(folders));
          cpSync(killed.dataDir, dataDir, {
            recursive: true,
            filter: (path) => !/^(owner|claim|lock|reserve|sheaf)/.test(basename(path)),
          });
          await waitFor(killed.service.close(0));
          service = await waitFor(open());
          return;
        }
      }
    },
  };
}

/** Takes up to `torn` bytes off the end of what was written last, or leaves an unfinished line behind it. */
async function tear(dataDir: string, fileId: string | null, torn: number): Promise<void> {
  if (fileId === null || torn === 0) return;
  const path = join(dataDir, "files", fileId);
  const { size } = await stat(path);
  if (torn % 2 === 0) await appendFile(path, '{"id":"batch_req_torn"'.slice(0, torn));
  else await truncate(path, Math.max(0, size - torn));
}

const faults: readonly Partial<FaultSettings>[] = [
  {},
  { failure_rate: 0.5 },
  { expire_after: 3 },
  { stuck_in: ["validating"] },
  { stuck_in: ["cancelling"] },
];
const settleStep = fc.record({
  do: fc.constant("settle" as const),
  from: fc.nat({ max: 3 }),
  count: fc.nat({ max: 6 }),
  how: fc.constantFrom<Outcome>("answer", "answer", "http_error", "failure"),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 16, arbitrary: settleStep },
  { weight: 1, arbitrary: fc.constant<Step>({ do: "cancel" }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("deadline" as const), time: fc.constantFrom(-1, 1, 2) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("pass" as const), time: fc.constantFrom(1, 2, 23) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("set_clock" as const), time: fc.constantFrom(-30, -1, 1, 30) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("fault" as const), settings: fc.constantFrom(...faults) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("disk" as const),
      code: fc.constantFrom("EIO", "ENOSPC", "EMFILE"),
      name: fc.constantFrom("open", "write", "write", "fdatasync", "ftruncate"),
      times: fc.constantFrom(1, 2, Number.POSITIVE_INFINITY),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("restart" as const),
      grace: fc.constantFrom(0, 1),
      torn: fc.constantFrom(0, 0, 1, 4, 21, 22, 333),
    }),
  },
  { weight: 2, arbitrary: fc.constant<Step>({ do: "crash" }) },
);
const setting: fc.Arbitrary<Setting> = fc.record({
  total: fc.integer({ min: 1, max: 30 }),
  isTurned: fc.boolean(),
  isConnected: fc.boolean(),
  durability: fc.constantFrom<DurabilityMode>("never", "never", "second"),
});

const settle = (count: number, how: Outcome = "answer"): Step => ({ do: "settle", from: 0, count, how });
const usual: Setting = { total: 9, isTurned: false, isConnected: false, durability: "never" };
/** What is to be tried each time. */
const lives: [Setting, Step[]][] = [
  [usual, [settle(2), { do: "set_clock", time: -30 }, settle(4)]],
  [{ ...usual, isConnected: true }, [settle(3), { do: "deadline", time: 1 }, { do: "pass", time: 2 }, settle(2)]],
  [{ ...usual, isTurned: true }, [settle(3), { do: "crash" }, settle(2), { do: "pass", time: 24 }]],
  [usual, [settle(3), { do: "disk", code: "ENOSPC", name: "write", times: 2 }, settle(4), { do: "cancel" }]],
  [
    usual,
    [settle(3), { do: "restart", grace: 0, torn: 333 }, { do: "fault", settings: { expire_after: 5 } }, settle(4)],
  ],
];

/** The lines of a batch that has ended. */
async function readAnswers(service: TestService, { outputFileId, errorFileId }: BatchRecord) {
  const [output, errors] = [await service.lines(outputFileId), await service.lines(errorFileId)] as ResultLine[][];
  return { output: output ?? [], errors: errors ?? [] };
}

/** Each line once, counts that add up, one end, and times in order. Returns the lines that never ran. */
async function checkEnd(service: TestService, batch: BatchRecord, ids: readonly string[]): Promise<string[]> {
  const { output, errors } = await readAnswers(service, batch);
  const skipped = errors.filter(({ response }) => response === null);
  const { counts, status, times } = batch;
  expect(["completed", "cancelled", "expired"]).toContain(status);
  expect([...output, ...errors].map(({ custom_id }) => custom_id).sort()).toEqual([...ids].sort());
  expect(counts).toEqual({
    total: ids.length,
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
  return skipped.map(({ custom_id }) => String(custom_id));
}

test("each custom_id is in exactly one of the files, once, whatever happens on the way", async () => {
  await fc.assert(
    fc.asyncProperty(setting, fc.array(step, { maxLength: 16 }), async (given, steps) => {
      healDisk();
      const life = await begin(given);
      for (const next of steps) {
        await life.perform(next);
        await turns(3);
      }
      healDisk();
      life.service.faults.clear();
      life.stepped.finish();
      const batch = await life.waitFor(life.service.batches.settled(life.id));
      const ids = Array.from({ length: given.total }, (_, at) => `q-${at + 1}`);
      const left = await checkEnd(life.service, batch, ids);
      if (given.isConnected) expect(batch.status).not.toBe("expired");

      // What a deadline left over is asked once more, and nothing else is.
      const others = life.service.batches.list({ limit: 100 }).batches.filter(({ id }) => id !== life.id);
      expect(others).toHaveLength(batch.endedBy === "deadline" && left.length > 0 ? 1 : 0);
      for (const { id } of others) {
        const rest = await life.waitFor(life.service.batches.settled(id));
        expect(await checkEnd(life.service, rest, left)).toEqual([]);
      }
      await life.perform({ do: "restart", grace: 0, torn: 0 });
      expect(life.current()).toEqual(batch);
      await life.waitFor(life.service.close(0));
    }),
    { numRuns: 40, examples: lives },
  );
});
