import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { RemoteJob, RemotePart, RemoteRun } from "#main/base";
import { createFakeMachine, type FakeMachine } from "../../../service/testing/index.ts";
import { createAnthropicBatchAdapter } from "../../adapters/anthropic-batch.ts";
import type { BatchAdapter } from "../../adapters/batch-adapter.ts";
import { createGeminiBatchAdapter } from "../../adapters/gemini-batch.ts";
import { createOpenaiBatchAdapter } from "../../adapters/openai-batch.ts";
import { presets } from "../../presets.ts";
import type { Kind } from "../../testing/scenarios/kinds.ts";
import { type Scenario, startScenario } from "../../testing/scenarios/start-scenario.ts";
import { type ClosableDriver, createRemoteDriver } from "../remote-driver.ts";

const key = "sk-0123456789abcdef";
const minute = 60_000;
const hour = 60 * minute;
/** How many results a process stores before it ends in the middle of them. */
const rowsBeforeKill = 7;

/** What a job has in the end, and what its user was asked. */
export interface PlayedJob {
  readonly scenario: Scenario;
  readonly parts: readonly RemotePart[];
  /** By custom_id: the answer's text, or `failed: code`, `never ran: code`. */
  readonly states: ReadonlyMap<string, string>;
  readonly answers: readonly string[];
  readonly notices: readonly string[];
  readonly reasons: readonly string[];
  /** What the user was asked, in order: `which batch` or `is it over`. */
  readonly questions: readonly string[];
  /** How long the run took, in milliseconds of the machine. */
  readonly took: number;
}

export interface PlayOptions {
  readonly lines?: number;
  /**
   * The process ends at these calls of the service, counted from 1: the service has the request, and nobody has its answer. Another
   * process goes on with what was stored.
   */
  readonly kills?: readonly number[];
  /** How long results are read after the end; 9 days by default. */
  readonly readsOn?: number;
}

function openAdapter(kind: Exclude<Kind, "chat">, url: string, machine: FakeMachine): BatchAdapter {
  // Its client begins at the server's address.
  const base = kind === "groq" ? `${url}/openai/v1` : url;
  const address = { name: kind, url: new URL(base), key, machine, timeout: 10 * minute };
  const model = (name: string) => name;
  if (kind === "anthropic") return createAnthropicBatchAdapter({ ...address, keyHeader: "x-api-key" }, { model });
  if (kind === "gemini") return createGeminiBatchAdapter({ ...address, keyHeader: "x-goog-api-key" }, { model });
  const preset = presets.find(({ id }) => id === kind);
  if (preset === undefined) throw new Error(`There is no preset ${kind}.`);
  return createOpenaiBatchAdapter({ ...address, keyHeader: preset.keyHeader }, { ...preset, window: "24h", model });
}

/**
 * Runs a job at a stand-in that behaves in a way, to its very end. Its user answers each question by the truth: a batch that was
 * made is taken, one that was not is sent again, and a state that nobody knows has ended.
 */
