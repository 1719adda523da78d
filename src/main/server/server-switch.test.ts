import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { isDefinedError, safe } from "@orpc/client";
import OpenAI from "openai";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { faultSettingsSchema, requestNewsSchema } from "#contract";
import { keepApp } from "#main/app";
import { createSilentLogger, createSystemMachine } from "#main/base";
import { type AppFixture, connectPort, openApp, type RpcClient } from "../app/testing/app-fixture.ts";

let fixture: AppFixture;
let client: RpcClient;
beforeEach(async () => {
  fixture = await openApp();
  client = connectPort(fixture.app).client;
});
afterEach(() => fixture.close());

async function openAi(url: string): Promise<OpenAI> {
  const { value: apiKey } = await client.server.reveal({ name: "api_key" });
  return new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 });
}

const model = "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo";
const line = JSON.stringify({
  custom_id: "a",
  method: "POST",
  url: "/v1/chat/completions",
  body: {
    model,
    messages: [{ role: "user", content: "Why?" }],
  },
});

function isUp(url: string): Promise<boolean> {
  return fetch(`${url}/health`).then(
    ({ ok }) => ok,
    () => false,
  );
}

describe("the app's mock server", () => {
  it("is off at first, with the address that it would have, and no key yet", async () => {
    expect(await client.server.get()).toEqual({
      server: {
        running: false,
        url: "http://127.0.0.1:4747",
        port: 4747,
        key: { lastFour: null },
        engine: expect.stringContaining("mock"),
        tier: "standard",
        dialect: "service",
      },
      controls: {
        engine: { kind: "mock" },
        pace: "instant",
        faults: expect.objectContaining({ failure_rate: 0 }),
        clock: { now: expect.any(Number), ahead: expect.any(Number) },
      },
      mcp: { enabled: false, url: "http://127.0.0.1:4747/v1/mcp", token: { lastFour: null } },
      secrets: { kind: "memory", note: expect.stringMatching(/not kept/i) },
    });
  });

  it("shows what its clients do in the app", async () => {
    const { server } = await client.server.start({ port: 0 });
    expect(server).toMatchObject({ running: true, url: `http://127.0.0.1:${server.port}` });
    const openai = await openAi(server.url);
    const file = await openai.files.create({ file: new File([line], "one.jsonl"), purpose: "batch" });
    const changes = await client.batches.watch();
    const { id } = await openai.batches.create({
      input_file_id: file.id,
      endpoint: "/v1/chat/completions",
      completion_window: "24h",
    });
    for await (const batch of changes) if (batch.id === id && batch.status === "completed") break;
    expect((await client.batches.list({ limit: 10 })).batches.map((batch) => batch.id)).toEqual([id]);
  });

  it("is reached no more when it is off, and again at the same address when it is on", async () => {
    const { server } = await client.server.start({ port: 0 });
    expect(await isUp(server.url)).toBe(true);
    expect((await client.server.stop()).server).toMatchObject({ running: false, url: server.url });
    expect(await isUp(server.url)).toBe(false);
    await client.server.start({ port: server.port });
    expect(await isUp(server.url)).toBe(true);
  });

  it("moves to another port, and stays where it is when that one is in use", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const address = other.address();
    const taken = typeof address === "object" && address !== null ? address.port : 0;
    const first = (await client.server.start({ port: 0 })).server;
    const { error } = await safe(client.server.start({ port: taken }));
    expect(error).toMatchObject({ code: "REFUSED", message: expect.stringContaining(`Port ${taken} is in use`) });
    if (!isDefinedError(error)) throw new Error("The page does not know this error.");
    expect(error.data.message).toContain("Choose another port");
    expect((await client.server.get()).server).toMatchObject({ running: true, port: first.port });
    const second = (await client.server.start({ port: 0 })).server;
    expect(second.port).not.toBe(first.port);
    expect([await isUp(first.url), await isUp(second.url)]).toEqual([false, true]);
    other.close();
  });
});

describe("its key", () => {
  it("is made when it is first needed, and only its end is shown", async () => {
    const { server } = await client.server.start({ port: 0 });
    const { value } = await client.server.reveal({ name: "api_key" });
    expect(value).toMatch(/^sk-sheaf-[\w-]{32}$/);
    expect(server.key).toEqual({ lastFour: value.slice(-4) });
    expect(await fixture.secrets.get("api_key")).toBe(value);
  });

  it("is refused from the moment on at which it is replaced", async () => {
    const { server } = await client.server.start({ port: 0 });
    const before = await openAi(server.url);
    await before.models.list();
    await client.server.rotate({ name: "api_key" });
    await expect(before.models.list()).rejects.toMatchObject({ status: 401 });
    await (await openAi(server.url)).models.list();
  });
});

