import { connect } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { loggedRequestSchema } from "#contract";
import {
  apiKey,
  createBatch,
  json,
  readError,
  startTestServer,
  type TestServer,
  twoPrompts,
} from "../testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(() => server.request("/sheaf/requests", { method: "DELETE" }));

const pageSchema = z.object({ data: z.array(loggedRequestSchema), has_more: z.boolean() });
async function list(query = "") {
  return pageSchema.parse(await (await server.request(`/sheaf/requests${query}`)).json());
}

describe("the requests", () => {
  test("are listed with what was sent and what became of it, newest first", async () => {
    const body = { input_file_id: "file-none", endpoint: "/v1/chat/completions", completion_window: "24h" };
    const first = await server.request("/v1/models?x=1", { headers: { "x-test": "yes" } });
    const second = await server.request("/v1/batches", json(body));
    const { data } = await list();
    expect(data).toMatchObject([
      { id: second.headers.get("x-request-id"), method: "POST", path: "/v1/batches", query: "", status: 404, body },
      {
        id: first.headers.get("x-request-id"),
        object: "request",
        method: "GET",
        path: "/v1/models",
        query: "x=1",
        status: 200,
        duration_ms: expect.any(Number),
        headers: { "x-test": "yes" },
        body: null,
      },
    ]);
  });

  test("have unknown paths among them, and none of those that only look after the server", async () => {
    for (const path of ["/v1/nothing", "/elsewhere", "/health", "/sheaf/clock", "/metrics", "/openapi.json", "/docs"]) {
      await (await server.request(path)).arrayBuffer();
    }
    expect((await list()).data.map(({ path }) => path)).toEqual(["/elsewhere", "/v1/nothing"]);
  });

  test("never show a key: not in a header, a query, or a body", async () => {
    const secrets = [apiKey, "sk-other-0123456789", "hunter2-hunter2", "abc-token"];
    await fetch(`${server.url}/v1/models?key=${apiKey}`, { headers: { authorization: `Bearer ${secrets[1]}` } });
    await server.request("/v1/batches", {
      ...json({ apiKey: "abc-token", deep: [{ password: "hunter2-hunter2", note: `it is ${apiKey}` }], max_tokens: 5 }),
      headers: { "content-type": "application/json", cookie: "session=hunter2-hunter2", "x-api-key": "abc-token" },
    });
    await server.request(`/v1/files/${apiKey}`);
    const text = await (await server.request("/sheaf/requests")).text();
    for (const secret of secrets) expect(text).not.toContain(secret);
    expect(text).toContain('"authorization":"***"');
    expect(text).toContain('"max_tokens":5');
  });

  test("are listed however deep their bodies are", async () => {
    await server.request("/v1/batches", json(`{"deep":${"[".repeat(150)}${"]".repeat(150)},"note":"shown"}`));
    const [logged] = (await list()).data;
    expect(logged).toMatchObject({ path: "/v1/batches", body: { note: "shown" } });
    expect(JSON.stringify(logged)).toContain('["…"]');
  });

  test("are found by path, method, status and request id", async () => {
    await server.request("/v1/models");
    const missing = await server.request("/v1/batches/batch_none");
    await server.request("/v1/batches", json({}));
    const paths = async (query: string) => (await list(query)).data.map(({ method, path }) => `${method} ${path}`);
    expect(await paths("?path=/v1/batches")).toEqual(["POST /v1/batches", "GET /v1/batches/batch_none"]);
    expect(await paths("?method=get")).toEqual(["GET /v1/batches/batch_none", "GET /v1/models"]);
    expect(await paths("?status=400")).toEqual(["POST /v1/batches"]);
    expect(await paths("?status=4xx&method=GET")).toEqual(["GET /v1/batches/batch_none"]);
    expect(await paths(`?request_id=${missing.headers.get("x-request-id")}`)).toEqual(["GET /v1/batches/batch_none"]);
    expect(await paths("?path=/v2")).toEqual([]);
  });

  test("come page by page", async () => {
    for (let index = 0; index < 5; index++) await server.request(`/v1/models?page=${index}`);
    const first = await list("?limit=2");
    expect(first).toMatchObject({ has_more: true, data: [{ query: "page=4" }, { query: "page=3" }] });
    await server.request("/v1/models?page=5");
    const second = await list(`?limit=3&after=${first.data[1]?.id}`);
    expect(second.data.map(({ query }) => query)).toEqual(["page=2", "page=1", "page=0"]);
    expect(second.has_more).toBe(false);
  });

  test("show bodies of up to 1 MB whole, and say of longer ones that they were dropped", async () => {
    const long = { padding: "x".repeat(900_000), note: `it is ${apiKey}` };
    await server.request("/v1/batches", json(long));
    await server.request("/v1/chat/completions", json({ padding: "x".repeat(1_100_000) }));
    await server.request("/v1/models");
    expect((await list()).data).toMatchObject([
      { path: "/v1/models", body: null, body_dropped: false },
      { path: "/v1/chat/completions", body: null, body_dropped: true },
      { path: "/v1/batches", body: { ...long, note: "it is ***" }, body_dropped: false },
    ]);
  });

  test("end a page early where their bodies are large", async () => {
    for (let index = 0; index < 5; index++) {
      await server.request("/v1/batches", json({ index, padding: "x".repeat(900_000) }));
    }
    const first = await list();
    expect(first).toMatchObject({ has_more: true, data: [4, 3, 2, 1].map((index) => ({ body: { index } })) });
    expect(await list(`?after=${first.data.at(-1)?.id}`)).toMatchObject({
      has_more: false,
      data: [{ body: { index: 0 } }],
    });
  });

  test("are forgotten on request", async () => {
    await server.request("/v1/models");
    await server.request("/sheaf/requests", { method: "DELETE" });
    expect((await list()).data).toEqual([]);
  });

  test.each([
    ["?status=abc", 400, "status"],
    ["?limit=1001", 400, "limit"],
    ["?after=req_none", 404, "after"],
  ])("can't be listed with %s", async (query, status, param) => {
    expect((await readError(await server.request(`/sheaf/requests${query}`), status)).param).toBe(param);
  });
});