export async function playJob(
  kind: Exclude<Kind, "chat">,
  behaviours: readonly string[],
  { lines = 20, kills = [], readsOn = 9 * 24 * hour }: PlayOptions = {},
): Promise<PlayedJob> {
  const machine = createFakeMachine(Date.UTC(2026, 10, 27));
  const scenario = await startScenario(kind, { key, machine, overlongBytes: 64_000_001 });
  scenario.play(...behaviours);
  const folder = await mkdtemp(join(tmpdir(), "sheaf-play-"));
  const adapter = openAdapter(kind, scenario.url, machine);
  const calls = { count: 0, made: 0, kills: new Set(kills) };
  let processes = 0;
  const job = createPlayedJob(lines);
  const questions: string[] = [];
  const idle = { turns: 0 };
  let living = startProcess();
  try {
    const start = machine.monotonic();
    let run = living.driver.run(living.job);
    let isOver = follow(run);
    let asked = "";
    while (!isOver()) {
      if (living.isDead) {
        run.abort("killed");
        living.driver.close();
        living = startProcess();
        // Its user is asked again.
        asked = "";
        run = living.driver.run(living.job);
        isOver = follow(run);
      }
      // Nothing waits for time: a file is being read or written.
      if (calls.count === 0 && machine.pending === 0) {
        await nextTurn();
        continue;
      }
      // Whatever waits for long is looked at now and then.
      await pass(machine.monotonic() - start < hour ? 10_000 : 30 * minute);
      const elapsed = machine.monotonic() - start;
      if (elapsed > 12 * 24 * hour) throw new Error(`${behaviours.join(", ")} never ends: ${job.reasons.at(-1)}`);
      if (elapsed > 2 * minute) scenario.end();
      const [part] = job.parts ?? [];
      if (part?.candidates != null && part.batchId === null && asked !== part.token + part.sentAt) {
        asked = part.token + part.sentAt;
        questions.push("which batch");
        const made = scenario.batches.find(({ isForeign }) => !isForeign);
        void run
          .settleCreate(made === undefined ? { kind: "send_again" } : { kind: "use", batchId: idOf(kind, made.id) })
          .catch((error: unknown) => questions.push(String(error)));
      }
      if (part?.awaited?.kind === "state" && !part.isFetched && asked !== "state") {
        asked = "state";
        questions.push("is it over");
        run.stopWaiting();
      }
    }
    const took = machine.monotonic() - start;
    for (const end = machine.monotonic() + readsOn; machine.monotonic() < end; ) {
      if (!job.parts?.some(({ awaited }) => awaited !== null)) break;
      await pass(6 * hour);
      const reading = living.driver.readLate(living.job, new AbortController().signal).catch(() => {});
      const isRead = follow({ ended: reading });
      const now = living;
      await until(() => isRead() || now.isDead);
      if (now.isDead) living = startProcess();
    }
    living.driver.close();
    return {
      scenario,
      parts: job.parts ?? [],
      states: job.states,
      answers: [...job.states.values()].filter((state) => state.includes("answer to")),
      notices: job.notices,
      reasons: job.reasons,
      questions,
      took,
    };
  } finally {
    await adapter.close();
    await scenario.close();
    await rm(folder, { recursive: true });
  }

  /** A process with the driver; once it is dead nothing of it is sent or stored. */
  function startProcess() {
    const life = { isDead: false };
    return Object.assign(life, { driver: open(watchCalls(life)), job: job.of(() => life.isDead) });
  }

  /** The adapter as a process has it. */
  function watchCalls(process: { isDead: boolean }): BatchAdapter {
    /** A dead process waits for good. */
    const never = () => new Promise<never>(() => {});
    async function during<T>(call: () => Promise<T>): Promise<T> {
      if (process.isDead) return await never();
      calls.made += 1;
      process.isDead = calls.kills.delete(calls.made);
      calls.count += 1;
      const result = await call().finally(() => {
        calls.count -= 1;
      });
      return process.isDead ? await never() : result;
    }
    async function* duringAll<T>(all: AsyncIterable<T>): AsyncGenerator<T, void> {
      if (process.isDead) return await never();
      calls.made += 1;
      const isLast = calls.kills.delete(calls.made);
      let rows = 0;
      calls.count += 1;
      try {
        for await (const one of all) {
          yield one;
          rows += 1;
          if (isLast && rows === rowsBeforeKill) break;
        }
      } finally {
        calls.count -= 1;
      }
      process.isDead ||= isLast;
      if (process.isDead) await never();
    }
    return {
      ...adapter,
      upload: (...call) => during(() => adapter.upload(...call)),
      create: (...call) => during(() => adapter.create(...call)),
      get: (...call) => during(() => adapter.get(...call)),
      newest: (signal) => during(() => adapter.newest(signal)),
      cancel: (...call) => during(() => adapter.cancel(...call)),
      list: (signal) => duringAll(adapter.list(signal)),
      results: (...call) => duringAll(adapter.results(...call)),
    };
  }

  function open(watched: BatchAdapter): ClosableDriver {
    const nothingLearned = { hasCounts: null, hasPartialResults: null, cancelKeepsResults: null, keepsMetadata: null };
    return createRemoteDriver({
      adapter: watched,
      machine,
      limits: { lines: null, bytes: null, tokens: null },
      traits: {
        hasCounts: true,
        resultsKeptDays: null,
        window: "24h",
        learned: { ...nothingLearned, hasMcp: null, longestMinutes: null },
      },
      // A process that was killed removes no file of the next one.
      folder: join(folder, String(processes++)),
      pollInterval: 30 * minute,
      firstDelay: 2_000,
    });
  }

  /** Lets time pass while no call is in flight; a call that waits for time, such as a slow download, gets it after a while. */
  async function pass(milliseconds: number): Promise<void> {
    for (const end = machine.monotonic() + milliseconds; machine.monotonic() < end; ) {
      await nextTurn();
      idle.turns = calls.count === 0 ? 0 : idle.turns + 1;
      if (calls.count > 0 && idle.turns < 400) continue;
      idle.turns = 0;
      await machine.advance(Math.min(end - machine.monotonic(), calls.count === 0 ? milliseconds : 10_000));
    }
  }

  async function until(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) await pass(500);
  }
}

