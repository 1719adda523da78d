import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createMemorySecretStore, createRandomIds, createSilentLogger, createSystemClock } from "#main/base";
import { createMockEngine } from "#main/engines";
import { createModelCatalog } from "#main/requests";
import { createService, type Service, type ServiceOptions } from "#main/service";
import type { BatchRecord } from "#main/storage";
import type { CreateBatch } from "../../batches/deps.ts";
import { createFakeMachine, type FakeMachine, sharedThreads } from "../../service/testing/index.ts";
import { type ConnectionStore, createConnectionStore } from "../connection-store.ts";
import { openConnections } from "../open-connections.ts";

/** A data folder with connections, whose service can be opened again and again. */
export interface TestFolder {
  readonly path: string;
  readonly store: ConnectionStore;
  /** Its time passes faster than the computer's (ten times by default), and not at all while the process is starved. */
  readonly machine: FakeMachine;
  /** Opens the service, with ports that `change` may replace; `stop` ends it without finishing anything. */
  open(change?: (ports: TestPorts) => Partial<ServiceOptions>): Promise<Service & { stop(): Promise<void> }>;
  remove(): Promise<void>;
}

type TestPorts = ReturnType<typeof sharedThreads> &
  Required<Pick<ServiceOptions, "connections" | "machine" | "ids" | "engine">>;

/** Lets the time of a machine pass until the returned function is called. */
function startTime(machine: FakeMachine, pace: number): () => void {
  let isOver = false;
  async function pass(): Promise<void> {
    while (!isOver) {
      await machine.advance(pace);
      await wait(1);
    }
  }
  void pass();
  return () => {
    isOver = true;
  };
}

/**
 * Makes the folder. Services are polled, and failures retried, without the usual waits. `pace`: milliseconds of its time in each turn of
 * the computer's, which are to be few beside `timeout`.
 */
export async function createTestFolder(timeout = 120_000, pace = 10): Promise<TestFolder> {
  const path = await mkdtemp(join(tmpdir(), "sheaf-elsewhere-"));
  const store = createConnectionStore(path, createMemorySecretStore(), {});
  const machine = createFakeMachine(Date.now());
  const stopTime = startTime(machine, pace);
  return {
    path,
    store,
    machine,
    async open(change = (ports) => ports) {
      const ids = createRandomIds();
      const pace = { pollInterval: 10, firstDelay: 10, lookingTime: 100, timeout };
      const connections = openConnections({ store, folder: join(path, "parts"), ids, machine, ...pace });
      const clock = createSystemClock();
      const catalog = createModelCatalog("standard");
      const engine = createMockEngine({ pace: "instant", seed: 1, catalog, clock, ids });
      const logger = createSilentLogger();
      const ports = change({ ...sharedThreads(), engine, connections, machine, ids });
      const service = await createService({ logger, ...ports, dataDir: path, ephemeral: false });
      const stop = async () => {
        await service.close(0);
        await connections.close();
      };
      return { ...service, stop };
    },
    async remove() {
      stopTime();
      await rm(path, { recursive: true, force: true });
    },
  };
}

/** Submits questions as the lines `q-1`, `q-2` … to a connection. */
export async function submitQuestions(
  service: Service,
  connection: string,
  questions: readonly string[],
  saving: Pick<CreateBatch, "reuse" | "onceIdentical" | "direct"> = {},
): Promise<BatchRecord> {
  const lines = questions.map((content, at) => {
    const body = { model: "some-model", max_tokens: 9, messages: [{ role: "user", content }] };
    return `${JSON.stringify({ custom_id: `q-${at + 1}`, method: "POST", url: "/v1/chat/completions", body })}\n`;
  });
  const pending = await service.files.receive(
    (async function* () {
      yield Buffer.from(lines.join(""));
    })(),
    { connection },
  );
  const { id: inputFileId } = await pending.store({ filename: "input.jsonl", purpose: "batch" });
  const batch = { inputFileId, endpoint: "/v1/chat/completions", completionWindow: "24h", connection, ...saving };
  return await service.batches.create(batch);
}

/** Resolves when the condition holds; rejects after half a minute with what was awaited. */
export async function until(condition: () => boolean, what = "It"): Promise<void> {
  for (let tries = 0; !condition(); tries++) {
    if (tries > 3_000) throw new Error(`${what} did not come about in time.`);
    await wait(10);
  }
}

/** Random moments to stop something at, in milliseconds up to `longest`; the same for the same seed. */
export function createMoments(seed: number, count: number, longest: number): number[] {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return state % longest;
  });
}