describe("a request without a whole answer is logged and counted once", () => {
  const chat = { model: "deepseek-ai/DeepSeek-R1", messages: [{ role: "user", content: "Why?" }] };
  const put = (path: string, body: object) => server.request(path, { ...json(body), method: "PUT" });
  afterEach(async () => {
    await server.request("/sheaf/faults", { method: "DELETE" });
    await server.request("/sheaf/rules", { method: "DELETE" });
  });

  async function countEnds(route: string): Promise<Record<string, number>> {
    const text = await (await server.request("/metrics")).text();
    const found = text.matchAll(
      /^sheaf_http_requests_total\{method="POST",route="([^"]+)",status="(aborted|dropped)"\} (\d+)$/gm,
    );
    return Object.fromEntries(
      [...found].filter(([, of]) => of === route).map(([, , end, count]) => [end, Number(count)]),
    );
  }

  test("while it waits, and when its client gives up before an answer", async () => {
    await put("/sheaf/faults", { latency_ms: 600_000 });
    const before = await countEnds("/v1/chat/completions");
    const gone = new AbortController();
    const asked = server.request("/v1/chat/completions", { ...json(chat), signal: gone.signal });
    await expect
      .poll(async () => (await list()).data)
      .toMatchObject([{ path: "/v1/chat/completions", state: "in_progress", status: null, body: chat, bytes_sent: 0 }]);
    expect((await list("?status=2xx")).data).toEqual([]);
    gone.abort();
    await expect(asked).rejects.toThrow();
    await expect
      .poll(async () => (await list()).data)
      .toMatchObject([{ state: "aborted", status: null, bytes_sent: 0, response: { headers: {}, body: null } }]);
    const after = await countEnds("/v1/chat/completions");
    expect(after.aborted).toBe((before.aborted ?? 0) + 1);
    expect(after.dropped).toBe(before.dropped);
  });

  test("when its client leaves an upload", async () => {
    const { port } = new URL(server.url);
    const socket = connect(Number(port), "127.0.0.1");
    socket.write(
      `POST /v1/files HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${apiKey}\r\ncontent-length: 1000\r\ncontent-type: multipart/form-data; boundary=x\r\n\r\n--x`,
    );
    await expect.poll(async () => (await list()).data).toMatchObject([{ path: "/v1/files", state: "in_progress" }]);
    socket.destroy();
    await expect.poll(async () => (await list()).data).toMatchObject([{ path: "/v1/files", state: "aborted" }]);
  });

  test("when its client leaves a stream, with what was sent of it", async () => {
    await put("/sheaf/rules", { rules: [{ reply: { stream: ["One. ", { text: "Two.", pause_ms: 600_000 }] } }] });
    const gone = new AbortController();
    const response = await server.request("/v1/chat/completions", {
      ...json({ ...chat, stream: true }),
      signal: gone.signal,
    });
    await response.body?.getReader().read();
    gone.abort();
    await expect.poll(async () => (await list()).data).toMatchObject([{ state: "aborted", status: 200 }]);
    const [logged] = (await list()).data;
    expect(logged?.bytes_sent).toBeGreaterThan(100);
    expect(logged?.response.body).toContain("data: ");
  });

  test("when a fault drops it", async () => {
    const before = await countEnds("/v1/chat/completions");
    const drop = { ...json(chat), headers: { "content-type": "application/json", "x-sheaf-outcome": "drop" } };
    await expect(server.request("/v1/chat/completions", drop).then((answer) => answer.text())).rejects.toThrow();
    await expect.poll(async () => (await list()).data).toMatchObject([{ state: "dropped", status: 200 }]);
    expect((await list()).data[0]?.bytes_sent).toBeGreaterThan(100);
    expect((await countEnds("/v1/chat/completions")).dropped).toBe((before.dropped ?? 0) + 1);
  });

  test("when a rule cuts its stream", async () => {
    await put("/sheaf/rules", { rules: [{ reply: { stream: ["One. ", "Two."], cut_after: 1 } }] });
    const answer = await server.request("/v1/chat/completions", json({ ...chat, stream: true }));
    await expect(answer.text()).rejects.toThrow();
    await expect
      .poll(async () => (await list()).data)
      .toMatchObject([{ state: "dropped", status: 200, rule: { index: 0 } }]);
  });

  test("when an MCP call is closed", async () => {
    const { token } = z
      .object({ token: z.string() })
      .parse(await (await server.request("/v1/mcp/enable", { method: "POST" })).json());
    const response = "The sky is blue. ".repeat(60_000);
    const gone = new AbortController();
    const call = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "verify", arguments: { prompt: "Why?", response } },
    };
    const asked = fetch(`${server.url}/v1/mcp`, {
      ...json(call),
      signal: gone.signal,
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        authorization: `Bearer ${token}`,
      },
    });
    await expect
      .poll(async () => (await list("?path=/v1/mcp")).data[0])
      .toMatchObject({ path: "/v1/mcp", state: "in_progress" });
    gone.abort();
    await expect(asked).rejects.toThrow();
    await expect.poll(async () => (await list("?path=/v1/mcp")).data[0]).toMatchObject({ state: "aborted" });
  });

  test("when its address can't be read", async () => {
    await readError(await server.request("/v1/%zz"), 400);
    expect((await list()).data).toMatchObject([{ path: "/v1/%zz", state: "completed", status: 400 }]);
  });
});

