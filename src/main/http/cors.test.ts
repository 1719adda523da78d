import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { json, readError, startTestServer, type TestServer } from "./testing/test-server.ts";

const page = "https://app.example";
const open: TestServer[] = [];
let one: TestServer;
let any: TestServer;
let keyless: TestServer;
beforeAll(async () => {
  one = await startTestServer({ cors: [page], rateLimit: true });
  any = await startTestServer({ cors: ["*"] });
  keyless = await startTestServer({ cors: [page], auth: false });
  open.push(one, any, keyless);
});
afterAll(async () => {
  for (const server of open) {
    expect(server.faults).toEqual([]);
    await server.close();
  }
});

const preflight = (server: TestServer, path: string, origin: string) =>
  fetch(server.url + path, {
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization,content-type,x-stainless-lang",
    },
  });
const question = json({
  model: "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo",
  messages: [{ role: "user", content: "Hello" }],
});
const allowedOrigin = ({ headers }: Response) => headers.get("access-control-allow-origin");

describe("pages of an origin that was named", () => {
  test("are answered before they send what needs a key, with the headers that they ask for", async () => {
    for (const path of ["/v1/chat/completions", "/v1/messages", "/v1/files/file-1", "/scope/mine/v1/batches"]) {
      const response = await preflight(one, path, page);
      expect(response.status).toBe(204);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "access-control-allow-origin": page,
        "access-control-allow-headers": "authorization,content-type,x-stainless-lang",
        "access-control-allow-methods": expect.stringContaining("DELETE"),
        vary: "origin",
      });
    }
    const logged = await one.request("/sheaf/requests");
    expect(await logged.json()).toMatchObject({ data: [] });
  });

  test("may read answers and errors, with the headers that clients go by", async () => {
    const right = await one.request("/v1/chat/completions", {
      ...question,
      headers: { ...question.headers, origin: page },
    });
    const wrong = await fetch(`${one.url}/v1/models`, { headers: { origin: page } });
    expect([right.status, wrong.status]).toEqual([200, 401]);
    for (const response of [right, wrong]) {
      expect(allowedOrigin(response)).toBe(page);
      const exposed = response.headers.get("access-control-expose-headers")?.split(", ");
      expect(exposed).toEqual(
        expect.arrayContaining(["x-request-id", "request-id", "retry-after", "x-ratelimit-reset-requests"]),
      );
    }
  });

  test("are let in to neither /sheaf nor MCP, whatever letters are escaped", async () => {
    for (const path of ["/sheaf/faults", "/sheaf/reset", "/v1/mcp", "/v1/mcp/enable", "/v1/%6dcp/enable", "/metrics"]) {
      const response = await preflight(one, path, page);
      expect([response.status >= 400, allowedOrigin(response)], path).toEqual([true, null]);
      await response.text();
    }
    expect(allowedOrigin(await one.request("/sheaf/faults", { headers: { origin: page } }))).toBeNull();
  });
});

test("pages of other origins are not let in", async () => {
  const response = await preflight(one, "/v1/models", "https://evil.example");
  expect([response.status, allowedOrigin(response)]).toEqual([401, null]);
  const asked = await one.request("/v1/models", { headers: { origin: "https://evil.example" } });
  expect([asked.status, allowedOrigin(asked)]).toEqual([200, null]);
});

test("with *, any page is let in, but not to /sheaf", async () => {
  const response = await preflight(any, "/v1/models", "https://anyone.example");
  expect([response.status, allowedOrigin(response)]).toEqual([204, "*"]);
  expect(allowedOrigin(await any.request("/sheaf/faults", { headers: { origin: page } }))).toBeNull();
});

describe("without a key", () => {
  test("programs need none, and may send any", async () => {
    for (const headers of [{}, { authorization: "Bearer whatever" }, { authorization: "Basic x" }]) {
      expect((await fetch(`${keyless.url}/v1/models`, { headers })).status).toBe(200);
    }
    const mcp = await fetch(`${keyless.url}/v1/mcp`, {
      method: "POST",
      headers: { accept: "application/json, text/event-stream" },
    });
    await readError(mcp, 401);
  });

  test("pages that were not named can't even send what needs no preflight", async () => {
    const send = (path: string, origin: string) =>
      fetch(keyless.url + path, { method: "POST", headers: { origin, "content-type": "text/plain" }, body: "x" });
    for (const path of ["/sheaf/reset", "/v1/batches/batch_1/cancel", "/v1/files", "/v1/chat/completions"]) {
      expect(await readError(await send(path, "https://evil.example"), 403)).toMatchObject({
        code: "origin_not_allowed",
      });
    }
    await readError(await send("/sheaf/reset", page), 403);
    const local = await send("/sheaf/reset", "http://localhost:3000");
    expect(local.status).toBe(200);
    const named = await fetch(`${keyless.url}/v1/chat/completions`, {
      ...question,
      headers: { ...question.headers, origin: page },
    });
    expect([named.status, allowedOrigin(named)]).toEqual([200, page]);
  });
});
