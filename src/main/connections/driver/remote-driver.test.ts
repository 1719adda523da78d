import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RemoteJob, RemotePart, RemoteRun } from "#service";
import { createAnthropicBatchAdapter } from "../adapters/anthropic-batch.ts";
import type { BatchAdapter } from "../adapters/batch-adapter.ts";
import { ConnectionError } from "../adapters/connection-error.ts";
import { createGeminiBatchAdapter } from "../adapters/gemini-batch.ts";
import { createOpenaiBatchAdapter } from "../adapters/openai-batch.ts";
import { presets } from "../presets.ts";
import { startAnthropicService } from "../testing/anthropic-service.ts";
import { startGeminiService } from "../testing/gemini-service.ts";
import { startOpenaiService } from "../testing/openai-service.ts";
import type { StandIn } from "../testing/stand-in.ts";
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

/** Each kind of service with the adapter for it. */
const kinds: Record<string, () => Promise<{ service: Service; adapter: BatchAdapter }>> = {
  async openai() {
    const service = await startOpenaiService("openai", key);
    const preset = presets.find(({ id }) => id === "openai");
    if (preset === undefined) throw new Error("There is no preset.");
    const address = {
      name: "OpenAI",
      url: new URL(service.url),
      key,
      keyHeader: "authorization" as const,
      timeout: 5_000,
    };
    return { service, adapter: createOpenaiBatchAdapter(address, { ...preset, window: "24h", model }) };
  },
  async together() {
    const service = await startOpenaiService("together", key);
    const preset = presets.find(({ id }) => id === "together");
    if (preset === undefined) throw new Error("There is no preset.");
    const address = {
      name: "Together",
      url: new URL(service.url),
      key,
      keyHeader: "authorization" as const,
      timeout: 5_000,
    };
    return { service, adapter: createOpenaiBatchAdapter(address, { ...preset, window: "24h", model }) };
  },
  async anthropic() {
    const service = await startAnthropicService(key);
    const error = { type: "error", error: { type: "api_error", message: "busy" } };
    const end = (fails: (customId: string) => boolean = () => false) =>
      service.end((id) => (fails(id) ? { type: "errored", error } : undefined));
    const address = {
      name: "Anthropic",
      url: new URL(service.url),
      key,
      keyHeader: "authorization" as const,
      timeout: 5_000,
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
  async gemini() {
    const service = await startGeminiService(key);
    const address = {
      name: "Gemini",
      url: new URL(service.url),
      key,
      keyHeader: "x-goog-api-key" as const,
      timeout: 5_000,
    };
    return { service, adapter: createGeminiBatchAdapter(address, { model }) };
  },
};

interface TestJob extends RemoteJob {
  readonly states: Map<string, string>;
  readonly reasons: string[];
  readonly notices: (string | null)[];
  readonly uploads: number[];
}

/** A batch whose lines and parts outlive the runs over it, as they do on disk. */
function createJob(total: number): TestJob {
  const states = new Map<string, string>();
  const answered = new Set<number>();
  const reasons: string[] = [];
  const notices: (string | null)[] = [];
  const uploads: number[] = [];
  let parts: readonly RemotePart[] | null = null;
  const record = (line: number, customId: string, state: string) => {
    if (states.has(customId)) throw new Error(`${customId} has two states.`);
    states.set(customId, state);
    answered.add(line);
  };
  return {
    batchId: "batch-test",
    name: "reviews",
    total,
    states,
    reasons,
    async *readLines(from, to) {
      for (let line = from; line <= to; line++) {
        const messages = [{ role: "user", content: `question ${line}` }];
        yield JSON.stringify({ custom_id: `q-${line}`, body: { model: "some-model", max_tokens: 9, messages } });
      }
    },
    isAnswered: (line) => answered.has(line),
    answer: (line, customId) => record(line, customId, "answered"),
    fail: (line, customId, _requestId, _status, error) =>
      record(line, customId, `failed: ${error.code ?? error.message}`),
    skip: (line, customId, error) => record(line, customId, `never ran: ${error.code}`),
    drained: async () => {},
    get parts() {
      return parts;
    },
    keepParts(next) {
      parts = structuredClone(next);
    },
    showParts: (shown) => void uploads.push(...shown.map(({ uploaded }) => uploaded)),
    uploads,
    notice: (text) => void notices.push(text),
    notices,
    wait(reason) {
      if (reason !== null) reasons.push(reason);
    },
  };
}

function start(
  adapter: BatchAdapter,
  job: RemoteJob,
  limits: Partial<PartLimits> = {},
  stallAfter = 60_000,
): RemoteRun {
  const driver = createRemoteDriver({
    adapter,
    limits: { ...noLimits, ...limits },
    traits: {
      hasCounts: true,
      resultsKeptDays: 29,
      window: "24h",
      learned: { ...nothingLearned, hasMcp: null, longestMinutes: 180 },
    },
    folder: join(folder, "parts"),
    pollInterval: 5,
    firstDelay: 5,
    stallAfter,
  });
  return driver.run(job);
}

const nothingLearned = { hasCounts: null, hasPartialResults: null, cancelKeepsResults: null, keepsMetadata: null };

const noLimits: PartLimits = { lines: null, bytes: null, tokens: null };

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition(); tries++) {
    if (tries > 2_000) throw new Error("It did not come about in ten seconds.");
    await wait(5);
  }
}

