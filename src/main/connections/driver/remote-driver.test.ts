import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { OtherRemoteBatches, RemoteJob, RemotePart, RemoteRun } from "#main/base";
import { createFakeMachine, type FakeMachine } from "../../service/testing/index.ts";
import { createAnthropicBatchAdapter } from "../adapters/anthropic-batch.ts";
import type { BatchAdapter } from "../adapters/batch-adapter.ts";
import { ConnectionError, describeErrorStatus, describeNetworkError } from "../adapters/connection-error.ts";
import { createGeminiBatchAdapter } from "../adapters/gemini-batch.ts";
import { createOpenaiBatchAdapter } from "../adapters/openai-batch.ts";
import { presets } from "../presets.ts";
import { startAnthropicService } from "../testing/anthropic-service.ts";
import { startGeminiService } from "../testing/gemini-service.ts";
import { startOpenaiService } from "../testing/openai-service.ts";
import type { Reply, StandIn } from "../testing/stand-in.ts";
import { type CreateGate, createGate } from "./create-gate.ts";
import type { PartLimits } from "./plan.ts";
import { createRemoteDriver } from "./remote-driver.ts";

const key = "sk-0123456789abcdef";
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sheaf-driver-"));
});
afterAll(() => rm(folder, { recursive: true }));

interface Service extends StandIn {
  readonly batches: readonly { readonly id: string; readonly lines: number }[];
  end(fails?: (customId: string) => boolean): void;
}

const model = (name: string) => name;
/** No call times out during a test, however busy the machine is. */
const timeout = 600_000;

/** Each kind of service with the adapter for it. */
const kinds: Record<string, (machine: FakeMachine) => Promise<{ service: Service; adapter: BatchAdapter }>> = {
  async openai(machine) {
    const service = await startOpenaiService("openai", key);
    const preset = presets.find(({ id }) => id === "openai");
    if (preset === undefined) throw new Error("There is no preset.");
    const address = {
      name: "OpenAI",
      url: new URL(service.url),
      key,
      keyHeader: "authorization" as const,
      machine,
      timeout,
    };
    return { service, adapter: createOpenaiBatchAdapter(address, { ...preset, window: "24h", model }) };
  },
  async together(machine) {
    const service = await startOpenaiService("together", key);
    const preset = presets.find(({ id }) => id === "together");
    if (preset === undefined) throw new Error("There is no preset.");
    const address = {
      name: "Together",
      url: new URL(service.url),
      key,
      keyHeader: "authorization" as const,
      machine,
      timeout,
    };
    return { service, adapter: createOpenaiBatchAdapter(address, { ...preset, window: "24h", model }) };
  },
  async anthropic(machine) {
    const service = await startAnthropicService(key);
    const error = { type: "error", error: { type: "api_error", message: "busy" } };
    const end = (fails: (customId: string) => boolean = () => false) =>
      service.end((id) => (fails(id) ? { type: "errored", error } : undefined));
    const address = {
      name: "Anthropic",
      url: new URL(service.url),
      key,
      keyHeader: "authorization" as const,
      machine,
      timeout,
    };
    return {
      service: {
        ...service,
        get batches() {
          return service.batches;
        },
        end,
      },
      adapter: createAnthropicBatchAdapter(address, { model }),
    };
  },
  async gemini(machine) {
    const service = await startGeminiService(key);
    const address = {
      name: "Gemini",
      url: new URL(service.url),
      key,
      keyHeader: "x-goog-api-key" as const,
      machine,
      timeout,
    };
    return { service, adapter: createGeminiBatchAdapter(address, { model }) };
  },
};

interface TestJob extends RemoteJob {
  readonly states: Map<string, string>;
  /** Lines that are damaged on disk by now. */
  readonly damaged: Set<number>;
  /** Of the lines that failed. */
  readonly messages: string[];
  readonly reasons: string[];
  readonly notices: (string | null)[];
  readonly uploads: number[];
  /** The ids of other batches at the services. */
  readonly elsewhere: { -readonly [K in keyof OtherRemoteBatches]: OtherRemoteBatches[K] };
}

