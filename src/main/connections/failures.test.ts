import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, type TestContext, vi } from "vitest";
import type { Service } from "#main/service";
import type { BatchRecord } from "#main/storage";
import { createTestFolder, submitQuestions, type TestFolder, until } from "./testing/open-service.ts";
import { type AnyService, services } from "./testing/services.ts";
import type { Reply } from "./testing/stand-in.ts";

/*
 * Each failure of a connection, through the service: the batch waits and shows what happened, at which connection, and what
 * to do next; no line fails for it, what was answered stays, and it continues when the failure is over.
 */

const key = "sk-0123456789abcdef";
const lines = 6;
let folder: TestFolder;
let service: Service & { stop(): Promise<void> };

beforeAll(async () => {
  folder = await createTestFolder(2_000);
  service = await folder.open();
});
afterAll(async () => {
  await service.stop();
  await folder.remove();
});

const refuse = (status: number, message: string, code: string | null = null, headers = {}): Reply => ({
  status,
  headers,
  body: { error: { message, type: "some_error", code } },
});

/** What the server does, the message about it, and the next step. */
const faults: Record<string, { reply: Reply; happened: string; nextStep: string; notAt?: string }> = {
  "a refused key": {
    reply: refuse(401, `Incorrect API key: ${key}`, "invalid_api_key"),
    happened: "refused the key",
    nextStep: "Enter the key again in Settings → Connections.",
  },
  "no credit (402)": {
    reply: refuse(402, "Payment required"),
    happened: "says that there is no credit left",
    nextStep: "Add credit at the service",
  },
  "no credit (429)": {
    reply: refuse(429, "You exceeded your current quota", "insufficient_quota"),
    happened: "says that there is no credit left",
    nextStep: "Add credit at the service",
  },
  "an unknown model": {
    reply: refuse(404, "The model `some-model` does not exist", "model_not_found"),
    happened: "does not know the model",
    nextStep: "Choose one of the models",
    notAt: "chat",
  },
  "a full queue of tokens": {
    reply: refuse(429, "Enqueued token limit reached", "token_limit_exceeded"),
    happened: "has as many requests queued as it takes",
    nextStep: "the rest is sent when there is room",
  },
  "413": {
    reply: refuse(413, "File too large"),
    happened: "does not take a file of this size",
    nextStep: "Lower the most bytes of a file",
    notAt: "chat",
  },
  "429 with retry-after": {
    reply: refuse(429, "Slow down", null, { "retry-after": "1" }),
    happened: "asks to send requests more slowly",
    nextStep: "it is tried again when the service says",
  },
  "429 without retry-after": {
    reply: refuse(429, "Slow down"),
    happened: "asks to send requests more slowly",
    nextStep: "it is tried again when the service says",
  },
  "404 on all calls": {
    reply: refuse(404, "Not Found"),
    happened: "answered with something that is not this API",
    nextStep: "Check the address: it usually ends in /v1.",
    notAt: "openai together anthropic gemini",
  },
  "500": {
    reply: refuse(500, `Oh ${key}.`),
    happened: "has a failure of its own: Oh [key].",
    nextStep: "it is tried again",
  },
  "400 on all calls": {
    reply: refuse(400, "Batches are not enabled for this account."),
    happened: "refused the request: Batches are not enabled for this account.",
    nextStep: "It is tried again; if it stays so, check the connection.",
    notAt: "chat",
  },
  "429 with a retry-after that no service means": {
    reply: refuse(429, "Slow down", null, { "retry-after": "99999999999999" }),
    happened: "asks to send requests more slowly",
    nextStep: "it is tried again when the service says",
  },
  "503 with a page": {
    reply: { status: 503, body: "<html>Down for maintenance</html>" },
    happened: "has a failure of its own",
    nextStep: "it is tried again",
  },
  "no answer in time": { reply: () => {}, happened: "did not answer in time", nextStep: "it is tried again" },
  "an answer that stops in the middle": {
    reply: (response) => void response.writeHead(200, { "content-type": "application/json" }).write('{"id":"cut'),
    happened: "did not answer in time",
    nextStep: "it is tried again",
  },
  "a cut answer": {
    reply: (response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
      response.write('{"id":"cut');
      setTimeout(() => response.destroy(), 5);
    },
    happened: "can't be reached: it closed the connection",
    nextStep: "Check the address, and whether the server runs.",
  },
  "an answer that is no JSON": {
    reply: { body: "OK" },
    happened: "answered with something that is not this API",
    nextStep: "Check the address: it usually ends in /v1.",
  },
  "a web page": {
    reply: { headers: { "content-type": "text/html" }, body: "<!doctype html><title>Welcome</title>" },
    happened: "answered with something that is not this API",
    nextStep: "Check the address: it usually ends in /v1.",
  },
};

/** Waits until the batch is created. A create in doubt is sent again: here the service surely has no batch of it. */
async function untilCreated(id: string, name: string): Promise<void> {
  const isInDoubt = () => current(id).remote?.some(({ candidates }) => candidates !== null) ?? false;
  const isCreated = () => current(id).remote?.every(({ batchId }) => batchId !== null) ?? false;
  await until(() => isInDoubt() || isCreated(), `${name}: created`);
  if (!isInDoubt()) return;
  await service.batches.settleCreate(id, { kind: "send_again" });
  await until(isCreated, `${name}: created again`);
}

const current = (id: string): BatchRecord => {
  const batch = service.batches.get(id);
  if (batch === undefined) throw new Error("The batch is gone.");
  return batch;
};

