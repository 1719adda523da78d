import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { clockSchema, finalStatuses } from "#contract";
import { createAdjustableClock, createManualClock } from "#main/base";
import type { EngineCall } from "../../base/ports.ts";
import { createFakeMachine, createManualEngine, fileOf } from "../../service/testing/index.ts";
import {
  createBatch,
  json,
  readError,
  startTestServer,
  type TestServer,
  type TestServerOptions,
  twoPrompts,
} from "../testing/test-server.ts";

const servers: TestServer[] = [];
async function start(options: TestServerOptions = {}): Promise<TestServer> {
  const server = await startTestServer(options);
  servers.push(server);
  return server;
}
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

/** For what changes nothing. */
let plain: TestServer;
beforeAll(async () => {
  plain = await startTestServer();
});
afterAll(() => plain.close());

async function advance(server: TestServer, duration: string) {
  const response = await server.request("/sheaf/clock", json({ advance: duration }));
  return clockSchema.parse(await response.json());
}

test("the clock shows its time and is turned forward", async () => {
  const server = await start({ clock: createManualClock(Date.UTC(2030, 0, 1)) });
  const shown = await (await server.request("/sheaf/clock")).json();
  expect(shown).toEqual({ unix_ms: Date.UTC(2030, 0, 1), iso: "2030-01-01T00:00:00.000Z", speed: 0 });
  expect((await advance(server, "1h30m")).iso).toBe("2030-01-01T01:30:00.000Z");
  expect((await advance(server, "2d0.5s")).iso).toBe("2030-01-03T01:30:00.500Z");
});

test.each<[body: unknown, code: string, param: string | null]>([
  [{}, "missing_required_parameter", "advance"],
  [{ advance: 5 }, "invalid_type", "advance"],
  [{ advance: "" }, "invalid_value", "advance"],
  [{ advance: "1 hour" }, "invalid_value", "advance"],
  [{ advance: "-1h" }, "invalid_value", "advance"],
  [{ advance: "9999999999d" }, "invalid_value", "advance"],
  [{ advance: "1h".repeat(50) }, "invalid_value", "advance"],
  [{ advance: "1h", more: 1 }, "invalid_value", "more"],
])("turning it by %j fails", async (body, code, param) => {
  const error = await readError(await plain.request("/sheaf/clock", json(body)), 400);
  expect(error).toMatchObject({ code, param });
});

test("it takes the key", async () => {
  const server = plain;
  await readError(await fetch(`${server.url}/sheaf/clock`), 401);
  await readError(await fetch(`${server.url}/sheaf/clock`, json({ advance: "24h" })), 401);
});

test("a completion window is lived through at once: the batch has expired when the answer is there", async () => {
  const server = await start({ pace: 100 * 3_600_000, clock: createManualClock() });
  const id = await createBatch(server, twoPrompts);
  await advance(server, "24h");
  const batch = await server.client.batches.retrieve(id);
  expect(batch).toMatchObject({ status: "expired", request_counts: { total: 2, completed: 0 } });
  expect(Number(batch.expired_at) - Number(batch.created_at)).toBe(86_400);
});

test.each([
  ["one jump", 1, "25h"],
  ["25 jumps", 25, "1h"],
  ["150 jumps", 150, "10m"],
])("2,000 lines at a minute each, ten at a time, complete after 200 minutes: in %s", async (_, jumps, length) => {
  const server = await start({ pace: 60_000, clock: createManualClock() });
  const id = await createBatch(server, fileOf(2_000));
  for (let jump = 0; jump < jumps; jump += 1) await advance(server, length);
  const batch = await server.client.batches.retrieve(id);
  expect(batch).toMatchObject({ status: "completed", request_counts: { total: 2_000, completed: 2_000 } });
  const created = Number(batch.created_at);
  expect([batch.in_progress_at, batch.finalizing_at, batch.completed_at].map((time) => Number(time) - created)).toEqual(
    [0, 12_000, 12_000],
  );
});