/** Gemini's ids are names. */
const idOf = (kind: Kind, id: string): string => (kind === "gemini" ? `batches/${id}` : id);

function follow({ ended }: Pick<RemoteRun, "ended">): () => boolean {
  let failure: unknown = null;
  let isOver = false;
  ended.then(
    () => {
      isOver = true;
    },
    (error: unknown) => {
      failure = error;
      isOver = true;
    },
  );
  return () => {
    if (failure !== null) throw failure;
    return isOver;
  };
}

/** A batch whose lines and parts outlive the runs over it, as they do on disk. */
function createPlayedJob(total: number) {
  const states = new Map<string, string>();
  const reasons: string[] = [];
  const notices: string[] = [];
  let parts: readonly RemotePart[] | null = null;
  const stateOf = (line: number) => states.get(`q-${line}`);
  const hasAnswer = (line: number) => stateOf(line)?.includes("answer to") ?? false;
  const isAnswered = (line: number) => stateOf(line) !== undefined && stateOf(line) !== "failed: result_awaited";
  /** The job as a process has it, which stores nothing once that is dead. */
  const of = (isDead: () => boolean): RemoteJob => ({
    batchId: "batch-played",
    name: "nightly",
    total,
    async *readLines(from, to) {
      for (let line = from; line <= to; line++) {
        const messages = [{ role: "user", content: `question ${line}` }];
        yield JSON.stringify({ custom_id: `q-${line}`, body: { model: "some-model", max_tokens: 9, messages } });
      }
    },
    isAnswered,
    hasAnswer,
    answer(line, customId, _requestId, completion) {
      if (isDead()) return;
      if (hasAnswer(line)) throw new Error(`${customId} has two answers.`);
      const { choices } = completion as { choices: readonly { message: { content: string } }[] };
      states.set(customId, choices[0]?.message.content ?? "");
    },
    fail(line, customId, _requestId, _status, error) {
      if (isDead()) return;
      if (isAnswered(line)) throw new Error(`${customId} has two outcomes.`);
      states.set(customId, `failed: ${error.code ?? error.type}`);
    },
    failDamaged: () => {},
    skip(line, customId, error) {
      if (isDead()) return;
      if (isAnswered(line)) throw new Error(`${customId} has two outcomes.`);
      states.set(customId, `never ran: ${error.code}`);
    },
    drained: async () => {},
    get parts() {
      return parts;
    },
    keepParts(next) {
      if (!isDead()) parts = structuredClone(next);
    },
    stored: async () => {},
    showParts: () => {},
    notice: (text) => void (text !== null && notices.push(text)),
    wait: (reason) => void (reason !== null && reasons.push(reason)),
    others: async () => ({ batchIds: new Set(), isUnsure: false }),
  });
  return {
    of,
    states,
    reasons,
    notices,
    get parts() {
      return parts;
    },
  };
}
