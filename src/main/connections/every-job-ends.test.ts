import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Engine, EngineReply, Machine } from "#main/base";
import { createEngineError } from "#main/engines";
import type { Service } from "#main/service";
import { mostTries } from "../batches/line-retries.ts";
import { markServerFailures } from "./calls/server-failures.ts";
import { createTestFolder, submitQuestions, type TestFolder, until } from "./testing/open-service.ts";

/*
 * Whatever mixture of lines a server answers, fails always or for some time, or never answers: the job ends, or waits with a
 * reason that is true. By the server's count no line is asked more often than the rule says.
 */

/** How a server treats a line: the outcome of each call, and of all further ones. */
interface Way {
  readonly fails: "answers" | "500" | "408" | "403" | "429" | "hangs" | "cut" | "400";
  /** After so many calls it is answered. */
  readonly times: number;
}

const callTimeout = 10 * 60_000;
const words = "The server choked on that.";

function createServer(ways: readonly Way[], machine: Machine, concurrency: number) {
  const asked = ways.map(() => 0);
  let answers = 0;
  /** How often each had been asked when the first answer was given. */
  let before: readonly number[] | null = null;
  async function complete(line: number, signal: AbortSignal): Promise<EngineReply> {
    const way = ways[line - 1] ?? { fails: "answers", times: 0 };
    const nth = (asked[line - 1] ?? 0) + 1;
    asked[line - 1] = nth;
    await machine.sleep(50 + line, signal);
    if (way.fails === "answers" || nth > way.times) {
      before ??= [...asked];
      answers += 1;
      const message = { role: "assistant", content: `answer ${line}` };
      return { statusCode: 200, body: { choices: [{ index: 0, message, finish_reason: "stop" }] } };
    }
    if (way.fails === "hangs") {
      await machine.sleep(callTimeout, signal);
      const cause = new DOMException("It took too long.", "TimeoutError");
      return { ...createEngineError({ status: 504, message: "Too late.", code: "upstream_timeout" }), cause };
    }
    if (way.fails === "cut") {
      const cause = Object.assign(new Error("closed"), { code: "ECONNRESET" });
      return { ...createEngineError({ status: 502, message: words, code: "upstream_unreachable" }), cause };
    }
    return createEngineError({ status: Number(way.fails), message: words });
  }
  const engine: Engine = {
    description: "a server",
    concurrency,
    complete: ({ line, signal }) => complete(line?.number ?? 0, signal),
    stream: () => Promise.reject(new Error("Nothing is streamed here.")),
  };
  return {
    engine: markServerFailures(engine, { name: "Chat", missingKey: null, versionedUrl: null }),
    asked,
    get answers() {
      return answers;
    },
    /** How often a line was asked since there was an answer. */
    askedSince: (at: number) => (asked[at] ?? 0) - (before?.[at] ?? 0),
  };
}

let folder: TestFolder;
let service: Service & { stop(): Promise<void> };
let server: ReturnType<typeof createServer>;
let connection: string;
beforeAll(async () => {
  folder = await createTestFolder(120_000, 2_000);
  const { id } = await folder.store.save({ name: "Chat", adapter: "chat", preset: null, url: "http://127.0.0.1:9/v1" });
  connection = id;
  service = await open();
});
const open = () =>
  folder.open((ports) => ({
    ...ports,
    connections: { ...ports.connections, open: async () => ({ kind: "engine", engine: server.engine }) },
  }));
afterAll(async () => {
  await service.stop();
  await folder.remove();
});

const forever = Number.POSITIVE_INFINITY;

async function run(ways: readonly Way[], concurrency: number) {
  server = createServer(ways, folder.machine, concurrency);
  const { id } = await submitQuestions(
    service,
    connection,
    ways.map((_, at) => `question ${at + 1}`),
  );
  const batch = () => service.batches.get(id);
  const neverAnswers = ways.every(({ fails, times }) => fails === "400" || (fails !== "answers" && times === forever));
  const mayWait = neverAnswers && ways.some(({ fails }) => fails !== "400");
  const hasEnded = () => batch()?.status === "completed";
  if (mayWait) await until(() => batch()?.waiting != null, "A reason");
  else await until(hasEnded, `The end of ${JSON.stringify(ways)} at ${concurrency}`);
  return { batch, id, mayWait };
}

const way = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Way>({ fails: "answers", times: 0 }) },
  {
    weight: 3,
    arbitrary: fc.record({
      fails: fc.constantFrom<Way["fails"]>("500", "408", "403", "429", "hangs", "cut", "400"),
      times: fc.constantFrom(1, 2, 5, 11, forever, forever),
    }),
  },
);

