import { request as httpRequest } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { mcpEnabledSchema } from "#contract";
import { apiKey, json, readError, startTestServer, type TestServer } from "../testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ hosts: ["mock.example"] });
});
afterAll(async () => {
  expect(server.faults).toEqual([]);
  await server.close();
});
beforeEach(() => server.service.mcp.disable());

const disabled = { enabled: false, url: "", apiKey: "" };
const tokenShape = /^mcp-sheaf-[\w-]{43}$/;

async function readStatus(): Promise<unknown> {
  return await (await server.request("/v1/mcp/status")).json();
}

async function enable() {
  const response = await server.request("/v1/mcp/enable", { method: "POST" });
  expect(response.status).toBe(200);
  return mcpEnabledSchema.strict().parse(await response.json());
}

describe("the MCP endpoint", () => {
  test("is disabled at first: all is empty", async () => {
    expect(await readStatus()).toEqual(disabled);
  });

  test("is enabled with its address and its token, which the status then shows as apiKey", async () => {
    const { url, token } = await enable();
    expect(url).toBe(`${server.url}/v1/mcp`);
    expect(token).toMatch(tokenShape);
    expect(await readStatus()).toEqual({ enabled: true, url, apiKey: token });
  });

  test("is disabled with an answer in which all is empty, also when it was already", async () => {
    await enable();
    for (let round = 0; round < 2; round++) {
      const response = await server.request("/v1/mcp/disable", { method: "POST" });
      expect([response.status, await response.json()]).toEqual([200, disabled]);
    }
    expect(await readStatus()).toEqual(disabled);
  });

  test("has the same token each time it is enabled, until it is rotated", async () => {
    const { token } = await enable();
    await server.request("/v1/mcp/disable", { method: "POST" });
    expect((await enable()).token).toBe(token);
    const rotated = await server.service.mcp.rotate();
    expect(rotated).not.toBe(token);
    expect((await enable()).token).toBe(rotated);
  });

  test.each([
    ["no body", {}],
    ["an empty object", json({})],
    ["a form", { body: new URLSearchParams({ a: "b" }) }],
  ])("is enabled and disabled with %s", async (_name, init) => {
    for (const path of ["/v1/mcp/enable", "/v1/mcp/disable"]) {
      expect((await server.request(path, { ...init, method: "POST" })).status).toBe(200);
    }
  });

  test("keeps its token out of caches", async () => {
    const response = await server.request("/v1/mcp/enable", { method: "POST" });
    expect(response.headers.get("cache-control")).toBe("no-store");
  });
});

/** A request with a `host` of one's own, which fetch would not send. */
async function statusAt(host: string | null): Promise<{ status: number; body: string }> {
  const headers = { authorization: `Bearer ${apiKey}`, connection: "close", ...(host !== null && { host }) };
  return await new Promise((resolve, reject) => {
    const url = `${server.url}/v1/mcp/status`;
    httpRequest(url, { headers, setHost: false }, (response) => {
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
    })
      .on("error", reject)
      .end();
  });
}

describe("its address", () => {
  test.each(["localhost", "127.0.0.1:80", "mock.example:4747", "[::1]:4747"])(
    "is the one that the client has reached us at: %s",
    async (host) => {
      const { token } = await enable();
      const { status, body } = await statusAt(host);
      expect(status).toBe(200);
      expect(JSON.parse(body)).toEqual({
        enabled: true,
        url: `http://${host.replace(/:80$/, "")}/v1/mcp`,
        apiKey: token,
      });
    },
  );

  test("is our own where the client names none", async () => {
    await enable();
    expect(JSON.parse((await statusAt(null)).body).url).toBe(`${server.url}/v1/mcp`);
  });

  test("is not given under the name of another site", async () => {
    await enable();
    expect((await statusAt("evil.example")).status).toBe(403);
  });
});

describe("the token and the main key never stand in for each other:", () => {
  test.each([
    ["GET", "/v1/mcp/status"],
    ["POST", "/v1/mcp/enable"],
    ["POST", "/v1/mcp/disable"],
    ["GET", "/v1/models"],
    ["GET", "/v1/files"],
    ["POST", "/v1/batches"],
    ["GET", "/sheaf/requests"],
  ])("%s %s refuses the token as a wrong key", async (method, path) => {
    const { token } = await enable();
    const response = await fetch(server.url + path, { method, headers: { authorization: `Bearer ${token}` } });
    const error = await readError(response, 401);
    expect(error.code).toBe("invalid_api_key");
    expect(error.message).not.toContain(token);
    expect(await readStatus()).toMatchObject({ enabled: true });
  });

  test("POST /v1/mcp refuses the main key as a wrong token", async () => {
    await enable();
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const response = await server.request("/v1/mcp", { ...json({}), headers });
    const error = await readError(response, 401);
    expect(error.code).toBe("invalid_api_key");
    expect(error.message).not.toContain(apiKey);
  });
});

test("the requests that are listed never show the token", async () => {
  const { token } = await enable();
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", accept: "a" };
  await fetch(`${server.url}/v1/mcp?token=${token}`, { method: "POST", headers, body: "{}" });
  await fetch(`${server.url}/v1/models/${token}`, { headers: { authorization: `Bearer ${token}` } });
  await server.request("/v1/batches", json({ note: `it is ${token}` }));
  const listed = await (await server.request("/sheaf/requests")).text();
  expect(listed).toContain("/v1/mcp");
  expect(listed).not.toContain(token.slice("mcp-sheaf-".length));
});