/** A batch whose lines and parts outlive the runs over it, as they do on disk. */
function createJob(total: number, batchId = "batch-test"): TestJob {
  const states = new Map<string, string>();
  const damaged = new Set<number>();
  const answered = new Set<number>();
  const messages: string[] = [];
  const reasons: string[] = [];
  const notices: (string | null)[] = [];
  const uploads: number[] = [];
  const elsewhere = { batchIds: new Set<string>(), isUnsure: false };
  let parts: readonly RemotePart[] | null = null;
  const isAwaited = (customId: string) => states.get(customId) === "failed: result_awaited";
  const record = (line: number, customId: string, state: string) => {
    const isLate = isAwaited(customId) || (state === "answered" && states.get(customId) !== "answered");
    if (states.has(customId) && !isLate) throw new Error(`${customId} has two states.`);
    states.set(customId, state);
    answered.add(line);
  };
  return {
    batchId,
    name: "reviews",
    total,
    states,
    damaged,
    messages,
    reasons,
    async *readLines(from, to) {
      for (let line = from; line <= to; line++) {
        const messages = [{ role: "user", content: `question ${line}` }];
        if (damaged.has(line)) yield null;
        else yield JSON.stringify({ custom_id: `q-${line}`, body: { model: "some-model", max_tokens: 9, messages } });
      }
    },
    isAnswered: (line) => answered.has(line) && !isAwaited(`q-${line}`),
    hasAnswer: (line) => states.get(`q-${line}`) === "answered",
    answer: (line, customId) => record(line, customId, "answered"),
    fail(line, customId, _requestId, _status, error) {
      messages.push(error.message);
      record(line, customId, `failed: ${error.code ?? error.message}`);
    },
    failDamaged(line, wasSent) {
      if (!answered.has(line)) record(line, `line ${line}`, wasSent ? "damaged, sent" : "damaged");
    },
    skip: (line, customId, error) => record(line, customId, `never ran: ${error.code}`),
    drained: async () => {},
    get parts() {
      return parts;
    },
    keepParts(next) {
      parts = structuredClone(next);
    },
    stored: async () => {},
    showParts: (shown) => void uploads.push(...shown.map(({ uploaded }) => uploaded)),
    uploads,
    notice: (text) => void notices.push(text),
    notices,
    wait(reason) {
      if (reason !== null) reasons.push(reason);
    },
    elsewhere,
    others: async () => elsewhere,
  };
}

/** A service and its adapter, on a machine whose time passes only while something waits for it and no call is in flight. */
async function open(kind: string) {
  const machine = createFakeMachine(Date.now());
  const { service, adapter } = await (kinds[kind]?.(machine) ?? Promise.reject());
  onTestFinished(async () => {
    await adapter.close();
    await service.close();
  });
  let calls = 0;
  /** Counts calls in flight. */
  const counted: BatchAdapter = {
    ...adapter,
    upload: (...call) => during(adapter.upload(...call)),
    create: (...call) => during(adapter.create(...call)),
    get: (...call) => during(adapter.get(...call)),
    newest: (signal) => during(adapter.newest(signal)),
    cancel: (...call) => during(adapter.cancel(...call)),
    list: (signal) => duringAll(adapter.list(signal)),
    results: (...call) => duringAll(adapter.results(...call)),
  };
  async function during<T>(call: Promise<T>): Promise<T> {
    calls += 1;
    return await call.finally(() => {
      calls -= 1;
    });
  }
  async function* duringAll<T>(all: AsyncIterable<T>): AsyncGenerator<T, void> {
    calls += 1;
    try {
      yield* all;
    } finally {
      calls -= 1;
    }
  }

  return {
    service,
    adapter: counted,
    machine,
    start: (job: RemoteJob, limits: Partial<PartLimits> = {}, asked: BatchAdapter = counted, gate?: CreateGate) =>
      start(asked, machine, job, limits, gate),
    /** Lets time pass until the condition holds. */
    async until(condition: () => boolean): Promise<void> {
      while (!condition()) {
        if (calls === 0 && machine.pending > 0) await machine.advance(500);
        await nextTurn();
      }
    },
    /** Lets so much time pass. */
    async pass(milliseconds: number): Promise<void> {
      for (const end = machine.monotonic() + milliseconds; machine.monotonic() < end; ) {
        if (calls === 0 && machine.pending > 0) await machine.advance(5_000);
        await nextTurn();
      }
    },
  };
}

function start(
  adapter: BatchAdapter,
  machine: FakeMachine,
  job: RemoteJob,
  limits: Partial<PartLimits>,
  gate = createGate(),
): RemoteRun {
  const driver = createRemoteDriver({
    adapter,
    machine,
    gate,
    limits: { ...noLimits, ...limits },
    traits: {
      hasCounts: true,
      resultsKeptDays: 29,
      window: "24h",
      learned: { ...nothingLearned, hasMcp: null, longestMinutes: 180 },
    },
    folder: join(folder, "parts"),
    pollInterval: 30_000,
    firstDelay: 2_000,
  });
  return driver.run(job);
}