it("ends or waits with a reason that is true, and asks no line more often than the rule says", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(way, { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 1, max: 6 }),
      async (ways, concurrency) => {
        const { batch, id, mayWait } = await run(ways, concurrency);
        if (mayWait) {
          expect(batch()?.waiting).toMatch(
            /failure of its own|in time|more slowly|refused the key|closed the connection/,
          );
          // Its limits of time are over at once here.
          await service.batches.cancel(id).catch(() => {});
          await service.batches.settled(id);
          return;
        }
        for (const [at, { fails, times }] of ways.entries()) {
          const { statusCode } = await service.results.line(id, at + 1);
          const asked = server.asked[at] ?? 0;
          if (fails === "answers") expect(asked).toBe(1);
          else if (fails === "400" && times > 0) expect([asked, statusCode]).toEqual([1, 400]);
          else expect(server.askedSince(at)).toBeLessThanOrEqual(mostTries);
          if (times === forever) expect(statusCode).not.toBe(200);
          if (statusCode === 200) expect(asked).toBe(times + 1);
        }
      },
    ),
    { numRuns: 12, seed: 30 },
  );
}, 600_000);

it.each([
  ["500", 6],
  ["408", 6],
  ["500", 1],
  ["408", 2],
] as const)("two of six lines that always answer %s end the job, %i at a time", async (fails, concurrency) => {
  const answered: Way = { fails: "answers", times: 0 };
  const bad: Way = { fails, times: forever };
  const { batch } = await run([answered, bad, answered, answered, bad, answered], concurrency);
  expect(batch()?.counts).toEqual({ total: 6, completed: 4, failed: 2 });
  expect(server.asked[1]).toBeLessThanOrEqual(mostTries);
});

it("a line that fails eleven times is answered at its twelfth, and others are asked once", async () => {
  const answered: Way = { fails: "answers", times: 0 };
  const { batch } = await run([answered, { fails: "500", times: 11 }, answered, answered], 2);
  expect(batch()?.counts).toMatchObject({ completed: 4, failed: 0 });
  expect(server.asked).toEqual([1, 12, 1, 1]);
});

it("a line that always fails has its twelve tries over restarts, not anew after each", async () => {
  const answered: Way = { fails: "answers", times: 0 };
  server = createServer([answered, { fails: "500", times: forever }, answered], folder.machine, 1);
  const { id } = await submitQuestions(service, connection, ["one", "two", "three"]);
  for (const tries of [4, 8]) {
    await until(() => (server.asked[1] ?? 0) >= tries && service.batches.get(id)?.counts.completed === 2, "The tries");
    await service.stop();
    service = await open();
  }
  await until(() => service.batches.get(id)?.status === "completed", "The end");
  expect(service.batches.get(id)).toMatchObject({ counts: { completed: 2, failed: 1 }, lineTries: null });
  // A call that was under way when the service stopped is not known.
  expect(server.asked[1]).toBeLessThanOrEqual(mostTries + 2);
  expect(server.asked[0]).toBe(1);
});

it("a line that a rate limit refuses fails after five tries, and holds up no other", async () => {
  const answered: Way = { fails: "answers", times: 0 };
  const ways = Array.from({ length: 200 }, (_, at): Way => (at === 3 ? { fails: "429", times: forever } : answered));
  server = createServer(ways, folder.machine, 64);
  const { id } = await submitQuestions(
    service,
    connection,
    ways.map((_, at) => `question ${at + 1}`),
  );
  await until(() => server.answers === 199, "All others");
  // They did not wait for its last try.
  expect(server.asked[3]).toBeLessThan(5);
  await until(() => service.batches.get(id)?.status === "completed", "The end");
  expect(server.asked[3]).toBe(5);
  expect(server.asked.reduce((sum, count) => sum + count)).toBe(199 + 5);
});

it("while a server limits all calls one goes out at a time", async () => {
  const ways = Array.from({ length: 200 }, (): Way => ({ fails: "429", times: 1 }));
  server = createServer(ways, folder.machine, 64);
  let calls = 0;
  const start = folder.machine.monotonic();
  // All are refused for 30 seconds.
  const { engine } = server;
  const refused = markServerFailures(
    {
      ...engine,
      complete: async (call) => {
        calls += 1;
        await folder.machine.sleep(50, call.signal);
        if (folder.machine.monotonic() - start < 30_000) return createEngineError({ status: 429, message: "Slow." });
        const message = { role: "assistant", content: "an answer" };
        return { statusCode: 200, body: { choices: [{ index: 0, message, finish_reason: "stop" }] } };
      },
    },
    { name: "Chat", missingKey: null, versionedUrl: null },
  );
  server = { ...server, engine: refused };
  const { id } = await submitQuestions(
    service,
    connection,
    ways.map((_, at) => `question ${at + 1}`),
  );
  await until(() => service.batches.get(id)?.status === "completed", "The end");
  expect(service.batches.get(id)?.counts).toEqual({ total: 200, completed: 200, failed: 0 });
  // The first 64, and one after each wait of 2, 4, 8 and 16 seconds.
  expect(calls).toBeLessThanOrEqual(200 + 64 + 6);
});