test.each([
  ["one jump", 1, "25h"],
  ["25 jumps", 25, "1h"],
])(
  "lines of ten minutes each expire with what 24 hours allow, at the end of the window: in %s",
  async (_, jumps, length) => {
    const server = await start({ pace: 600_000, clock: createManualClock() });
    const id = await createBatch(server, fileOf(2_000));
    for (let jump = 0; jump < jumps; jump += 1) await advance(server, length);
    const batch = await server.client.batches.retrieve(id);
    // The ten answers that come at the end of the window come too late.
    expect(batch).toMatchObject({ status: "expired", request_counts: { total: 2_000, completed: 1_430, failed: 0 } });
    expect(batch.expired_at).toBe(batch.expires_at);
  },
);

test("on a fast clock validation takes none of its time, a cancel ten minutes at most, and a batch expires at its end", async () => {
  const machine = createFakeMachine();
  // An hour in a millisecond.
  const clock = createAdjustableClock({ speed: 3_600_000, machine });
  // It never answers.
  const engine = createManualEngine();
  const server = await start({ engine, clock });
  const [cancelled, expired] = [await createBatch(server, twoPrompts), await createBatch(server, twoPrompts)];
  const statusOf = (id: string) => server.service.batches.get(id)?.status ?? "completed";
  while (statusOf(cancelled) === "validating" || statusOf(expired) === "validating") await machine.advance(1);
  // A cancel waits for lines in flight alone.
  await engine.arrived(4);
  await server.client.batches.cancel(cancelled);
  while (![cancelled, expired].every((id) => finalStatuses.has(statusOf(id)))) await machine.advance(1);
  const first = await server.client.batches.retrieve(cancelled);
  expect(Number(first.in_progress_at)).toBe(Number(first.created_at));
  expect(Number(first.cancelled_at) - Number(first.cancelling_at)).toBe(600);
  const second = await server.client.batches.retrieve(expired);
  expect(second).toMatchObject({ status: "expired", expired_at: second.expires_at });
});

test("so are the ten minutes of a cancel", async () => {
  const server = await start({ pace: 3_600_000, clock: createManualClock() });
  const id = await createBatch(server, twoPrompts);
  await advance(server, "1s");
  await server.client.batches.cancel(id);
  await advance(server, "9m");
  expect(await server.client.batches.retrieve(id)).toMatchObject({ status: "cancelling" });
  await advance(server, "1m");
  expect(await server.client.batches.retrieve(id)).toMatchObject({ status: "cancelled" });
});

test("so is a batch that takes hours", async () => {
  const engine = createManualEngine(2);
  const clock = createManualClock();
  const complete = async (call: EngineCall) => {
    const reply = engine.complete(call);
    await clock.sleep(3_600_000, call.signal);
    engine.release(1);
    return reply;
  };
  const server = await start({ clock, engine: { ...engine, complete } });
  const id = await createBatch(server, twoPrompts);
  await engine.arrived(2);
  await advance(server, "1h");
  await server.service.batches.settled(id);
  const batch = await server.client.batches.retrieve(id);
  expect(batch).toMatchObject({ status: "completed", request_counts: { total: 2, completed: 2 } });
  expect(Number(batch.completed_at) - Number(batch.created_at)).toBe(3_600);
});

test("so is the time after which a file expires", async () => {
  const server = await start();
  const file = await server.client.files.create({
    file: new File(["{}"], "a.jsonl"),
    purpose: "batch",
    expires_after: { anchor: "created_at", seconds: 86_400 },
  });
  await advance(server, "23h");
  await server.client.files.retrieve(file.id);
  await advance(server, "1h");
  await readError(await server.request(`/v1/files/${file.id}`), 404);
});

test("and the minute of the request limit", async () => {
  const server = await start({ tier: "free", rateLimit: true, clock: createManualClock() });
  const ask = () =>
    server.request(
      "/v1/chat/completions",
      json({
        model: "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo",
        messages: [{ role: "user", content: "Hello" }],
      }),
    );
  expect((await ask()).status).toBe(200);
  await readError(await ask(), 429);
  await advance(server, "60s");
  expect((await ask()).status).toBe(200);
});