const nothingLearned = { hasCounts: null, hasPartialResults: null, cancelKeepsResults: null, keepsMetadata: null };

const noLimits: PartLimits = { lines: null, bytes: null, tokens: null };

const countStates = (job: TestJob) => Object.groupBy(job.states.values(), (state) => state);

const minutes = 60_000;
const broken = () => new ConnectionError("unreachable", "The service", { reason: "it closed the connection" });

/** An adapter whose first creates get no answer, and whose lists lag; `reaches`: whether the service gets the creates. */
function cutCreates(adapter: BatchAdapter, machine: FakeMachine, { reaches = true, lag = 0, cuts = 1 } = {}) {
  const sent: number[] = [];
  const cut: BatchAdapter = {
    ...adapter,
    async create(submission, signal) {
      sent.push(machine.monotonic());
      const isCut = sent.length <= cuts;
      if (isCut && !reaches) throw broken();
      const batch = await adapter.create(submission, signal);
      if (isCut) throw broken();
      return batch;
    },
    async *list(signal) {
      for await (const batch of adapter.list(signal)) if (machine.monotonic() - (sent[0] ?? 0) >= lag) yield batch;
    },
  };
  return { adapter: cut, sent };
}

const candidatesOf = (job: TestJob) => job.parts?.[0]?.candidates ?? null;

it("two creates that got no answer are decided one by one, and no part waits for ever for another", async () => {
  const { service, adapter, machine, start, until, pass } = await open("openai");
  const cut = cutCreates(adapter, machine, { reaches: false });
  const job = createJob(6);
  const first = start(job, { lines: 2 }, cut.adapter);
  await until(() => cut.sent.length === 1);
  first.suspend();
  await first.ended;
  // The first was postponed since, and a power cut left the others in doubt.
  const [sent, ...others] = job.parts ?? [];
  if (sent === undefined) throw new Error("There is no part.");
  const { sentAt, before } = sent;
  job.keepParts([{ ...sent, sentAt: null, before: null }, ...others.map((part) => ({ ...part, sentAt, before }))]);

  const next = start(job, { lines: 2 }, cut.adapter);
  const inDoubt = () => job.parts?.map(({ candidates }) => candidates !== null);
  await pass(16 * minutes);
  expect(inDoubt()).toEqual([false, true, true]);
  await next.settleCreate({ kind: "send_again" });
  await pass(minutes);
  expect(inDoubt()).toEqual([false, false, true]);
  expect(cut.sent).toHaveLength(1);
  await next.settleCreate({ kind: "send_again" });
  await until(() => service.batches.length === 3);
  service.end();
  await until(() => job.states.size === 6);
  await next.ended;
  expect(cut.sent).toHaveLength(4);
});

