import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { errorBodySchema } from "#contract";
import { lateGroups } from "./groups/index.ts";
import { apiKey, json, readError, startTestServer, type TestServer, upload } from "./testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ hosts: ["mock.example"] });
});
afterAll(() => server.close());

/** Sends bytes as they are and reads until the server has answered and the connection is closed. */
function sendRaw(text: string): Promise<{ status: number; head: string; body: string }> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1", () => socket.write(text));
    let received = "";
    socket.on("data", (data) => {
      received += data.toString();
    });
    socket.on("error", reject);
    socket.on("close", () => {
      const [head = "", body = ""] = received.split("\r\n\r\n");
      resolve({ status: Number(head.split(" ")[1]), head: head.toLowerCase(), body });
    });
  });
}

const get = (path: string, host: string, more = "") =>
  sendRaw(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${more}\r\n`);

describe("health", () => {
  test("answers without a key", async () => {
    const response = await fetch(`${server.url}/health`);
    expect(response.status).toBe(200);
    expect(response.headers.get("x-request-id")).toMatch(/^req_/);
    expect(await response.json()).toEqual({ status: "ok" });
  });
});

describe("the key", () => {
  const paths: [method: string, path: string][] = [
    ["GET", "/v1/files"],
    ["POST", "/v1/files"],
    ["GET", "/v1/files/file-1"],
    ["GET", "/v1/files/file-1/content"],
    ["POST", "/v1/batches"],
    ["GET", "/v1/batches"],
    ["GET", "/v1/batches/batch_1"],
    ["POST", "/v1/batches/batch_1/cancel"],
    ["GET", "/v1/models"],
    ["GET", "/v1/models/a/b"],
    ["GET", "/v1/unknown"],
    ["DELETE", "/v1/batches"],
    ["GET", "/%761/models"],
  ];

  test.each(paths)("is asked for at %s %s", async (method, path) => {
    const error = await readError(await fetch(server.url + path, { method }), 401);
    expect(error).toMatchObject({ type: "invalid_request_error", param: null, code: null });
    expect(error.message).toContain("Authorization: Bearer");
  });

  test("is asked for before the body is looked at", async () => {
    const response = await fetch(`${server.url}/v1/batches`, { ...json("{not json"), method: "POST" });
    await readError(response, 401);
  });

  test.each(["Basic c2s6", "Bearer", "Bearer ", apiKey, `Bearer ${apiKey} more`])(
    "has to come as a bearer token, not as '%s'",
    async (authorization) => {
      const response = await fetch(`${server.url}/v1/models`, { headers: { authorization } });
      expect((await readError(response, 401)).code).toBeNull();
      expect(response.headers.get("www-authenticate")).toBe("Bearer");
    },
  );

  test.each([`${apiKey}x`, apiKey.slice(0, -1), apiKey.toUpperCase(), "k", "sk-".padEnd(4_000, "x")])(
    "has to be the right one, and a wrong one is never echoed whole",
    async (wrong) => {
      const response = await fetch(`${server.url}/v1/models`, { headers: { authorization: `Bearer ${wrong}` } });
      const error = await readError(response, 401);
      expect(error.code).toBe("invalid_api_key");
      if (wrong.length > 1) expect(error.message).not.toContain(wrong);
      expect(error.message.length).toBeLessThan(60);
    },
  );

  test("may be asked for in any case", async () => {
    const response = await fetch(`${server.url}/v1/models`, { headers: { authorization: `bearer ${apiKey}` } });
    expect(response.status).toBe(200);
  });
});

describe("paths and methods", () => {
  test("an unknown path is 404", async () => {
    for (const path of ["/v1/nothing", "/v1", "/v1/batches/a/b", "/v1/files/a/b", "/", "/v2/models"]) {
      const error = await readError(await server.request(path), 404);
      expect(error).toMatchObject({ type: "invalid_request_error", param: null });
    }
  });

  test.each([
    ["PUT", "/v1/batches", "POST, GET, HEAD"],
    ["GET", "/v1/batches/batch_1/cancel", "POST"],
    ["OPTIONS", "/v1/models/a/b", "GET, HEAD"],
    ["DELETE", "/v1/files/file-1/content", "GET, HEAD"],
    ["POST", "/health", "GET, HEAD"],
  ])("%s %s is 405 and says what is allowed", async (method, path, allow) => {
    const response = await server.request(path, { method });
    const error = await readError(response, 405);
    expect(response.headers.get("allow")).toBe(allow);
    expect(error.code).toBe("method_not_allowed");
  });

  test("a wrong method is 405 whatever body it has", async () => {
    const response = await server.request("/v1/batches", {
      method: "PATCH",
      body: "<a/>",
      headers: { "content-type": "text/xml" },
    });
    await readError(response, 405);
  });

  test("HEAD answers with the headers of GET", async () => {
    const [head, full] = await Promise.all([
      server.request("/v1/models", { method: "HEAD" }),
      server.request("/v1/models"),
    ]);
    expect(head.status).toBe(200);
    expect(head.headers.get("content-length")).toBe(full.headers.get("content-length"));
    expect(await head.text()).toBe("");
  });

  test("a path with broken percent signs is 400, and one that is longer than any id 404", async () => {
    await readError(await server.request("/v1/batches/%zz"), 400);
    await readError(await server.request(`/v1/batches/${"x".repeat(3_000)}`), 404);
  });
});

describe("the host", () => {
  test.each([
    "localhost",
    "localhost:1234",
    "LOCALHOST",
    "127.0.0.1",
    "[::1]:80",
    "app.localhost",
    "192.168.1.7",
    "mock.example:80",
  ])("%s is answered to", async (host) => {
    expect((await get("/health", host)).status).toBe(200);
  });

  test.each(["evil.example", "localhost.evil.example", "127.0.0.1.evil.example:80", "notlocalhost", "a b", ""])(
    "'%s' is not, whatever it resolves to",
    async (host) => {
      const { status, body, head } = await get("/health", host, `Authorization: Bearer ${apiKey}\r\n`);
      expect(status).toBe(403);
      expect(head).toContain("x-request-id: req_");
      expect(errorBodySchema.parse(JSON.parse(body)).error.code).toBe("host_not_allowed");
    },
  );

  test("a client that sends none is served", async () => {
    expect((await sendRaw("GET /health HTTP/1.0\r\n\r\n")).status).toBe(200);
  });
});

describe("what is no request", () => {
  test.each([
    ["no HTTP", "HELLO\r\n\r\n", 400],
    ["headers over the limit", `GET /health HTTP/1.1\r\nHost: localhost\r\nA: ${"a".repeat(20_000)}\r\n\r\n`, 431],
    [
      "two lengths",
      "POST /v1/batches HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
      400,
    ],
    [
      "a broken chunk",
      `POST /v1/batches HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
      400,
    ],
  ])("%s gets an error body and an id all the same", async (_name, text, expected) => {
    const { status, head, body } = await sendRaw(text);
    expect(status).toBe(expected);
    expect(head).toContain("x-request-id: req_");
    expect(head).toContain("application/json");
    errorBodySchema.parse(JSON.parse(body));
  });

  test("an expectation that is not understood is passed over", async () => {
    const { status } = await get("/health", "localhost", "Expect: something\r\n");
    expect(status).toBe(200);
  });
});

