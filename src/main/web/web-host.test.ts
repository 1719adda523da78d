import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createORPCClient } from "@orpc/client";
import { RPCLink } from "@orpc/client/websocket";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket as PlainSocket } from "ws";
import type { RequestTemplate } from "#contract";
import { createManualClock, createSystemClock } from "#main/base";
import { type AppFixture, examplesFolder, openApp, type RpcClient, upload } from "../app/testing/app-fixture.ts";
import type { ManualClock } from "../base/clock/adjustable-clock.ts";
import { exchangeCode, openSocket } from "./testing/enter.ts";
import { defaultPort, startWebHost, type WebHost } from "./web-host.ts";

let rendererFolder: string;
let fixture: AppFixture;
let host: WebHost;
let clock: ManualClock;
/** Where the page's own requests come from. */
let origin: string;

const script = `export {};${" ".repeat(2_000)}`;
const indexHtml = `<!doctype html><html><head><meta name="csp-nonce" content="%CSP_NONCE%"></head><body></body></html>`;

beforeAll(async () => {
  rendererFolder = await mkdtemp(join(tmpdir(), "sheaf-page-"));
  await mkdir(join(rendererFolder, "assets"));
  await writeFile(join(rendererFolder, "index.html"), indexHtml);
  await writeFile(join(rendererFolder, "icon.svg"), "<svg/>");
  await writeFile(join(rendererFolder, "assets", "index-Bx3f_9aQ.js"), script);
  await writeFile(join(rendererFolder, "..", "sheaf-outside.txt"), "outside");
  fixture = await openApp();
  clock = createManualClock();
  host = await startWebHost({ app: fixture.app, rendererFolder, port: 0, clock, logger: fixture.service.logger });
  origin = `http://127.0.0.1:${host.port}`;
});
afterAll(async () => {
  await host.close();
  await fixture.close();
  await rm(rendererFolder, { recursive: true });
  await rm(join(rendererFolder, "..", "sheaf-outside.txt"));
});

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

interface Question {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A request as it is, without what `fetch` forbids or tidies up. No answer ever sets a cookie. */
async function ask(path: string, { method = "GET", headers = {}, body = "" }: Question = {}): Promise<Reply> {
  const asked = request({ host: "127.0.0.1", port: host.port, path, headers, method });
  asked.end(body);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    asked.on("response", resolve).on("error", reject);
  });
  expect(response.headers["set-cookie"]).toBeUndefined();
  return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) };
}

function freshCode(): string {
  return new URL(host.freshAddress()).hash.replace("#code=", "");
}

/** Lets a browser in, and answers with its token. */
function enter(): Promise<string> {
  return exchangeCode(host.freshAddress());
}

describe("the one-time address", () => {
  const post = (code: string, headers: Record<string, string> = { origin }) =>
    ask("/session", { method: "POST", headers, body: code });

  it("has its code where no server and no log sees it, and gives a token for it once", async () => {
    const { pathname, search, hash } = new URL(host.freshAddress());
    expect([pathname, search]).toEqual(["/", ""]);
    const code = hash.replace("#code=", "");
    const first = await post(code);
    expect(first).toMatchObject({ status: 200, headers: { "cache-control": "no-store" } });
    expect(first.body).toMatch(/^[\w-]{43}$/);
    const again = await post(code);
    expect(again.status).toBe(401);
    expect(again.body).not.toContain(first.body);
  });

  it("does not work any more once a fresh one was asked for, and says when it is spent", async () => {
    const spent: string[] = [];
    const take = (name: string) => new URL(host.freshAddress(() => spent.push(name))).hash.replace("#code=", "");
    const [old, fresh] = [take("old"), take("fresh")];
    expect(spent).toEqual(["old"]);
    expect((await post(old)).status).toBe(401);
    expect((await post(fresh)).status).toBe(200);
    expect(spent).toEqual(["old", "fresh"]);
  });

  it("is exchanged for the app's own page alone, and not spent by any other", async () => {
    const code = freshCode();
    const strangers: Record<string, string>[] = [
      {},
      { origin: "null" },
      { origin: "http://evil.example" },
      { origin: `http://127.0.0.1:${host.port + 1}` },
      { origin: `http://localhost:${host.port}` },
      { origin, "sec-fetch-site": "same-site" },
      { origin, "sec-fetch-site": "cross-site" },
      { origin: "http://evil.example", host: "evil.example" },
    ];
    for (const headers of strangers) expect((await post(code, headers)).status, JSON.stringify(headers)).toBe(403);
    expect((await post(code, { origin, "sec-fetch-site": "same-origin" })).status).toBe(200);
  });

  it.each([
    ["", 401],
    ["wrong", 401],
    ["x".repeat(100_000), 413],
  ])("can't be guessed: %.10s", async (code, status) => {
    const right = freshCode();
    expect((await post(code)).status).toBe(status);
    expect((await post(right)).status).toBe(200);
  });
});