describe.each(Object.keys(kinds))("a batch at %s", (kind) => {
  it("of 10,000 lines is cut into parts, and each line has what came of it", async () => {
    const { service, start, until } = await open(kind);
    const job = createJob(10_000);
    const run = start(job, { lines: 4_000 });
    await until(() => service.batches.length === 3);
    expect(service.batches.map(({ lines }) => lines)).toEqual([4_000, 4_000, 2_000]);
    service.end((id) => id === "q-7");
    await until(() => job.states.size === 10_000);
    await run.ended;
    expect(countStates(job).answered).toHaveLength(9_999);
    expect(job.states.get("q-7")).toMatch(/^failed/);
    expect(job.parts?.every(({ isFetched }) => isFetched)).toBe(true);
  });

  it("is sent without lines that are damaged on disk, and one that is damaged later has the service's result", async () => {
    const { service, start, until } = await open(kind);
    const [unsent, one, several] = [createJob(4), createJob(4), createJob(4)];
    unsent.damaged.add(2);
    const runs = [];
    for (const job of [unsent, one, several]) {
      runs.push(start(job));
      await until(() => service.batches.length === runs.length);
    }
    expect(service.batches.map(({ lines }) => lines)).toEqual([3, 4, 4]);
    one.damaged.add(3);
    for (const line of [2, 3]) several.damaged.add(line);
    service.end();
    await until(() => [unsent, one, several].every(({ states }) => states.size === 4));
    await Promise.all(runs.map(({ ended }) => ended));
    const sorted = ({ states }: TestJob) => [...states].sort();
    const answered = (...lines: number[]) => lines.map((line) => [`q-${line}`, "answered"]);
    expect(sorted(unsent)).toEqual([["line 2", "damaged"], ...answered(1, 3, 4)]);
    expect(sorted(one)).toEqual(answered(1, 2, 3, 4));
    // Which of them a result is of, nobody knows.
    const unknown = [2, 3].map((line) => [`line ${line}`, "damaged, sent"]);
    expect(sorted(several)).toEqual([...unknown, ...answered(1, 4)]);
  });

  it("whose run fails is followed by no one, until it is started again", async () => {
    const { service, start, until, machine } = await open(kind);
    const job = createJob(20);
    let isBroken = false;
    const failing = Object.assign(Object.create(job, Object.getOwnPropertyDescriptors(job)), {
      keepParts(parts: readonly RemotePart[]) {
        // The first part has its batch, and the second is about to be sent.
        if (!isBroken && parts[0]?.batchId !== null && parts[1]?.sentAt !== null) {
          isBroken = true;
          throw new Error("The parts can't be kept.");
        }
        job.keepParts(parts);
      },
    });
    const run = start(failing, { lines: 10 });
    let failure: unknown = null;
    run.ended.catch((error: unknown) => {
      failure = error;
    });
    await until(() => failure !== null);
    expect(failure).toMatchObject({ message: "The parts can't be kept." });
    expect(machine.pending).toBe(0);
    const next = start(job, { lines: 10 });
    await until(() => service.batches.length === 2);
    service.end();
    await until(() => job.states.size === 20);
    await next.ended;
  });

  it("stopped during its create takes the answer; cut off, it finds the batch at the next start", async () => {
    const { service, adapter, start, until, machine } = await open(kind);
    const answers = Promise.withResolvers<void>();
    const slow: BatchAdapter = {
      ...adapter,
      async create(submission, signal) {
        const batch = await adapter.create(submission, signal);
        await Promise.race([answers.promise, new Promise((_, reject) => signal.addEventListener("abort", reject))]);
        return batch;
      },
    };
    const cutOff = createJob(3);
    const first = start(cutOff, {}, slow);
    await until(() => service.batches.length === 1);
    first.suspend();
    await machine.advance(30_000);
    first.abort("The service is closing.");
    await machine.advance(2_000);
    await first.ended;
    expect(cutOff.parts?.[0]?.batchId).toBeNull();

    const awaited = createJob(3);
    const second = start(awaited, {}, slow);
    await until(() => service.batches.length === 2);
    second.suspend();
    await machine.advance(30_000);
    answers.resolve();
    await second.ended;
    expect(awaited.parts?.[0]?.batchId).not.toBeNull();
  });

  it("stopped at any moment and started again is created once, and no line has two states", async () => {
    const { service, start, until, machine } = await open(kind);
    const job = createJob(30);
    for (let kill = 0; kill < 20; kill++) {
      const run = start(job, { lines: 10 });
      for (let turn = 0; turn < (kill * 7) % 23; turn++) await machine.advance(200);
      run.suspend();
      await run.ended;
      if (kill === 12) service.end();
    }
    const last = start(job, { lines: 10 });
    await until(() => {
      // A create that was cut on its way there: the service has nothing of it.
      if (job.parts?.some(({ candidates }) => candidates !== null)) void last.settleCreate({ kind: "send_again" });
      if (job.parts?.every(({ batchId }) => batchId !== null)) service.end();
      return job.states.size === 30;
    });
    await last.ended;
    expect(service.batches).toHaveLength(3);
    expect(countStates(job)).toEqual({ answered: Array(30).fill("answered") });
  });

  it("whose create got no answer is looked for, and not created twice, though lists lag by 20 seconds", async () => {
    const { service, adapter, machine, start, until } = await open(kind);
    const cut = cutCreates(adapter, machine, { lag: 20_000 });
    const job = createJob(5);
    const run = start(job, {}, cut.adapter);
    await until(() => service.batches.length === 1);
    // By then its results have our ids: at some services nothing else identifies it.
    service.end();
    await until(() => job.states.size === 5);
    await run.ended;
    expect(cut.sent).toHaveLength(1);
    expect(service.batches).toHaveLength(1);
    expect(countStates(job)).toEqual({ answered: Array(5).fill("answered") });
    expect(job.parts?.[0]).toMatchObject({ candidates: null, isFetched: true });
  });

  it("whose create is not found is in doubt after 15 minutes, and sent again by its user alone", async () => {
    const { service, adapter, machine, start, until, pass } = await open(kind);
    const cut = cutCreates(adapter, machine, { reaches: false });
    const job = createJob(5);
    const run = start(job, {}, cut.adapter);
    await pass(14 * minutes);
    expect(candidatesOf(job)).toBeNull();
    await pass(2 * minutes);
    expect(candidatesOf(job)).toEqual([]);
    expect(job.reasons.at(-1)).toContain("The service may have this batch");
    await pass(24 * 60 * minutes);
    expect(cut.sent).toHaveLength(1);
    await expect(run.settleCreate({ kind: "use", batchId: "nowhere" })).rejects.toThrow(
      "The service has no such batch.",
    );

    // A restart asks the same, and sends nothing.
    run.suspend();
    await run.ended;
    const next = start(job, {}, cut.adapter);
    await pass(minutes);
    expect(candidatesOf(job)).toEqual([]);
    expect(cut.sent).toHaveLength(1);
    await next.settleCreate({ kind: "send_again" });
    await until(() => service.batches.length === 1);
    service.end();
    await until(() => job.states.size === 5);
    await next.ended;
    expect(cut.sent).toHaveLength(2);
    await expect(next.settleCreate({ kind: "send_again" })).rejects.toThrow("It is known where this batch is.");
  });

  it("waits with the reason while the service can't answer, and fails no line for that", async () => {
    const { service, start, until } = await open(kind);
    service.inject("POST", /./, { status: 401, body: { error: { message: `no such key ${key}` } } });
    service.inject("POST", /./, { status: 429, headers: { "retry-after": "1" }, body: {} });
    service.inject("GET", /batches/, { status: 429, headers: { "retry-after": "0" }, body: {} });
    service.inject("GET", /batches/, { body: "no JSON" });
    service.inject("GET", /batches/, (response) => response.socket?.destroy());
    const job = createJob(3);
    const run = start(job);
    await until(() => service.batches.length === 1);
    service.end();
    await until(() => job.states.size === 3);
    await run.ended;
    expect(countStates(job)).toEqual({ answered: Array(3).fill("answered") });
    expect(service.batches).toHaveLength(1);
    expect(job.reasons.join("\n")).toContain("refused the key");
    expect(job.reasons.join("\n")).not.toContain(key);
  });
});

