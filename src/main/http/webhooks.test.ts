import { createServer, type IncomingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import OpenAI from "openai";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { createAdjustableClock } from "#main/base";
import { createFakeMachine } from "../service/testing/index.ts";
import {
  createBatch,
  json,
  startTestServer,
  type TestServer,
  type TestServerOptions,
  toBatchFile,
  upload,
} from "./testing/test-server.ts";
import { createWebhookSecret, findSecretProblem, readWebhookUrl } from "./webhook-settings.ts";

interface Delivery {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/**
 * A receiver that answers with these statuses in turn, then with 204; null for no answer.
 * @param hold is awaited before each answer
 */
async function startReceiver(statuses: (number | null)[] = [], hold: () => Promise<void> = async () => {}) {
  const deliveries: Delivery[] = [];
  const receiver = createServer(async (request, response) => {
    const status = statuses.shift();
    deliveries.push({ headers: request.headers, body: await text(request) });
    await hold();
    if (status !== null) response.writeHead(status ?? 204).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    receiver.closeAllConnections();
    receiver.close();
  });
  const { port } = z.object({ port: z.number() }).parse(receiver.address());
  return { url: new URL(`http://127.0.0.1:${port}/hook?token=abc`), deliveries };
}

async function start(url: URL, options: TestServerOptions = {}, secret = createWebhookSecret()) {
  const warnings: object[] = [];
  const server = await startTestServer({
    webhooks: { urls: [url], secret },
    onWarning: (message, fields) => warnings.push({ message, ...fields }),
    ...options,
  });
  onTestFinished(() => server.close());
  return { ...server, warnings, secret };
}

/** As a receiver does it, with OpenAI's own client. */
function unwrap({ headers, body }: Delivery, webhookSecret: string) {
  const pairs = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  return new OpenAI({ apiKey: "none", webhookSecret }).webhooks.unwrap(body, new Headers(pairs));
}

const question = toBatchFile([{ id: "a", content: "Why?" }]);

async function endAs(server: TestServer, outcome: string): Promise<string> {
  const input_file_id = await upload(server, question);
  const made = await server.client.batches.create(
    { input_file_id, endpoint: "/v1/chat/completions", completion_window: "24h" },
    outcome === "completed" ? {} : { headers: { "x-sheaf-outcome": outcome } },
  );
  await server.service.batches.settled(made.id);
  return made.id;
}

test("OpenAI's client unwraps the events of batches that completed, failed, expired and were cancelled", async () => {
  const { url, deliveries } = await startReceiver();
  const server = await start(url, { clock: createAdjustableClock({ speed: 0, start: Date.UTC(2031, 0, 1) }) });
  const ids: Record<string, string> = {};
  for (const outcome of ["completed", "failed", "expired", "cancelled"]) {
    ids[`batch.${outcome}`] = await endAs(server, outcome);
  }
  await expect.poll(() => deliveries.length).toBe(4);
  const events = await Promise.all(deliveries.map((delivery) => unwrap(delivery, server.secret)));
  expect(events.map(({ type }) => type).sort()).toEqual(Object.keys(ids).sort());
  for (const event of events) {
    expect(event).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      object: "event",
      created_at: Date.UTC(2031, 0, 1) / 1_000,
      type: event.type,
      data: { id: ids[event.type] },
    });
  }
  const [first = { headers: {}, body: "" }] = deliveries;
  expect(first.headers).toMatchObject({ "webhook-id": expect.stringMatching(/^wh_/), "x-sheaf-scope": "default" });
  await expect(unwrap(first, createWebhookSecret())).rejects.toThrow("signature");
  await expect(unwrap({ ...first, body: `${first.body} ` }, server.secret)).rejects.toThrow("signature");
  expect(server.warnings).toEqual([]);
});

test("an event is accepted when the clock was turned by 25 hours, and has the time of that clock", async () => {
  const { url, deliveries } = await startReceiver();
  const server = await start(url, { clock: createAdjustableClock({ speed: 0 }) });
  await server.request("/sheaf/faults", { ...json({ stuck_in: ["validating"] }), method: "PUT" });
  const id = await createBatch(server, question);
  const before = server.service.machine.wall();
  await server.request("/sheaf/clock", json({ advance: "25h" }));
  await expect.poll(() => deliveries.length).toBe(1);
  const [delivery = { headers: {}, body: "" }] = deliveries;
  const event = await unwrap(delivery, server.secret);
  expect(event).toMatchObject({ type: "batch.expired", data: { id } });
  const { expired_at } = await server.client.batches.retrieve(id);
  expect(event.created_at).toBe(Number(expired_at));
  expect(event.created_at * 1_000 - before).toBeGreaterThan(23.9 * 3_600_000);
  expect(Math.abs(Number(delivery.headers["webhook-timestamp"]) - before / 1_000)).toBeLessThan(600);
});