describe("its MCP endpoint", () => {
  it("has no token to show until it is enabled for the first time", async () => {
    const { error } = await safe(client.server.reveal({ name: "mcp_token" }));
    expect(error).toMatchObject({ code: "NOT_FOUND", message: expect.stringContaining("Turn the MCP endpoint on") });
  });

  it("keeps its token while it is off, and gets another one when it is rotated", async () => {
    await client.server.enableMcp();
    const { value } = await client.server.reveal({ name: "mcp_token" });
    expect((await client.server.disableMcp()).mcp).toMatchObject({
      enabled: false,
      token: { lastFour: value.slice(-4) },
    });
    expect((await client.server.enableMcp()).mcp.enabled).toBe(true);
    expect(await client.server.reveal({ name: "mcp_token" })).toEqual({ value });
    await client.server.rotate({ name: "mcp_token" });
    expect(await client.server.reveal({ name: "mcp_token" })).not.toEqual({ value });
  });
});

describe("watching it", () => {
  it("begins with how it is, and goes on with every change, whoever made it", async () => {
    const watched = await client.server.watch();
    const next = async () => (await watched.next()).value;
    expect(await next()).toMatchObject({ server: { running: false } });
    const second = connectPort(fixture.app).client;
    const { server } = await second.server.start({ port: 0 });
    expect(await next()).toMatchObject({ server: { running: true, port: server.port } });
    await fixture.service.mcp.enable();
    expect(await next()).toMatchObject({ mcp: { enabled: true } });
    const { value } = await client.server.reveal({ name: "api_key" });
    const headers = { authorization: `Bearer ${value}`, "content-type": "application/json" };
    await fetch(`${server.url}/sheaf/faults`, { method: "PUT", headers, body: '{"stuck_in":["validating"]}' });
    await expect.poll(next).toMatchObject({ controls: { faults: { stuck_in: ["validating"] } } });
    // A client that doesn't wait for the answer changes it, too.
    const socket = connect(server.port, "127.0.0.1");
    const body = '{"advance":"1h"}';
    const head = `POST /sheaf/clock HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${value}`;
    socket.end(`${head}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`, () =>
      socket.destroy(),
    );
    // Within a minute: the clock goes on meanwhile.
    await expect.poll(next).toMatchObject({ controls: { clock: { ahead: expect.closeTo(3_600_000, -5) } } });
    await watched.return(undefined);
  });
});