describe("a create that got no answer", () => {
  const network = (code: string) => describeNetworkError(Object.assign(new Error(code), { code }), "The service");
  const answered = (status: number) => describeErrorStatus(status, "{}", "The service", null);
  it.each([
    ...["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT", "CERT_HAS_EXPIRED"].map(
      (code) => [code, network(code), true] as const,
    ),
    ...["ECONNRESET", "EPIPE", "UND_ERR_SOCKET", "UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"].map(
      (code) => [code, network(code), false] as const,
    ),
    ["no JSON", new ConnectionError("not_the_api", "The service"), false] as const,
    ...[400, 401, 404, 407, 413, 422, 429].map((status) => [String(status), answered(status), true] as const),
    ...[301, 302, 303, 307, 308, 408, 409, 425, 499, 500, 502, 503, 504].map(
      (status) => [String(status), answered(status), false] as const,
    ),
  ])("for %s", async (_what, error, isSentAgain) => {
    const { adapter, machine, start, pass } = await open("openai");
    const sent: number[] = [];
    const failing: BatchAdapter = {
      ...adapter,
      async create() {
        sent.push(machine.monotonic());
        throw error;
      },
    };
    const job = createJob(1);
    const run = start(job, {}, failing);
    await pass(20 * minutes);
    expect(sent.length > 1).toBe(isSentAgain);
    expect(candidatesOf(job) === null).toBe(isSentAgain);
    run.suspend();
    await run.ended;
  });

  it("is asked of its user at once, with the address, where the list redirects, too", async () => {
    const { service, start, pass } = await open("openai");
    const away: Reply = { status: 302, headers: { location: "https://sso.example/login?state=1" }, body: "" };
    service.inject("POST", /batches$/, away);
    service.inject("GET", /batches/, ...Array<Reply>(50).fill(away));
    const job = createJob(2);
    const run = start(job);
    await pass(minutes);
    expect(candidatesOf(job)).toEqual([]);
    expect(job.reasons.at(-1)).toMatch(/may have this batch.* it redirects to https:\/\/sso.example\/login\./);
    run.suspend();
    await run.ended;
  });

  it("was answered with 303, and is read from its place if that is at the service itself", async () => {
    const { service, start, until, pass } = await open("openai");
    const job = createJob(2);
    const made = { id: "batch-see-other", status: "in_progress" };
    service.inject("POST", /batches$/, { status: 303, headers: { location: "/v1/batches/batch-see-other" }, body: "" });
    service.inject("GET", /batch-see-other/, ...Array<Reply>(9).fill({ body: made }));
    const run = start(job);
    await until(() => job.parts?.[0]?.batchId === "batch-see-other");
    run.suspend();
    await run.ended;
    const other = createJob(2);
    service.inject("POST", /batches$/, { status: 303, headers: { location: "http://127.0.0.1:1/b" }, body: "" });
    const next = start(other);
    await pass(minutes);
    expect(other.parts?.[0]).toMatchObject({ batchId: null, sentAt: expect.any(Number) });
    next.suspend();
    await next.ended;
  });

  it("may be one of several of its time and size: they are offered, but not those that others have", async () => {
    const { service, adapter, machine, start, until, pass } = await open("anthropic");
    const other = createJob(5);
    for (const kept of ["a", "b"]) {
      const before = start(other);
      await until(() => other.parts?.[0]?.batchId != null);
      before.suspend();
      await before.ended;
      if (kept === "a") other.keepParts((other.parts ?? []).map((part) => ({ ...part, batchId: null, sentAt: null })));
    }
    const cut = cutCreates(adapter, machine);
    const job = createJob(5);
    job.elsewhere.batchIds = new Set(["msgbatch_1"]);
    // What was there before the create is not known.
    service.inject("GET", /batches$/, { status: 500, body: "" });
    const run = start(job, {}, cut.adapter);
    await pass(20 * minutes);
    expect(candidatesOf(job)).toMatchObject([
      { id: "msgbatch_3", lines: 5 },
      { id: "msgbatch_2", lines: 5 },
    ]);
    await expect(run.settleCreate({ kind: "use", batchId: "msgbatch_1" })).rejects.toThrow("Another batch here has");
    await run.settleCreate({ kind: "use", batchId: "msgbatch_3" });
    service.end();
    await until(() => job.states.size === 5);
    await run.ended;
    expect(job.parts?.[0]).toMatchObject({ batchId: "msgbatch_3", candidates: null });
    expect(cut.sent).toHaveLength(1);
  });

  it("is never one that was there before it was sent, and by ids alone only one of its time by the service's clock", async () => {
    const { service, adapter, machine, start, until, pass } = await open("anthropic");
    const yesterday = createJob(5);
    const earlier = start(yesterday);
    await until(() => service.batches.length === 1);
    service.end();
    await until(() => yesterday.states.size === 5);
    await earlier.ended;
    const cut = cutCreates(adapter, machine, { reaches: false });
    const job = createJob(5);
    const run = start(job, {}, cut.adapter);
    await until(() => job.parts?.[0]?.before != null);
    expect(job.parts?.[0]?.before).toEqual({ ids: ["msgbatch_1"], clockOffset: expect.any(Number) });
    await pass(20 * minutes);
    expect(candidatesOf(job)).toEqual([]);
    await expect(run.settleCreate({ kind: "use", batchId: "msgbatch_1" })).rejects.toThrow("was there before this one");
    run.suspend();
    await run.ended;

    // Nothing tells the time of the service: its batches with the same ids are offered, and not taken.
    for (const before of [null, { ids: [], clockOffset: null }, { ids: [], clockOffset: 24 * 60 * minutes }]) {
      job.keepParts((job.parts ?? []).map((part) => ({ ...part, before, candidates: null })));
      const next = start(job, {}, cut.adapter);
      await pass(20 * minutes);
      expect(candidatesOf(job)).toMatchObject([{ id: "msgbatch_1" }]);
      next.suspend();
      await next.ended;
    }
    expect(cut.sent).toHaveLength(1);
  });

  it("holds creates at its address until it is known, and nothing else", async () => {
    const { service, adapter, machine, start, until, pass } = await open("openai");
    const gate = createGate();
    const running = createJob(2);
    const first = start(running, {}, adapter, gate);
    await until(() => running.parts?.[0]?.batchId != null);
    const cut = cutCreates(adapter, machine, { reaches: false });
    const unsure = createJob(3, "batch-unsure");
    const doubted = start(unsure, {}, cut.adapter, gate);
    await until(() => cut.sent.length === 1);
    const waiting = createJob(4, "batch-waiting");
    const held = start(waiting, {}, adapter, gate);
    await pass(60 * minutes);
    expect(candidatesOf(unsure)).toEqual([]);
    expect(service.batches).toHaveLength(1);
    expect(waiting.reasons.at(-1)).toContain("The service may have another batch");
    service.end();
    await until(() => running.states.size === 2);
    await first.ended;
    // A cancel ends the wait.
    const given = createJob(4, "batch-cancelled");
    const cancelled = start(given, {}, adapter, gate);
    await pass(minutes);
    cancelled.cancel();
    await cancelled.ended;
    await doubted.settleCreate({ kind: "send_again" });
    await until(() => service.batches.length === 3);
    service.end();
    await until(() => unsure.states.size === 3 && waiting.states.size === 4);
    await Promise.all([doubted.ended, held.ended]);
    expect(service.batches.map(({ lines }) => lines).sort()).toEqual([2, 3, 4]);
  });

  it("is not known by its ids while another batch is in doubt, too", async () => {
    const { service, adapter, machine, start, until, pass } = await open("anthropic");
    const cut = cutCreates(adapter, machine);
    const job = createJob(5);
    job.elsewhere.isUnsure = true;
    const run = start(job, {}, cut.adapter);
    await until(() => service.batches.length === 1);
    service.end();
    await pass(20 * minutes);
    expect(candidatesOf(job)).toMatchObject([{ id: "msgbatch_1" }]);
    job.elsewhere.isUnsure = false;
    await until(() => job.states.size === 5);
    await run.ended;
    expect(cut.sent).toHaveLength(1);
  });

  it("is given up with a cancel, once it was looked for: its lines have no state, and nothing is sent", async () => {
    const { adapter, machine, start, until, pass } = await open("openai");
    const cut = cutCreates(adapter, machine, { reaches: false });
    const job = createJob(3);
    const run = start(job, { lines: 2 }, cut.adapter);
    await pass(minutes);
    run.cancel();
    let isOver = false;
    void run.ended.then(() => {
      isOver = true;
    });
    await pass(5 * minutes);
    expect(isOver).toBe(false);
    await until(() => isOver);
    expect(job.states.size).toBe(0);
    expect(job.notices).toEqual([expect.stringContaining("which may still run")]);
    expect(cut.sent).toHaveLength(1);
  });
});