const countStates = (job: TestJob) => Object.groupBy(job.states.values(), (state) => state);

describe.each(Object.keys(kinds))("a batch at %s", (kind) => {
  it("of 10,000 lines is cut into parts, and each line has what came of it", async () => {
    const { service, adapter } = await (kinds[kind]?.() ?? Promise.reject());
    const job = createJob(10_000);
    const run = start(adapter, job, { lines: 4_000 });
    await until(() => service.batches.length === 3);
    expect(service.batches.map(({ lines }) => lines)).toEqual([4_000, 4_000, 2_000]);
    service.end((id) => id === "q-7");
    await run.ended;
    expect(job.states.size).toBe(10_000);
    expect(countStates(job).answered).toHaveLength(9_999);
    expect(job.states.get("q-7")).toMatch(/^failed/);
    expect(job.parts?.every(({ isFetched }) => isFetched)).toBe(true);
    await adapter.close();
    await service.close();
  });

  it("stopped at any moment and started again is created once, and no line has two states", async () => {
    const { service, adapter } = await (kinds[kind]?.() ?? Promise.reject());
    const job = createJob(30);
    for (let kill = 0; kill < 20; kill++) {
      const run = start(adapter, job, { lines: 10 });
      await wait((kill * 7) % 23);
      run.abort();
      await run.ended;
      if (kill === 12) service.end();
    }
    const last = start(adapter, job, { lines: 10 });
    await until(() => job.parts?.every(({ batchId }) => batchId !== null) ?? false);
    service.end();
    await last.ended;
    expect(service.batches).toHaveLength(3);
    expect(countStates(job)).toEqual({ answered: Array(30).fill("answered") });
    await adapter.close();
    await service.close();
  });

  it("whose create got no answer is looked for, and not created twice", async () => {
    const { service, adapter } = await (kinds[kind]?.() ?? Promise.reject());
    const create = adapter.create;
    let creates = 0;
    const cut: BatchAdapter = {
      ...adapter,
      async create(submission, signal) {
        creates += 1;
        const batch = await create(submission, signal);
        if (creates === 1)
          throw new ConnectionError("unreachable", "The service", { reason: "it closed the connection" });
        return batch;
      },
    };
    const job = createJob(5);
    const run = start(cut, job);
    await until(() => job.parts?.[0]?.batchId != null);
    service.end();
    await run.ended;
    expect(service.batches).toHaveLength(1);
    expect(job.states.size).toBe(5);
    await adapter.close();
    await service.close();
  });

  it("waits with the reason while the service can't answer, and fails no line for that", async () => {
    const { service, adapter } = await (kinds[kind]?.() ?? Promise.reject());
    service.inject("POST", /./, { status: 401, body: { error: { message: `no such key ${key}` } } });
    service.inject("POST", /./, { status: 503, body: "<html>Sorry</html>" });
    service.inject("GET", /batches/, { status: 429, headers: { "retry-after": "0" }, body: {} });
    service.inject("GET", /batches/, { body: "no JSON" });
    service.inject("GET", /batches/, (response) => response.socket?.destroy());
    const job = createJob(3);
    const run = start(adapter, job);
    await until(() => service.batches.length === 1);
    service.end();
    await run.ended;
    expect(countStates(job)).toEqual({ answered: Array(3).fill("answered") });
    expect(service.batches).toHaveLength(1);
    expect(job.reasons.join("\n")).toContain("refused the key");
    expect(job.reasons.join("\n")).not.toContain(key);
    await adapter.close();
    await service.close();
  });
});