describe("the page", () => {
  it("comes with a strict policy, and a nonce of its own each time", async () => {
    const [first, second] = [await ask("/"), await ask("/batches/batch_1")];
    const policy = String(first.headers["content-security-policy"]);
    const nonce = /content="([^"]+)"/.exec(first.body)?.[1];
    expect(policy).toBe(
      "default-src 'none'; script-src 'self'; " +
        `style-src 'self' 'nonce-${nonce}'; connect-src 'self' ws://127.0.0.1:${host.port}; ` +
        "img-src 'self' data:; font-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'",
    );
    expect(first.headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
    });
    expect(first.headers["access-control-allow-origin"]).toBeUndefined();
    expect(Buffer.from(nonce ?? "", "base64")).toHaveLength(16);
    expect(second.status).toBe(200);
    expect(second.body).not.toBe(first.body);
  });

  it("has its files with their types, the hashed ones for good", async () => {
    expect((await ask("/assets/index-Bx3f_9aQ.js")).headers).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "private, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
    });
    expect((await ask("/icon.svg")).headers).toMatchObject({
      "content-type": "image/svg+xml",
      "cache-control": "no-cache",
    });
    const head = await ask("/icon.svg", { method: "HEAD" });
    expect(head).toMatchObject({ status: 200, body: "", headers: { "content-length": "6" } });
  });

  it("has its scripts compressed for whoever takes that", async () => {
    const path = "/assets/index-Bx3f_9aQ.js";
    const plain = await ask(path);
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(plain.body).toBe(script);
    const compressed = await fetch(`${origin}${path}`, { headers: { "accept-encoding": "gzip, br" } });
    expect(compressed.headers.get("content-encoding")).toBe("gzip");
    expect(Number(compressed.headers.get("content-length"))).toBeLessThan(100);
    expect(await compressed.text()).toBe(script);
  });

  it.each([
    "/../sheaf-outside.txt",
    "/%2e%2e/sheaf-outside.txt",
    "/..%2fsheaf-outside.txt",
    "/assets/..%5c..%5csheaf-outside.txt",
    "//sheaf-outside.txt",
    "/%",
    "/missing.js",
  ])("has no other file: %s", async (path) => {
    const { status, body } = await ask(path);
    expect(body).not.toBe("outside");
    expect([404, 200]).toContain(status);
    if (status === 200) expect(body).toContain("csp-nonce");
  });

  it("can only be read", async () => {
    const { status, headers } = await ask("/", { method: "POST", headers: { origin } });
    expect(status).toBe(405);
    expect(headers.allow).toBe("GET, HEAD");
  });
});

describe("a request under another name", () => {
  it.each(["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:80"])(
    "is refused: Host %s",
    async (name) => {
      expect((await ask("/", { headers: { host: name } })).status).toBe(403);
    },
  );

  it("is answered under this machine's own names", async () => {
    for (const name of ["127.0.0.1", "localhost", "[::1]"]) {
      expect((await ask("/", { headers: { host: `${name}:${host.port}` } })).status).toBe(200);
    }
  });
});

describe("the WebSocket", () => {
  /** The status of an upgrade with these headers. */
  function connect(headers: Record<string, string>, path = "/rpc"): Promise<number> {
    const socket = new PlainSocket(`ws://127.0.0.1:${host.port}${path}`, { headers });
    const { promise, resolve } = Promise.withResolvers<number>();
    socket.on("open", () => {
      resolve(101);
      socket.close();
    });
    socket.on("unexpected-response", (_request, response) => {
      resolve(response.statusCode ?? 0);
      response.resume();
    });
    socket.on("error", () => undefined);
    return promise;
  }

  /** What happens to a socket that says this first: the host's first message, or the code it closed the socket with. */
  async function greet(...messages: (string | Buffer)[]): Promise<string | number> {
    const socket = new PlainSocket(`ws://127.0.0.1:${host.port}/rpc`, { headers: { origin } });
    socket.on("error", () => undefined);
    socket.on("open", () => {
      for (const message of messages) socket.send(message);
    });
    const answer = await new Promise<string | number>((resolve) => {
      socket.on("message", (data) => resolve(String(data)));
      socket.on("close", resolve);
    });
    socket.close();
    return answer;
  }

  it("opens for the app's own page alone", async () => {
    expect(await connect({ origin })).toBe(101);
    expect(await connect({ origin, "sec-fetch-site": "same-origin" })).toBe(101);
    expect(await connect({})).toBe(403);
    expect(await connect({ origin: "null" })).toBe(403);
    expect(await connect({ origin: "http://evil.example" })).toBe(403);
    expect(await connect({ origin: `http://127.0.0.1:${host.port + 1}` })).toBe(403);
    expect(await connect({ origin: `http://localhost:${host.port}` })).toBe(403);
    expect(await connect({ origin: "http://evil.example", host: "evil.example" })).toBe(403);
    expect(await connect({ origin, "sec-fetch-site": "same-site" })).toBe(403);
    expect(await connect({ origin }, "/other")).toBe(404);
  });

  it("gives nothing to a program that forges the page's origin but has no token", async () => {
    const call = JSON.stringify({ i: "1", p: { u: "/server/reveal", b: { json: { name: "api_key" } } } });
    expect(await greet(call)).toBe(4401);
    expect(await greet("")).toBe(4401);
    expect(await greet("wrong", call)).toBe(4401);
    expect(await greet(freshCode())).toBe(4401);
    expect(await greet(Buffer.from(await enter()))).toBe(4401);
    expect(await greet("x".repeat(2_000))).toBe(1006);
    expect(await greet("x".repeat(10_000_000))).toBe(1006);
  });

  it("ends when it says nothing for five seconds, and stays when it said its token", async () => {
    const silent = new PlainSocket(`ws://127.0.0.1:${host.port}/rpc`, { headers: { origin } });
    await once(silent, "open");
    const socket = await openSocket(origin, await enter());
    await clock.advance(5_000);
    await once(silent, "close");
    expect(socket.readyState).toBe(socket.OPEN);
    socket.close();
    await once(socket, "close");
  });

  it("takes a token for every tab and after each reload, until it has had no socket for a day", async () => {
    const [token, other] = [await enter(), await enter()];
    const hour = 3_600_000;
    const first = await openSocket(origin, token);
    const second = await openSocket(origin, token);
    first.close();
    await once(first, "close");
    await clock.advance(100 * hour);
    expect(await greet(other)).toBe(4401);
    second.close();
    await once(second, "close");
    await clock.advance(23 * hour);
    expect(await greet(token)).toBe("admitted");
    const greetNextDay = () => clock.advance(24 * hour).then(() => greet(token));
    await expect.poll(greetNextDay).toBe(4401);
  });
});