async function expectWaiting(id: string, name: string, fault: { happened: string; nextStep: string }): Promise<void> {
  await until(() => current(id).waiting?.includes(fault.happened) ?? false, `${name}: ${fault.happened}`);
  const { waiting, counts, status } = current(id);
  expect(waiting).toContain(`${name} ${fault.happened}`);
  expect(waiting).toContain(fault.nextStep);
  expect(waiting).not.toContain(key);
  expect(counts.failed).toBe(0);
  expect(status).toBe("in_progress");
}

async function expectAnswered(id: string, standIn: AnyService): Promise<void> {
  const done = await service.batches.settled(id);
  expect(done).toMatchObject({
    status: "completed",
    waiting: null,
    counts: { total: lines, completed: lines, failed: 0 },
  });
  expect(standIn.batches.length).toBeLessThanOrEqual(1);
}

const questions = Array.from({ length: lines }, (_, at) => `question ${at + 1}`);

/** The test's name: tests that run at the same time share nothing else. */
type Context = Pick<TestContext, "onTestFinished">;

async function startFor(kind: keyof typeof services, { onTestFinished }: Context): Promise<AnyService> {
  const standIn = await services[kind](key);
  onTestFinished(() => standIn.close());
  return standIn;
}

describe.concurrent.each(Object.keys(services) as (keyof typeof services)[])("%s", (kind) => {
  const known = Object.entries(faults).filter(([, { notAt }]) => !notAt?.includes(kind));

  it.for(known)("%s when it is asked, and when its results are fetched", async ([what, fault], context) => {
    const standIn = await startFor(kind, context);
    const name = `${kind}: ${what}`;
    const { url, adapter, preset } = standIn;
    const connection = await folder.store.save({ name, adapter, preset, url, concurrency: 2 }, key);
    const repairs = standIn.breakDown(fault.reply);
    const { id } = await submitQuestions(service, connection.id, questions);
    await expectWaiting(id, name, fault);
    repairs();
    // What came with success may have been paid: what was sent waits until its user has it tried again.
    if (kind === "chat") folder.store.announce(connection.id);
    if (kind !== "chat") {
      await untilCreated(id, name);
      const repairsAgain = standIn.breakDown(fault.reply);
      await expectWaiting(id, name, fault);
      standIn.end();
      repairsAgain();
    }
    await expectAnswered(id, standIn);
  });
});

/** Addresses at which no service answers, and the environment in which they are asked. */
const addresses: Record<
  string,
  { url: () => Promise<string>; happened: string; nextStep: string; env?: () => Promise<Record<string, string>> }
> = {
  "an address where nothing listens": {
    url: async () => `http://127.0.0.1:${await findClosedPort()}/v1`,
    happened: "can't be reached: nothing listens there",
    nextStep: "Check the address, and whether the server runs.",
  },
  "a name that nobody knows": {
    url: async () => "http://no-such-host.invalid/v1",
    happened: "can't be reached",
    nextStep: "Check the address",
  },
  "TLS with a server that has none": {
    url: async () => `https://127.0.0.1:${await startPlainServer()}/v1`,
    happened: "has a certificate that can't be trusted: the server does not speak TLS there",
    nextStep: "Check the address. A company's own certificates are named as the connection's CA file.",
  },
  "a proxy that is not there": {
    url: async () => "http://service.example/v1",
    happened: "can't be reached through the proxy",
    nextStep: "Check the proxy of the connection, or HTTPS_PROXY and NO_PROXY",
    env: async () => ({ http_proxy: `http://127.0.0.1:${await findClosedPort()}` }),
  },
  "a proxy without a scheme that is not there": {
    url: async () => "http://service.example/v1",
    happened: "can't be reached through the proxy",
    nextStep: "Check the proxy of the connection, or HTTPS_PROXY and NO_PROXY",
    env: async () => ({ HTTP_PROXY: `127.0.0.1:${await findClosedPort()}` }),
  },
  "a proxy of a scheme that is none of ours": {
    url: async () => "https://service.example/v1",
    happened:
      "can't be reached through the proxy: HTTPS_PROXY is not of the form http://HOST:PORT or socks5://HOST:PORT",
    nextStep: "Correct the variable and start Sheaf again, or name a proxy in the connection.",
    env: async () => ({ HTTPS_PROXY: "socks4://someone:secret@127.0.0.1:1080" }),
  },
  "a proxy that refuses": {
    url: async () => "https://service.example/v1",
    happened: "can't be reached through the proxy",
    nextStep: "Check the proxy of the connection, or HTTPS_PROXY and NO_PROXY",
    env: async () => ({ https_proxy: `http://127.0.0.1:${await startPlainServer()}` }),
  },
};

/** A server that refuses to be a proxy, and has no TLS. */
async function startPlainServer(): Promise<number> {
  const server = createServer((_, response) => response.writeHead(403).end());
  server.on("connect", (_, socket) => socket.end("HTTP/1.1 403 Forbidden\r\n\r\n"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function findClosedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe.each(["chat", "openai", "anthropic"] as const)("%s at", (kind) => {
  it.each(Object.entries(addresses))("%s waits, and goes on at the right one", async (what, fault) => {
    for (const [name, value] of Object.entries((await fault.env?.()) ?? {})) vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    const standIn = await startFor(kind, { onTestFinished });
    const { url, adapter, preset } = standIn;
    const name = `${kind}: ${what}`;
    const wrong = await folder.store.save({ name, adapter, preset, url: await fault.url() }, key);
    const { id } = await submitQuestions(service, wrong.id, questions);
    await expectWaiting(id, name, fault);
    vi.unstubAllEnvs();
    await folder.store.save({ ...wrong, url }, key);
    if (kind !== "chat") {
      await untilCreated(id, name);
      standIn.end();
    }
    await expectAnswered(id, standIn);
  });
});