describe("a batch of several parts", () => {
  it("is looked at with one request for all of them, and its upload says how far it is", async () => {
    const { service, start, until } = await open("openai");
    const job = createJob(6);
    const run = start(job, { lines: 2 });
    await until(() => job.parts?.every(({ batchId }) => batchId !== null) ?? false);
    const looks = () => service.received.filter(({ method, path }) => method === "GET" && /batches/.test(path));
    const before = looks().length;
    await until(() => looks().length > before + 5);
    const paths = looks().slice(before + 2);
    expect(new Set(paths.map(({ path }) => path))).toEqual(new Set(["/v1/batches"]));
    service.end();
    await until(() => job.states.size === 6);
    await run.ended;
    expect(job.uploads.at(-1)).toBeGreaterThan(100);
  });

  it("sends no more tokens than the service queues, and the next part when there is room, without holding results", async () => {
    const { service, start, until, pass } = await open("openai");
    const job = createJob(6);
    // About 9 tokens a line: one part of two lines fits into the queue, and no second one.
    const run = start(job, { tokens: 25 });
    for (let part = 1; part <= 3; part++) {
      await until(() => service.batches.length === part);
      await pass(minutes);
      expect(service.batches).toHaveLength(part);
      service.end();
      await until(() => job.states.size === part * 2);
    }
    await run.ended;
    expect(countStates(job)).toEqual({ answered: Array(6).fill("answered") });
  });

  it("refused for a full queue is sent again, and no line fails for that", async () => {
    const { service, start, until } = await open("openai");
    const message = "Enqueued token limit reached for some-model. Try again once some batches have been completed.";
    const errors = { object: "list", data: [{ code: "token_limit_exceeded", message }] };
    service.inject("GET", /batches.batch-1/, { body: { id: "batch-1", status: "failed", errors } });
    const job = createJob(2);
    const run = start(job);
    await until(() => service.batches.length === 2);
    service.end();
    await until(() => job.states.size === 2);
    await run.ended;
    expect(countStates(job)).toEqual({ answered: Array(2).fill("answered") });
    expect(job.reasons.join()).toContain("has as many requests queued as it takes");
  });

  it("that failed after some of its requests were answered is not sent again, whatever it says of its quota", async () => {
    const { service, start, until } = await open("openai");
    const errors = {
      object: "list",
      data: [{ code: "token_limit_exceeded", message: "Enqueued token limit reached." }],
    };
    const body = { id: "batch-1", status: "failed", errors, request_counts: { total: 2, completed: 1, failed: 0 } };
    for (let read = 0; read < 100; read++) service.inject("GET", /batches.batch-1/, { body });
    const job = createJob(2);
    const run = start(job);
    await until(() => job.states.size === 2);
    await run.ended;
    expect(service.batches).toHaveLength(1);
    expect(job.parts?.[0]?.awaited).toMatchObject({ results: 1, lines: 2 });
  });

  it("refused as a whole never ran, with the service's reason", async () => {
    const { service, start, until } = await open("openai");
    const errors = { object: "list", data: [{ code: "invalid", message: "Line 1 has no url." }] };
    service.inject("GET", /batches.batch-1/, { body: { id: "batch-1", status: "failed", errors } });
    const job = createJob(2);
    const run = start(job);
    await until(() => job.states.size === 2);
    await run.ended;
    expect(countStates(job)).toEqual({ "never ran: batch_refused": Array(2).fill("never ran: batch_refused") });
    expect(job.notices).toEqual(["The service refused the batch: Line 1 has no url."]);
  });

  it("says what nobody would see: no change for long, lines answered again, lines that were not asked", async () => {
    const { service, adapter, start, until, pass } = await open("openai");
    const twice: BatchAdapter = {
      ...adapter,
      async *results(batch, signal) {
        for await (const result of adapter.results(batch, signal)) {
          yield result;
          yield result;
        }
        yield { remoteId: "stranger", outcome: { state: "never_ran", reason: "expired", message: "" } };
      },
    };
    const job = createJob(12);
    const run = start(job, {}, twice);
    await pass(39 * minutes);
    expect(job.notices).toEqual([]);
    await pass(2 * minutes);
    expect(job.notices[0]).toContain("A batch may take up to 24h there; the longest so far took 3 hours.");
    service.end();
    await until(() => job.states.size === 12);
    await run.ended;
    expect(job.notices.slice(1)).toEqual([
      null,
      "The service answered 12 lines (q-12, q-11, q-10, q-9, q-8, …) more than once: the first answer of each counts. It answered 1 line (stranger) that this batch did not ask.",
    ]);
    expect(countStates(job)).toEqual({ answered: Array(12).fill("answered") });
  });

  it.each(["openai", "anthropic", "gemini"])(
    "at %s whose results are the page of a proxy, or compressed by it, gets its answers all the same",
    async (kind) => {
      const { service, start, until } = await open(kind);
      const page: Reply = { headers: { "content-type": "text/html" }, body: "<html>\nJust a moment\n</html>" };
      service.inject("GET", /\/content$|\/results$|:download$/, page, { body: { error: { message: "Try later." } } });
      const job = createJob(3);
      const run = start(job);
      await until(() => service.batches.length === 1);
      service.end();
      await until(() => job.states.size === 3);
      await run.ended;
      expect(countStates(job)).toEqual({ answered: Array(3).fill("answered") });
      expect(job.reasons.join()).toContain("sent results that can't be read. Nothing to do: they are fetched again.");
      expect(job.notices).toEqual([]);
    },
  );

  it("whose results have lines that can't be read has a notice, and each line without a result has the sentence", async () => {
    const { service, start, until } = await open("openai");
    const answer = JSON.stringify({
      custom_id: "q-1",
      response: { status_code: 200, body: { choices: [{ message: { content: "yes" } }] } },
    });
    const lines = [answer, `<html>${answer.replace("q-1", "q-2")}`, Buffer.alloc(64_000_001, "x"), answer.slice(0, 30)];
    const body = gzipSync(Buffer.concat(lines.map((line) => Buffer.concat([Buffer.from(line), Buffer.from("\r\n")]))));
    service.inject("GET", /\/content$/, { headers: { "content-encoding": "gzip" }, body });
    const job = createJob(4);
    const run = start(job);
    await until(() => service.batches.length === 1);
    service.end();
    await until(() => job.states.size === 4);
    await run.ended;
    const sentence = "3 lines of the results can't be read: 1 has more than 64 MB, 2 are no results.";
    expect(job.notices).toEqual([sentence]);
    expect(job.messages).toEqual(Array(3).fill(`There is no result for this request. ${sentence}`));
    expect(job.states.get("q-2")).toBe("failed: result_unreadable");
  });
});