describe("the whole job in a browser", () => {
  it("goes from a dropped file to a download that works once", async () => {
    const token = await enter();
    const socket = await openSocket(origin, token);
    const client: RpcClient = createORPCClient(new RPCLink({ websocket: socket }));

    const content = Buffer.from(await readFile(join(examplesFolder, "gsm8k-1319.jsonl")));
    const padded = Buffer.concat([content, Buffer.from(JSON.stringify({ id: "long", question: "x".repeat(900_000) }))]);
    const source = await upload(client, padded, "questions.jsonl");
    expect(source.rowCount).toBe(1320);
    const template: RequestTemplate = {
      messages: [{ role: "user", content: "{{ question | truncate: 2000 }}" }],
      connectionId: null,
      model: "deepseek-ai/DeepSeek-R1",
      temperature: null,
      maxCompletionTokens: null,
      customId: "{{ id }}",
    };
    const draft = await client.drafts.create({});
    await client.drafts.save({ ...draft, sourceId: source.id, template });
    const changes = await client.batches.watch();
    const events = await Array.fromAsync(await client.build.submit({ sourceId: source.id, template, name: "Größe 1" }));
    const last = events.at(-1);
    if (last?.phase !== "submitted") throw new Error("It was not submitted.");
    for await (const batch of changes) {
      if (batch.id !== last.batchId || batch.status !== "completed") continue;
      expect(batch.counts).toEqual({ total: 1320, completed: 1320, failed: 0, damaged: 0, neverRan: 0, awaited: 0 });
      break;
    }
    expect((await client.results.page({ batchId: last.batchId, offset: 0, limit: 3 })).rows).toHaveLength(3);

    const outcome = await client.exports.begin({ what: "results", batchId: last.batchId });
    if (outcome.how !== "link") throw new Error("There is no link.");
    expect((await ask("/exports/x")).status).toBe(404);
    expect((await ask(outcome.href, { method: "HEAD" })).status).toBe(404);
    expect((await ask(outcome.href, { headers: { host: "evil.example" } })).status).toBe(403);
    const { status, headers, body } = await ask(outcome.href);
    expect(status).toBe(200);
    expect(headers["content-disposition"]).toBe(
      `attachment; filename="Gr__e 1-results.jsonl"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%201-results.jsonl`,
    );
    const ids = body
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).custom_id);
    expect(ids).toEqual(
      padded
        .toString("utf8")
        .split("\n")
        .map((line) => JSON.parse(line).id),
    );
    expect((await ask(outcome.href)).status).toBe(404);
    await expect.poll(() => readdir(join(fixture.dataDir, "exports"))).toEqual([]);
    socket.close();
    expect(fixture.log).toEqual([]);
  });
});

describe("where it listens", () => {
  it("is the default port or the next free one, and only the port that was asked for", async () => {
    const { app, service } = fixture;
    const options = { app, rendererFolder, clock: createSystemClock(), logger: service.logger };
    const first = await startWebHost(options);
    const second = await startWebHost(options);
    expect(first.port).toBeGreaterThanOrEqual(defaultPort);
    expect(second.port).toBeGreaterThan(first.port);
    await expect(startWebHost({ ...options, port: first.port })).rejects.toMatchObject({ code: "EADDRINUSE" });
    await Promise.all([first.close(), second.close()]);
  });

  it("is nowhere while the page has not been built", async () => {
    const folder = await mkdtemp(join(tmpdir(), "sheaf-empty-"));
    const { app, service } = fixture;
    for (const rendererFolder of [folder, join(folder, "gone")]) {
      const started = startWebHost({ app, rendererFolder, clock: createSystemClock(), logger: service.logger });
      await expect(started).rejects.toThrow("has not been built");
    }
    await rm(folder, { recursive: true });
  });
});