describe("the metrics", () => {
  test("count requests, time them, and count batches and lines", async () => {
    await server.service.batches.settled(await createBatch(server, twoPrompts));
    await server.request("/v1/batches/batch_none");
    const response = await server.request("/metrics");
    expect(response.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
    const text = await response.text();
    expect(text).toMatch(/^sheaf_batches\{status="completed"\} 1$/m);
    expect(text).toMatch(/^sheaf_batches\{status="failed"\} 0$/m);
    expect(text).toMatch(/^sheaf_batch_lines\{state="completed"\} 2$/m);
    expect(text).toMatch(
      /^sheaf_http_requests_total\{method="GET",route="\/v1\/batches\/:batch_id",status="404"\} \d+$/m,
    );
    expect(text).toMatch(
      /^sheaf_http_request_duration_seconds_bucket\{method="POST",route="\/v1\/batches",status="200",le="\+Inf"\} \d+$/m,
    );
  });

  test("are as many for a thousand unknown paths as for one", async () => {
    const count = async () => (await (await server.request("/metrics")).text()).split("\n").length;
    await server.request("/elsewhere");
    const before = await count();
    for (let index = 0; index < 20; index++) await server.request(`/elsewhere/${index}`);
    expect(await count()).toBe(before);
  });
});

test.each(["/sheaf/requests", "/metrics"])("%s takes the key", async (path) => {
  await readError(await fetch(server.url + path), 401);
});