test("a delivery that fails is tried three times, with the same id, in time of the service's clock", async () => {
  const { url, deliveries } = await startReceiver([500, 404, 302]);
  const server = await start(url, { clock: createAdjustableClock({ speed: 0 }) });
  const turn = (advance: string) => server.request("/sheaf/clock", json({ advance }));
  const until = (count: number) =>
    expect.poll(() => [deliveries.length, server.warnings.length]).toEqual([count, count]);
  await endAs(server, "completed");
  await until(1);
  await turn("1s");
  await until(2);
  await turn("5s");
  await until(3);
  await turn("1h");
  expect(deliveries).toHaveLength(3);
  expect(new Set(deliveries.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  expect(new Set(deliveries.map(({ body }) => body)).size).toBe(1);
  expect(server.warnings).toMatchObject([
    { message: "A webhook is sent again", attempt: 1, reason: "status 500", event: "batch.completed" },
    { message: "A webhook is sent again", attempt: 2, reason: "status 404" },
    { message: "A webhook is given up", attempt: 3, reason: "status 302" },
  ]);
  const logged = JSON.stringify(server.warnings);
  for (const secret of [server.secret, "token=abc"]) expect(logged).not.toContain(secret);
  await endAs(server, "completed");
  await expect.poll(() => deliveries.length).toBe(4);
});

test("turning the clock waits for no receiver, and neither does the end of the server", async () => {
  const { url, deliveries } = await startReceiver([null]);
  const server = await start(url, { clock: createAdjustableClock({ speed: 0 }) });
  await endAs(server, "completed");
  await expect.poll(() => deliveries.length).toBe(1);
  expect((await server.request("/sheaf/clock", json({ advance: "25h" }))).status).toBe(200);
  expect(deliveries).toHaveLength(1);
});

test("a receiver that gives no answer in ten seconds, or is not there, has failed", async () => {
  const { url, deliveries } = await startReceiver([null]);
  const machine = createFakeMachine();
  const server = await start(url, { clock: createAdjustableClock({ speed: 0, machine }), machine });
  await endAs(server, "completed");
  await expect.poll(() => deliveries.length).toBe(1);
  await machine.advance(10_000);
  await expect.poll(() => server.warnings).toMatchObject([{ reason: "no answer within 10 s" }]);
  const closed = await start(new URL("http://127.0.0.1:1/"));
  await endAs(closed, "completed");
  await expect.poll(() => closed.warnings[0]).toMatchObject({ reason: "ECONNREFUSED" });
});

test("only batches of OpenAI's clients have events, each once, also when they are renamed", async () => {
  const { url, deliveries } = await startReceiver();
  const server = await start(url);
  const message = { model: "claude-opus-5-5", max_tokens: 9, messages: [{ role: "user", content: "Why?" }] };
  const made = await server.request("/v1/messages/batches", json({ requests: [{ custom_id: "a", params: message }] }));
  expect(made.status).toBe(200);
  const [ofAnthropic] = server.service.batches.list({ limit: 1 }).batches;
  await server.service.batches.settled(ofAnthropic?.id ?? "");
  const id = await endAs(server, "completed");
  server.service.batches.rename(id, "another name");
  await expect.poll(() => deliveries.length).toBe(1);
  const next = await endAs(server, "completed");
  await expect.poll(() => deliveries.length).toBe(2);
  const events = await Promise.all(deliveries.map((delivery) => unwrap(delivery, server.secret)));
  expect(events.map(({ data }) => data)).toEqual([{ id }, { id: next }]);
});

test("a slow receiver gets each event of many batches once, a few at a time", async () => {
  const held: (() => void)[] = [];
  const { url, deliveries } = await startReceiver([], () => new Promise((resolve) => held.push(resolve)));
  const machine = createFakeMachine();
  const server = await start(url, { clock: createAdjustableClock({ speed: 0, machine }), machine });
  const input_file_id = await upload(server, question);
  const window = { input_file_id, endpoint: "/v1/chat/completions", completion_window: "24h" };
  await server.request("/sheaf/faults", { ...json({ stuck_in: ["validating"] }), method: "PUT" });
  const ids: string[] = [];
  for (let count = 0; count < 20; count += 1) {
    const made = await server.request("/v1/batches", json(window));
    ids.push(z.object({ id: z.string() }).parse(await made.json()).id);
  }
  await server.request("/sheaf/clock", json({ advance: "25h" }));
  // Each group takes six seconds, so that the last waits longer than a receiver may take.
  for (const count of [8, 16, 20]) {
    await expect.poll(() => deliveries.length).toBe(count);
    await machine.advance(6_000);
    for (const answer of held.splice(0)) answer();
  }
  const eventSchema = z.object({ data: z.object({ id: z.string() }) });
  expect(deliveries.map(({ body }) => eventSchema.parse(JSON.parse(body)).data.id).sort()).toEqual(ids.sort());
  expect(server.warnings).toEqual([]);
});

test("a secret of one's own signs, too, and is not shown in the log of requests", async () => {
  const { url, deliveries } = await startReceiver();
  const secret = "correct horse battery staple";
  const server = await start(url, {}, secret);
  await endAs(server, "completed");
  await expect.poll(() => deliveries.length).toBe(1);
  await expect(unwrap(deliveries[0] ?? { headers: {}, body: "" }, secret)).resolves.toMatchObject({ object: "event" });
  await server.request(
    "/v1/chat/completions",
    json({ model: "x", note: `It is ${secret}, not whsec_c2VjcmV0c2VjcmV0.` }),
  );
  const log = await (await server.request("/sheaf/requests?path=/v1/chat")).text();
  expect(log).toContain("It is ***, not ***.");
});

test.each([
  ["http://127.0.0.1:3000/hook", true],
  ["https://localhost:3000", true],
  ["http://[::1]:80/", true],
  ["http://127.1.2.3/", true],
  ["http://192.168.1.5/", false],
  ["http://example.com/", false],
  ["http://localhost.example.com/", false],
  ["http://127.0.0.1.nip.io/", false],
  ["ftp://127.0.0.1/", false],
  ["127.0.0.1:3000", false],
  ["", false],
])("%j is an address of this machine: %j", (address, isOwn) => {
  expect(readWebhookUrl(address) !== null).toBe(isOwn);
});

test.each([
  ["whsec_c2VjcmV0c2VjcmV0c2VjcmV0", null],
  ["any text", null],
  ["", "is empty"],
  ["whsec_", "has whsec_, but no base64 after it"],
  ["whsec_not base64", "has whsec_, but no base64 after it"],
])("the secret %j: %j", (secret, problem) => {
  expect(findSecretProblem(secret)).toBe(problem);
});