describe("a fault of ours", () => {
  test("is 500 without internals, and the log has the details under the request's id", async () => {
    const broken = await startTestServer({
      change: (service) => ({
        ...service,
        batches: {
          ...service.batches,
          get: () => {
            throw new TypeError("secret path /var/lib/sheaf");
          },
        },
      }),
    });
    const response = await broken.request("/v1/batches/batch_1");
    const error = await readError(response, 500);
    const id = response.headers.get("x-request-id") ?? "";
    expect(error).toMatchObject({ type: "server_error", code: "internal_error", param: null });
    expect(error.message).not.toContain("secret");
    expect(error.message).toContain(id);
    expect(broken.faults).toHaveLength(1);
    expect(broken.faults[0]).toContain(id);
    expect(broken.faults[0]).toContain("secret path");
    await broken.close();
  });

  test("never has the key in the log", async () => {
    await server.request("/v1/batches/batch_1");
    await upload(server, "{}\n");
    expect(server.faults.join("\n")).not.toContain(apiKey);
  });
});

test("every response has an id of its own", async () => {
  const responses = await Promise.all(Array.from({ length: 20 }, () => server.request("/v1/models")));
  const ids = responses.map((response) => response.headers.get("x-request-id"));
  expect(new Set(ids).size).toBe(20);
});

