import { tmpdir } from "node:os";
import fc from "fast-check";
import { expect, test } from "vitest";
import { batchEndpoint } from "#contract";
import { createAdjustableClock, type EngineCall, type EngineReply } from "#main/base";
import { createFaults, createStoredResponses } from "#main/engines";
import { createModelCatalog } from "#main/requests";
import { createCountingIds } from "../base/ids.ts";
import { createSilentLogger } from "../base/logger.ts";
import { createFakeMachine, createTestEngine, replyTo, requestLine } from "../service/testing/index.ts";
import { createDisk } from "../storage/io/disk.ts";
import type { NewAnswer } from "./answer-files.ts";
import type { RunDeps } from "./run-deps.ts";
import { startLineRun } from "./run-lines.ts";
import { noRun, type RunCell, reduceRun } from "./run-state.ts";
import { createScheduler } from "./scheduler.ts";

const total = 12;

const failed = (statusCode: number, more: object = {}): EngineReply => ({
  statusCode,
  body: { error: { message: "No.", type: "server_error", param: null, code: null } },
  ...more,
});
const mayBeItsOwn = { unavailable: "The server can't answer.", mayBeItsOwn: true };

/** What a server may do with a call. */
const replies = {
  answers: (call: EngineCall) => replyTo(call),
  refuses: () => failed(400),
  fails: () => failed(500, mayBeItsOwn),
  limits: () => failed(429, { ...mayBeItsOwn, headers: { "retry-after": "20" } }),
  "refuses the key": () => failed(401, mayBeItsOwn),
  "is not there": () => failed(503, { unavailable: "The server can't be reached." }),
  "has no such model": () => failed(404, { unknownModel: "Choose another model." }),
  "answers what can't be read": () => failed(502, { unavailable: "The answer can't be read.", isHeld: true }),
} as const;
type ReplyName = keyof typeof replies;

/** A batch of a few lines at such a server; the calls that come behind the list are answered. `write` may throw, as a full disk does. */
async function run(
  behaviour: readonly ReplyName[],
  restartAfter: number,
  write: (answer: NewAnswer) => void = () => {},
) {
  const machine = createFakeMachine();
  const clock = createAdjustableClock({ machine });
  const logger = createSilentLogger();
  const [answered, held, ended] = [new Set<number>(), new Set<number>(), [] as number[]];
  const [sent, failures] = [[] as string[], [] as unknown[]];
  const engine = createTestEngine(async (call) => {
    const reply = replies[behaviour[sent.length] ?? "answers"](call);
    sent.push(call.line?.customId ?? "");
    await machine.sleep(10 + ((sent.length * 37) % 100), call.signal);
    return reply;
  }, 4);
  const store = { disk: createDisk({ machine, logger, dir: tmpdir(), hasReserve: false }) };
  const parts: Omit<RunDeps, "run"> = {
    ...{ clock, machine, logger, ids: createCountingIds(), catalog: createModelCatalog("standard"), store },
    ...{ faults: createFaults(1), responses: createStoredResponses() },
    ...{ batchId: "batch_1", endpoint: batchEndpoint, scope: "", metadata: {}, weight: 1, stopAfter: null, engine },
    index: { total, isAnswered: (line) => answered.has(line), hasAnswer: () => false, answer: () => null },
    reader: { peek: (line) => requestLine(`q-${line}`, "Hello?"), isSound: () => true, load: async () => {} },
    answers: {
      queuedBytes: 0,
      drained: async () => {},
      append(answer) {
        write(answer);
        answered.add(answer.line);
        ended.push(answer.line);
      },
    },
    held: {
      get size() {
        return held.size;
      },
      has: (line) => held.has(line),
      async add({ line }) {
        held.add(line);
        ended.push(line);
      },
    },
    scheduler: createScheduler(engine, { clock, machine, logger, store }),
    ...{ triesBefore: [], onWaiting: () => {}, onTries: () => {}, onNotice: () => {} },
  };

  function openRun(): RunCell {
    let state = noRun;
    const send: RunCell["send"] = (event) => {
      state = reduceRun(state, event);
      if (state.inFlight < 0 || state.throttled < 0 || state.next > total + 1) throw new Error(JSON.stringify(state));
    };
    return { state: () => state, send };
  }

  async function finish(lineRun: ReturnType<typeof startLineRun>, isEnough = () => false): Promise<void> {
    let isOver = false;
    void lineRun.ended
      .catch((error: unknown) => failures.push(error))
      .then(() => {
        isOver = true;
      });
    for (let waits = 0; !isOver; waits++) {
      if (waits > 2_000) throw new Error(`Lines ${[...ended].join(", ")} have ended, and no more do.`);
      if (isEnough()) lineRun.suspend();
      await machine.advance(waits < 20 ? 50 : 30_000);
    }
  }

  await finish(startLineRun({ ...parts, run: openRun() }), () => ended.length >= restartAfter);
  await finish(startLineRun({ ...parts, run: openRun() }));
  return { ended, sent, failures };
}

test("each line ends once, whatever the server does, and also where the run is stopped and begins again", async () => {
  const names = Object.keys(replies) as ReplyName[];
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...names), { maxLength: 40 }),
      fc.integer({ min: 1, max: 2 * total }),
      async (behaviour, restartAfter) => {
        const { ended, failures } = await run(behaviour, restartAfter);
        expect(failures).toEqual([]);
        expect(ended.toSorted((a, b) => a - b)).toEqual(Array.from({ length: total }, (_, at) => at + 1));
      },
    ),
    { numRuns: 60 },
  );
});

test("a server that answers is asked once for each line", async () => {
  expect((await run([], 2 * total)).sent).toHaveLength(total);
});

test("an answer is kept also where the failures of its model that it decides can't be: it is not asked again", async () => {
  const refused: number[] = [];
  const { ended, sent, failures } = await run(["has no such model"], 2 * total, ({ line, reply }) => {
    if (reply?.statusCode !== 404 || refused.length > 0) return;
    refused.push(line);
    throw Object.assign(new Error("Disk full."), { code: "ENOSPC" });
  });
  expect([refused, failures]).toMatchObject([[1], [{ code: "ENOSPC" }]]);
  expect(ended.toSorted((a, b) => a - b)).toEqual(Array.from({ length: total }, (_, at) => at + 1));
  expect(sent.toSorted()).toEqual(
    Array.from({ length: total }, (_, at) => `q-${at + 1}`)
      .concat("q-1")
      .toSorted(),
  );
});
