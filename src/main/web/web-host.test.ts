import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createORPCClient } from "@orpc/client";
import { RPCLink } from "@orpc/client/websocket";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import type { Recipe } from "#contract";
import { type AppFixture, examplesFolder, openApp, type RpcClient, upload } from "../app/testing/app-fixture.ts";
import { defaultPort, startWebHost, type WebHost } from "./index.ts";

let rendererFolder: string;
let fixture: AppFixture;
let host: WebHost;

const indexHtml = `<!doctype html><html><head><meta name="csp-nonce" content="%CSP_NONCE%"></head><body></body></html>`;

beforeAll(async () => {
  rendererFolder = await mkdtemp(join(tmpdir(), "sheaf-page-"));
  await mkdir(join(rendererFolder, "assets"));
  await writeFile(join(rendererFolder, "index.html"), indexHtml);
  await writeFile(join(rendererFolder, "icon.svg"), "<svg/>");
  await writeFile(join(rendererFolder, "assets", "index-Bx3f_9aQ.js"), "export {};");
  await writeFile(join(rendererFolder, "..", "sheaf-outside.txt"), "outside");
  fixture = await openApp();
  host = await startWebHost({ app: fixture.app, rendererFolder, port: 0, logger: fixture.service.logger });
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

/** A request as it is, without what `fetch` forbids or tidies up. */
function ask(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const asked = request({ host: "127.0.0.1", port: host.port, path, headers, method }, (response) => {
    const chunks: Buffer[] = [];
    response.on("data", (chunk: Buffer) => chunks.push(chunk));
    response.on("end", () =>
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks).toString() }),
    );
  });
  asked.on("error", reject).end();
  return promise;
}

function tokenPath(): string {
  const { pathname, search } = new URL(host.freshAddress());
  return pathname + search;
}

/** Lets a browser in, and answers with its cookie. */
async function enter(): Promise<{ cookie: string }> {
  const { headers } = await ask(tokenPath());
  const [cookie = ""] = String(headers["set-cookie"]).split(";");
  return { cookie };
}

describe("the one-time address", () => {
  it("lets in one browser, once, and leaves no token in its history", async () => {
    const path = tokenPath();
    const first = await ask(path);
    expect(first.status).toBe(303);
    expect(first.headers.location).toBe("/");
    const [cookie = ""] = [first.headers["set-cookie"]].flat();
    expect(cookie).toMatch(new RegExp(`^sheaf-${host.port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`));
    const again = await ask(path);
    expect(again.status).toBe(401);
    expect(again.headers["set-cookie"]).toBeUndefined();
    expect((await ask("/", { cookie: cookie.split(";")[0] ?? "" })).status).toBe(200);
  });

  it("does not work any more once a fresh one was asked for", async () => {
    const old = tokenPath();
    const fresh = tokenPath();
    expect((await ask(old)).status).toBe(401);
    expect((await ask(fresh)).status).toBe(303);
  });

  it.each(["/?token=", "/?token=wrong", "/batches?token=x"])("can't be guessed: %s", async (path) => {
    host.freshAddress();
    expect((await ask(path)).status).toBe(401);
  });

  it("is not spent by a look at its head", async () => {
    const path = tokenPath();
    expect((await ask(path, {}, "HEAD")).status).toBe(401);
    expect((await ask(path)).status).toBe(303);
  });

  it("keeps everything from a browser that did not come through it, and tells it how to", async () => {
    for (const path of ["/", "/batches", "/icon.svg", "/assets/index-Bx3f_9aQ.js", "/exports/x", "/rpc"]) {
      const { status, body, headers } = await ask(path, { cookie: `sheaf-${host.port}=forged` });
      expect({ path, status }).toEqual({ path, status: 401 });
      expect(body).toContain("press Enter");
      const nonce = /'nonce-([^']+)'/.exec(String(headers["content-security-policy"]))?.[1];
      expect(body).toContain(`<style nonce="${nonce}">`);
    }
  });
});

describe("the page", () => {
  it("comes with a strict policy, and a nonce of its own each time", async () => {
    const { cookie } = await enter();
    const [first, second] = [await ask("/", { cookie }), await ask("/batches/batch_1", { cookie })];
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
    expect(second.status).toBe(200);
    expect(second.body).not.toBe(first.body);
  });

  it("has its files with their types, the hashed ones for good", async () => {
    const { cookie } = await enter();
    expect((await ask("/assets/index-Bx3f_9aQ.js", { cookie })).headers).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "private, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
    });
    expect((await ask("/icon.svg", { cookie })).headers).toMatchObject({
      "content-type": "image/svg+xml",
      "cache-control": "no-cache",
    });
    const head = await ask("/icon.svg", { cookie }, "HEAD");
    expect(head).toMatchObject({ status: 200, body: "", headers: { "content-length": "6" } });
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
    const { status, body } = await ask(path, await enter());
    expect(body).not.toBe("outside");
    expect([404, 200]).toContain(status);
    if (status === 200) expect(body).toContain("csp-nonce");
  });

  it("can only be read", async () => {
    const { status, headers } = await ask("/", await enter(), "POST");
    expect(status).toBe(405);
    expect(headers.allow).toBe("GET, HEAD");
  });
});