describe("the controls", () => {
  const ask = { model, messages: [{ role: "user" as const, content: "Where is my refund?" }] };

  it("work at once for whoever calls, without the server being moved", async () => {
    const { server } = await client.server.start({ port: 0 });
    const openai = await openAi(server.url);
    const answer = async () => (await openai.chat.completions.create(ask)).choices[0]?.message.content;

    expect(await answer()).not.toContain("five working days");
    await client.server.change({ engine: { kind: "scripted" } });
    expect(await answer()).toContain("five working days");
    const faulty = "rules:\n  - reply: { text: Soon. }\n  - reply: { txt: Soon. }\n  - match: { cal: 1 }\n";
    const { problems } = await client.server.setRules({ text: faulty });
    expect(new Set(problems.map((problem) => problem.line))).toEqual(new Set([3, 4]));
    expect(await answer()).toContain("five working days");
    expect(await client.server.setRules({ text: "rules: [{ reply: { text: Tomorrow. } }]" })).toEqual({ problems: [] });
    expect(await answer()).toBe("Tomorrow.");
    expect(await client.server.rules()).toEqual({ text: "rules: [{ reply: { text: Tomorrow. } }]" });

    const { controls } = await client.server.change({
      faults: faultSettingsSchema.parse({ failure_rate: 1, statuses: [503] }),
    });
    expect(controls.faults.failure_rate).toBe(1);
    await expect(answer()).rejects.toMatchObject({ status: 503 });
    await client.server.change({ faults: faultSettingsSchema.parse({}) });

    const created = async () => (await openai.files.list()).data.map((file) => file.created_at);
    await openai.files.create({ file: new File([line], "one.jsonl"), purpose: "batch" });
    expect(await created()).toEqual([expect.any(String)]);
    await client.server.change({ dialect: "openai" });
    expect(await created()).toEqual([expect.any(Number)]);

    const before = (await client.server.get()).controls.clock;
    const { clock } = (await client.server.turnClock({ milliseconds: 86_400_000 })).controls;
    expect(clock.ahead - before.ahead).toBeGreaterThanOrEqual(86_400_000 - 1_000);

    expect((await client.server.change({ tier: "free" })).server.tier).toBe("free");
    await answer();
    await expect(answer()).rejects.toMatchObject({ status: 429 });
    expect((await client.server.change({ tier: "standard", pace: 5 })).controls.pace).toBe(5);
  });

  it("show the requests as they come, in full when one is opened, without a key, until they are cleared", async () => {
    const { server } = await client.server.start({ port: 0 });
    const openai = await openAi(server.url);
    const news = await client.server.watchRequests();
    expect((await news.next()).value).toEqual({ cleared: true, requests: [] });
    await openai.chat.completions.create(ask);
    const value = requestNewsSchema.parse((await news.next()).value);
    expect(value).toMatchObject({ cleared: false, requests: [{ path: "/v1/chat/completions", status: 200 }] });
    const whole = await client.server.request({ id: value.requests[0]?.id ?? "" });
    expect(whole).toMatchObject({
      headers: { authorization: "***" },
      body: ask,
      response: { headers: { "x-request-id": whole.id }, body: { object: "chat.completion" } },
    });
    expect(JSON.stringify(whole)).not.toContain((await client.server.reveal({ name: "api_key" })).value);
    // Where the server listens makes no difference to the log.
    await client.server.start({ port: 0 });
    await client.server.clearRequests();
    expect((await news.next()).value).toEqual({ cleared: true, requests: [] });
    await news.return?.();
    const { error } = await safe(client.server.request({ id: whole.id }));
    expect(error).toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("after a restart of the app", () => {
  const apps: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const app of apps.splice(0)) await app.close();
  });

  async function reopen(): Promise<void> {
    await (apps.at(-1) ?? fixture.app.current().app).close();
    const { service, secrets, connections, clock, dataDir } = fixture;
    const app = await keepApp({
      open: async () => ({ service: { ...service, close: async () => {} }, connections }),
      options: { secrets, clock, mock: { pace: "instant", seed: 1 }, dataDir, version: "1" },
      host: { kind: "browser" },
      dir: null,
      repair: () => Promise.reject(new Error("No repair here.")),
      machine: createSystemMachine(),
      logger: createSilentLogger(),
    });
    apps.push(app);
    client = connectPort(app).client;
  }

  it("it is on again when it was left on, at the same port and with the same key", async () => {
    const { server } = await client.server.start({ port: 0 });
    const { value } = await client.server.reveal({ name: "api_key" });
    await reopen();
    expect(await isUp(server.url)).toBe(true);
    expect(await client.server.get()).toMatchObject({ server: { ...server, key: { lastFour: value.slice(-4) } } });
    await client.server.stop();
    await reopen();
    expect((await client.server.get()).server).toMatchObject({ running: false, port: server.port });
  });

  it("it is off when its port is taken by now, or what was remembered is damaged; both are reported", async () => {
    const { server } = await client.server.start({ port: 0 });
    await fixture.app.current().app.close();
    const other = createServer().listen(server.port, "127.0.0.1");
    await once(other, "listening");
    await reopen();
    other.close();
    expect((await client.server.get()).server).toMatchObject({ running: false, port: server.port });
    const settings = join(fixture.dataDir, "server.json");
    const aside = join(fixture.dataDir, "quarantine", "server.json");
    expect(JSON.parse(await readFile(settings, "utf8"))).toMatchObject({ on: true, port: server.port });
    await writeFile(settings, (await readFile(settings, "utf8")).replace('"on":true', '"on":tru3'));
    await reopen();
    expect((await client.server.get()).server).toMatchObject({ running: false, port: 4747 });
    expect(await readFile(aside, "utf8")).toContain("tru3");
    expect(fixture.log.map(({ message }) => message)).toEqual([
      "the mock server could not be started again",
      expect.stringContaining("has its first settings"),
    ]);
  });
});