test("a request under way is answered when the server closes", async () => {
  const closing = await startTestServer();
  const { port } = new URL(closing.url);
  const socket = connect(Number(port), "127.0.0.1");
  const received = new Promise<string>((resolve) => {
    let text = "";
    socket.on("data", (data) => {
      text += data.toString();
    });
    socket.on("close", () => resolve(text));
  });
  const body = JSON.stringify({
    input_file_id: "file-none",
    endpoint: "/v1/chat/completions",
    completion_window: "24h",
  });
  const arrived = new Promise<void>((resolve) => socket.once("ready", resolve));
  await arrived;
  socket.write(
    `POST /v1/batches HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${apiKey}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
  );
  await fetch(`${closing.url}/health`);
  const closed = closing.close();
  socket.write(body.slice(10));
  expect(await received).toMatch(/^HTTP\/1\.1 404 /);
  await closed;
});

test("a server closes at once, whatever connections its clients have open without waiting for anything", async () => {
  const closing = await startTestServer();
  const { port } = new URL(closing.url);
  const unused = connect(Number(port), "127.0.0.1");
  await once(unused, "connect");
  const used = connect(Number(port), "127.0.0.1", () => used.write("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"));
  await once(used, "data");
  const ended = Promise.all([once(unused, "close"), once(used, "close")]);
  await closing.close();
  await ended;
});

describe("addresses", () => {
  test("a slash at the end makes no difference, on any route", async () => {
    for (const path of [
      "/v1/models",
      "/v1/batches",
      "/v1/files",
      "/health",
      "/sheaf/faults",
      "/openapi.json",
      "/v1/mcp/status",
    ]) {
      const [plain, slashed] = await Promise.all([server.request(path), server.request(`${path}/`)]);
      expect([path, slashed.status]).toEqual([path, plain.status]);
      expect(plain.status).toBe(200);
    }
    expect((await server.request("/v1/models/?x=1")).status).toBe(200);
    const chat = { model: "deepseek-ai/DeepSeek-R1", messages: [{ role: "user", content: "Why?" }] };
    expect((await server.request("/v1/chat/completions/", json(chat))).status).toBe(200);
    // The endpoint itself: it asks for its own token.
    expect((await readError(await server.request("/v1/mcp/", json({})), 401)).message).toContain("MCP token");
  });

  test("a wrong prefix is a 404 that names the right address", async () => {
    for (const [path, meant] of [
      ["/v1/v1/chat/completions", "/v1/chat/completions"],
      ["//v1/chat/completions", "/v1/chat/completions"],
      ["/chat/completions", "/v1/chat/completions"],
      ["/messages", "/v1/messages"],
      ["/models", "/v1/models"],
      ["/v1/health", "/health"],
    ] as const) {
      const message = `There is nothing at POST '${path}'. Send it to '${meant}': check the base address of the client.`;
      // Two slashes at the beginning of a path are a host for `new URL`.
      const response = await fetch(`${server.url}${path}`, {
        ...json({}),
        headers: { authorization: `Bearer ${apiKey}` },
      });
      expect((await readError(response, 404)).message).toBe(message);
    }
    expect((await readError(await server.request("/v1/nothing"), 404)).message).toBe(
      "There is nothing at GET '/v1/nothing'.",
    );
  });

  test("routes that are added with their first request answer all requests that come at once, and are known to a miss", async () => {
    const fresh = await startTestServer();
    onTestFinished(() => fresh.close());
    const paths = ["/v1beta/models", "/v1beta/models", "/scope/a/sheaf/clock", "/sheaf/clock", "/v1/mcp/status"];
    expect(await Promise.all(paths.map(async (path) => (await fresh.request(path)).status))).toEqual(
      paths.map(() => 200),
    );
    expect((await readError(await fresh.request("/messages"), 404)).message).toContain("Send it to '/v1/messages'");
  });

  test("routes that are added with their first request are found by encoded paths, too", async () => {
    const fresh = await startTestServer();
    onTestFinished(() => fresh.close());
    const statuses = async (...paths: string[]) =>
      await Promise.all(paths.map(async (path) => (await fresh.request(path)).status));
    expect(await statuses("/v1%62eta/models", "/%73heaf/clock", "/v1/m%63p/status", "/v1/m%6fdels")).toEqual([
      200, 200, 200, 200,
    ]);
    expect(await statuses("/sheaf%2Fclock", "/%73heaf/%zz", "/sheaf/%zz")).toEqual([404, 400, 400]);
  });

  test("the description of all routes leaves nothing behind that acts", async () => {
    let subscribed = 0;
    const fresh = await startTestServer({
      change: (service) => ({
        ...service,
        mcp: {
          ...service.mcp,
          subscribe(listener) {
            subscribed += 1;
            const stop = service.mcp.subscribe(listener);
            return () => {
              subscribed -= 1;
              stop();
            };
          },
        },
      }),
    });
    onTestFinished(() => fresh.close());
    expect((await fresh.request("/openapi.json")).status).toBe(200);
    expect(subscribed).toBe(0);
  });

  test("routes that can't be loaded are a fault of ours in the shape of their vendor, and are tried again", async () => {
    const fresh = await startTestServer();
    onTestFinished(() => fresh.close());
    const failLoads = () => {
      const failing = lateGroups.map((group) => vi.spyOn(group, "load").mockRejectedValue(new Error("EIO")));
      return () => failing.forEach((spy) => void spy.mockRestore());
    };
    const restore = failLoads();
    const [message, models, clock] = await Promise.all(
      ["/v1/messages/batches", "/v1beta/models", "/sheaf/clock"].map((path) => fresh.request(path)),
    );
    restore();
    for (const response of [message, models, clock]) {
      expect(response?.status).toBe(500);
      expect(response?.headers.get("x-request-id")).toMatch(/^req_/);
    }
    expect(message?.headers.get("request-id")).toBe(message?.headers.get("x-request-id"));
    expect(await message?.json()).toMatchObject({ type: "error", error: { type: "api_error" } });
    expect(await models?.json()).toMatchObject({ error: { code: 500, status: "INTERNAL" } });
    expect(await clock?.json()).toMatchObject({ error: { type: "server_error", code: "internal_error" } });
    expect((await fresh.request("/v1beta/models")).status).toBe(200);
    expect(await (await fresh.request("/sheaf/requests")).json()).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ path: "/v1/messages/batches", status: 500 })]),
    });
    const restoreAgain = failLoads();
    expect((await fresh.request("/openapi.json")).status).toBe(500);
    restoreAgain();
    expect((await fresh.request("/openapi.json")).status).toBe(200);
  });
});