describe("a request under another name", () => {
  it.each(["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:80"])(
    "is refused: Host %s",
    async (name) => {
      const path = tokenPath();
      expect((await ask(path, { host: name })).status).toBe(403);
      expect((await ask(path)).status).toBe(303);
    },
  );

  it("is answered under this machine's own names", async () => {
    const { cookie } = await enter();
    for (const name of ["127.0.0.1", "localhost", "[::1]"]) {
      expect((await ask("/", { cookie, host: `${name}:${host.port}` })).status).toBe(200);
    }
  });
});

describe("the WebSocket", () => {
  function connect(headers: Record<string, string>, path = "/rpc"): Promise<number> {
    const socket = new WebSocket(`ws://127.0.0.1:${host.port}${path}`, { headers });
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

  it("is for the app's own page in a browser that was let in, and for nobody else", async () => {
    const { cookie } = await enter();
    const origin = `http://127.0.0.1:${host.port}`;
    expect(await connect({ cookie, origin })).toBe(101);
    expect(await connect({ origin })).toBe(401);
    expect(await connect({ cookie: `sheaf-${host.port}=forged`, origin })).toBe(401);
    expect(await connect({ cookie })).toBe(403);
    expect(await connect({ cookie, origin: "null" })).toBe(403);
    expect(await connect({ cookie, origin: "http://evil.example" })).toBe(403);
    expect(await connect({ cookie, origin: `http://127.0.0.1:${host.port + 1}` })).toBe(403);
    expect(await connect({ cookie, origin: `http://localhost:${host.port}` })).toBe(403);
    expect(await connect({ cookie, origin: "http://evil.example", host: "evil.example" })).toBe(403);
    expect(await connect({ cookie, origin }, "/other")).toBe(404);
  });
});

describe("the whole job in a browser", () => {
  it("goes from a dropped file to a download that works once", async () => {
    const { cookie } = await enter();
    const origin = `http://127.0.0.1:${host.port}`;
    // The socket of a browser, which takes no headers but sends a cookie and its origin by itself.
    const socket: globalThis.WebSocket = Reflect.construct(globalThis.WebSocket, [
      `ws://127.0.0.1:${host.port}/rpc`,
      { headers: { cookie, origin } },
    ]);
    const client: RpcClient = createORPCClient(new RPCLink({ websocket: socket }));

    const content = Buffer.from(await readFile(join(examplesFolder, "gsm8k-1319.jsonl")));
    const padded = Buffer.concat([content, Buffer.from(JSON.stringify({ id: "long", question: "x".repeat(900_000) }))]);
    const source = await upload(client, padded, "questions.jsonl");
    expect(source.rowCount).toBe(1320);
    const recipe: Recipe = {
      messages: [{ role: "user", content: "{{ question | truncate: 2000 }}" }],
      model: "deepseek-ai/DeepSeek-R1",
      temperature: null,
      maxCompletionTokens: null,
      customId: "{{ id }}",
    };
    const draft = await client.drafts.create({});
    await client.drafts.save({ ...draft, sourceId: source.id, recipe });
    const changes = await client.batches.watch();
    const events = await Array.fromAsync(await client.build.submit({ sourceId: source.id, recipe, name: "Größe 1" }));
    const last = events.at(-1);
    if (last?.phase !== "submitted") throw new Error("It was not submitted.");
    for await (const batch of changes) {
      if (batch.id !== last.batchId || batch.status !== "completed") continue;
      expect(batch.counts).toEqual({ total: 1320, completed: 1320, failed: 0 });
      break;
    }
    expect((await client.results.page({ batchId: last.batchId, offset: 0, limit: 3 })).rows).toHaveLength(3);

    const outcome = await client.exports.begin({ what: "results", batchId: last.batchId });
    if (outcome.how !== "link") throw new Error("There is no link.");
    expect((await ask(outcome.href)).status).toBe(401);
    expect((await ask(outcome.href, { cookie }, "HEAD")).status).toBe(404);
    const { status, headers, body } = await ask(outcome.href, { cookie });
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
    expect((await ask(outcome.href, { cookie })).status).toBe(404);
    await expect.poll(() => readdir(join(fixture.dataDir, "exports"))).toEqual([]);
    socket.close();
    expect(fixture.log).toEqual([]);
  });
});

describe("where it listens", () => {
  it("is the default port or the next free one, and only the port that was asked for", async () => {
    const options = { app: fixture.app, rendererFolder, logger: fixture.service.logger };
    const first = await startWebHost(options);
    const second = await startWebHost(options);
    expect(first.port).toBeGreaterThanOrEqual(defaultPort);
    expect(second.port).toBeGreaterThan(first.port);
    await expect(startWebHost({ ...options, port: first.port })).rejects.toMatchObject({ code: "EADDRINUSE" });
    await Promise.all([first.close(), second.close()]);
  });

  it("is nowhere while the page has not been built", async () => {
    const folder = await mkdtemp(join(tmpdir(), "sheaf-empty-"));
    for (const rendererFolder of [folder, join(folder, "gone")]) {
      const started = startWebHost({ app: fixture.app, rendererFolder, logger: fixture.service.logger });
      await expect(started).rejects.toThrow("has not been built");
    }
    await rm(folder, { recursive: true });
  });
});