describe("a batch of several parts", () => {
  const openai = () => kinds.openai?.() ?? Promise.reject();

  it("is looked at with one request for all of them, and its upload says how far it is", async () => {
    const { service, adapter } = await openai();
    const job = createJob(6);
    const run = start(adapter, job, { lines: 2 });
    await until(() => job.parts?.every(({ batchId }) => batchId !== null) ?? false);
    const looks = () => service.received.filter(({ method, path }) => method === "GET" && /batches/.test(path));
    const before = looks().length;
    await until(() => looks().length > before + 5);
    expect(
      new Set(
        looks()
          .slice(before + 2)
          .map(({ path }) => path),
      ),
    ).toEqual(new Set(["/v1/batches"]));
    service.end();
    await run.ended;
    expect(job.states.size).toBe(6);
    expect(job.uploads.at(-1)).toBeGreaterThan(100);
    await adapter.close();
    await service.close();
  });

  it("sends no more tokens than the service queues, and the next part when there is room, without holding results", async () => {
    const { service, adapter } = await openai();
    const job = createJob(6);
    // About 9 tokens a line: a part of two lines fits, and no second one beside it.
    const run = start(adapter, job, { tokens: 25 });
    for (let part = 1; part <= 3; part++) {
      await until(() => service.batches.length === part);
      await wait(30);
      expect(service.batches).toHaveLength(part);
      service.end();
      await until(() => job.states.size === part * 2);
    }
    await run.ended;
    expect(countStates(job)).toEqual({ answered: Array(6).fill("answered") });
    await adapter.close();
    await service.close();
  });

  it("refused for a full queue is sent again, and no line fails for that", async () => {
    const { service, adapter } = await openai();
    const message = "Enqueued token limit reached for some-model. Try again once some batches have been completed.";
    const errors = { object: "list", data: [{ code: "token_limit_exceeded", message }] };
    service.inject("GET", /batches.batch-1/, { body: { id: "batch-1", status: "failed", errors } });
    const job = createJob(2);
    const run = start(adapter, job);
    await until(() => service.batches.length === 2);
    service.end();
    await run.ended;
    expect(countStates(job)).toEqual({ answered: Array(2).fill("answered") });
    expect(job.reasons.join()).toContain("has as many requests queued as it takes");
    await adapter.close();
    await service.close();
  });

  it("says what nobody would see: no change for long, lines answered twice, lines nobody asked", async () => {
    const { service, adapter } = await openai();
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
    const job = createJob(2);
    const run = start(twice, job, {}, 30);
    await until(() => job.notices.length > 0);
    expect(job.notices[0]).toContain("A batch may take up to 24h there; the longest so far took 3 hours.");
    service.end();
    await run.ended;
    expect(job.notices.slice(1)).toEqual([
      null,
      "The service answered q-2, q-1 twice: the first answer was kept. The service answered stranger, which nobody asked.",
    ]);
    expect(countStates(job)).toEqual({ answered: Array(2).fill("answered") });
    await adapter.close();
    await service.close();
  });
});
