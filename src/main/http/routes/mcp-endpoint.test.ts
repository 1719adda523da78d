import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verifyResultSchema } from "#contract";
import {
  callVerify,
  createManualVerifier,
  inCurrentRevision,
  mcpHeaders,
  readAnswer,
  readEvents,
} from "../testing/mcp-fixtures.ts";
import { apiKey, readError, startTestServer, type TestServer } from "../testing/test-server.ts";

const judge = createManualVerifier();
let server: TestServer;
let slow: TestServer;
beforeAll(async () => {
  server = await startTestServer({ hosts: ["mock.example"] });
  slow = await startTestServer({ change: (service) => ({ ...service, verifierFor: () => judge }) });
  for (const { service } of [server, slow]) await service.mcp.enable();
});
afterAll(async () => {
  for (const { close, faults } of [server, slow]) {
    expect(faults).toEqual([]);
    await close();
  }
});

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A request to the endpoint, with its token. */
async function send(to: TestServer, { headers = mcpHeaders, body }: Sent, init: RequestInit = {}): Promise<Response> {
  const authorization = `Bearer ${(await to.service.mcp.state()).token}`;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return await fetch(`${to.url}/v1/mcp`, {
    method: "POST",
    ...(text !== undefined && { body: text }),
    ...init,
    headers: { authorization, ...headers },
  });
}

const eras = [
  ["2025-11-25", (body: ReturnType<typeof callVerify>) => ({ headers: mcpHeaders, body })],
  ["2026-07-28", (body: ReturnType<typeof callVerify>) => inCurrentRevision(body)],
] as const;

describe("a call", () => {
  test.each(eras)(
    "of revision %s is answered without anything before it, as structure and as the same text",
    async (_revision, write) => {
      const response = await send(server, write(callVerify()));
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toContain("application/json");
      const answer = await readAnswer(response);
      if (!("result" in answer)) throw new Error(JSON.stringify(answer));
      expect(answer.id).toBe(1);
      const result = verifyResultSchema.strict().parse(answer.result.structuredContent);
      expect(result).toMatchObject({ prompt: "What is 2 + 2?", response: "2 + 2 = 5.", search_results: [] });
      expect(answer.result.content).toEqual([{ type: "text", text: JSON.stringify(result) }]);
    },
  );

  test("of verify_document is judged by the document", async () => {
    const texts = {
      prompt: "When was it built?",
      response: "It was built in 1931.",
      documentContent: "Built in 1925.",
    };
    const body = { ...callVerify(), params: { name: "verify_document", arguments: texts } };
    const answer = await readAnswer(await send(server, { body }));
    expect(answer).toMatchObject({ result: { structuredContent: { claims: [expect.anything()] } } });
    expect(JSON.stringify(answer)).not.toContain("isError");
  });

  test.each(eras)(
    "of revision %s whose client asks for progress is answered as a stream that tells it",
    async (_revision, write) => {
      const response = send(slow, write(callVerify({}, { _meta: { progressToken: "p-1" } })));
      const call = await judge.next();
      for (const done of [1, 1, 2]) call.progress(done, 2);
      call.finish("Done.");
      const arrived = await response;
      expect(arrived.headers.get("content-type")).toBe("text/event-stream");
      const progress = (percent: number, message: string) => ({
        jsonrpc: "2.0",
        method: "notifications/progress",
        params: expect.objectContaining({ progressToken: "p-1", progress: percent, total: 100, message }),
      });
      expect(await readEvents(arrived)).toEqual([
        progress(50, "Judged 1 of 2 claims"),
        progress(100, "Judged 2 of 2 claims"),
        expect.objectContaining({
          id: 1,
          result: expect.objectContaining({ structuredContent: expect.objectContaining({ explanation: "Done." }) }),
        }),
      ]);
    },
  );

  test.each(eras)("of revision %s ends when its client goes", async (_revision, write) => {
    for (const _meta of [{}, { progressToken: 1 }]) {
      const leaving = new AbortController();
      const response = send(slow, write(callVerify({}, { _meta })), { signal: leaving.signal });
      const { signal, progress } = await judge.next();
      const ended = new Promise((resolve) => signal.addEventListener("abort", resolve));
      progress(1, 2);
      leaving.abort();
      await expect(response.then((arrived) => arrived.text())).rejects.toThrow("aborted");
      await ended;
    }
  });

  test("of revision 2025-11-25 ends without an answer when its client cancels it", async () => {
    for (const [id, _meta] of [
      [7, {}],
      [8, { progressToken: 1 }],
    ] as const) {
      const response = send(slow, { body: callVerify({}, { id, _meta }) });
      const { signal } = await judge.next();
      const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } };
      expect((await send(slow, { body: cancel })).status).toBe(202);
      const arrived = await response;
      expect(arrived.status).toBeLessThan(300);
      expect(await arrived.text()).toBe("");
      expect(signal.aborted).toBe(true);
    }
  });

  test("goes on when it may be another client's that is cancelled", async () => {
    const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 9 } };
    const other = { ...mcpHeaders, "user-agent": "another" };
    const responses = [];
    const calls = [];
    for (let count = 0; count < 2; count++) {
      responses.push(send(slow, { body: callVerify({}, { id: 9 }) }));
      calls.push(await judge.next());
    }
    await send(slow, { body: cancel });
    await send(slow, { body: cancel, headers: other });
    for (const call of calls) call.finish("Done.");
    for (const response of responses) {
      expect(await readAnswer(await response)).toMatchObject({
        id: 9,
        result: { structuredContent: { explanation: "Done." } },
      });
    }
  });
});

describe("when the server closes,", () => {
  test("a call under way is answered, and one that listens for changes ends", async () => {
    const closing = await startTestServer({ change: (service) => ({ ...service, verifierFor: () => judge }) });
    await closing.service.mcp.enable();
    const listen = { jsonrpc: "2.0", id: 1, method: "subscriptions/listen", params: { notifications: {} } };
    const listening = await send(closing, inCurrentRevision(listen));
    expect(listening.headers.get("content-type")).toBe("text/event-stream");
    const answers = [];
    const calls = [];
    for (const [, write] of eras) {
      answers.push(send(closing, write(callVerify())));
      calls.push(await judge.next());
    }
    const closed = closing.close();
    expect(await listening.text()).toContain("subscriptions/acknowledged");
    for (const call of calls) call.finish("Done.");
    for (const answer of answers) expect(await (await answer).text()).toContain("Done.");
    await closed;
  });
});

test("a list of messages is answered with a list, also one of one", async () => {
  const answersTo = async (body: unknown) => (await send(server, { body: JSON.stringify(body) })).json();
  const { params: _, ...list } = { ...callVerify(), method: "tools/list" };
  expect(await answersTo([list])).toMatchObject([{ id: 1, result: { tools: expect.anything() } }]);
  expect(await answersTo([list, { ...list, id: 2 }])).toMatchObject([{ id: 1 }, { id: 2 }]);
  expect(await answersTo([{ jsonrpc: "2.0", method: "notifications/initialized" }, list])).toMatchObject([{ id: 1 }]);
});

describe("what is wrong with a message is said in its own protocol:", () => {
  test.each(eras)("an unknown tool, in revision %s", async (_revision, write) => {
    const body = { ...callVerify(), params: { name: "falsify", arguments: {} } };
    const answer = await readAnswer(await send(server, write(body as ReturnType<typeof callVerify>)));
    expect(answer).toMatchObject({ id: 1, error: { code: -32_602, message: expect.stringContaining("falsify") } });
  });

  test.each(eras)("an unknown method, in revision %s", async (revision, write) => {
    const response = await send(server, write({ ...callVerify(), method: "tools/forget" }));
    expect(response.status).toBe(revision === "2026-07-28" ? 404 : 200);
    expect(await readAnswer(response)).toMatchObject({ id: 1, error: { code: -32_601 } });
  });

  test.each([
    ["a missing prompt", { prompt: undefined }, "prompt"],
    ["a response that is no text", { response: 5 }, "response"],
    ["an argument that the tool does not have", { document: "A text." }, "document"],
    ["a text beyond the limit", { response: "x".repeat(4_000_001) }, "response"],
  ])("%s is a result for the model to read, not an error", async (_name, given, field) => {
    const answer = await readAnswer(await send(server, { body: callVerify(given) }));
    expect(answer).toMatchObject({ id: 1, result: { isError: true, content: [{ type: "text" }] } });
    expect(JSON.stringify(answer)).toContain(field);
    expect(JSON.stringify(answer).length).toBeLessThan(600);
  });

  test.each(["{not json", "", '{"a":1}}', "\u0000"])("what is not JSON: '%s'", async (body) => {
    const response = await send(server, { body });
    expect(response.status).toBe(400);
    expect(await readAnswer(response)).toMatchObject({ id: null, error: { code: -32_700 } });
  });

  test.each(["null", "5", '"text"', "[]", "{}", '{"__proto__":1}', '{"jsonrpc":"1.0","id":1,"method":"ping"}', "[5]"])(
    "JSON that is no message: %s",
    async (body) => {
      const response = await send(server, { body });
      expect(response.status).toBe(400);
      expect(await readAnswer(response)).toMatchObject({ error: { code: -32_600 } });
    },
  );

  test("a header that says something else than the message", async () => {
    const { headers, body } = inCurrentRevision(callVerify());
    const response = await send(server, { headers: { ...headers, "mcp-name": "verify_document" }, body });
    expect(response.status).toBe(400);
    expect(await readAnswer(response)).toMatchObject({ id: 1, error: { code: -32_020 } });
  });

  test("a revision that nobody knows, with those that are known", async () => {
    const { headers, body } = inCurrentRevision(callVerify());
    const unknown = { ...body.params._meta, "io.modelcontextprotocol/protocolVersion": "2099-01-01" };
    const response = await send(server, {
      headers: { ...headers, "mcp-protocol-version": "2099-01-01" },
      body: { ...body, params: { ...body.params, _meta: unknown } },
    });
    expect(response.status).toBe(400);
    expect(await readAnswer(response)).toMatchObject({
      id: 1,
      error: { code: -32_022, data: { supported: ["2026-07-28"], requested: "2099-01-01" } },
    });
  });

  test("a header that names a revision that nobody knows, on a message of an old one", async () => {
    const response = await send(server, {
      headers: { ...mcpHeaders, "mcp-protocol-version": "2020-01-01" },
      body: callVerify(),
    });
    expect(response.status).toBe(400);
    expect(await readAnswer(response)).toMatchObject({ error: { message: expect.stringContaining("2025-11-25") } });
  });
});

describe("what is wrong with the request around a message is an HTTP error:", () => {
  test.each([
    "application/json",
    "text/event-stream",
    "application/*",
    "*/*;q=0",
    "application/json, text/event-stream;q=0, */*",
    "text/html",
    "",
  ])("406 for 'accept: %s'", async (accept) => {
    const response = await send(server, { headers: { ...mcpHeaders, accept }, body: callVerify() });
    expect((await readError(response, 406)).message).toContain("Accept: application/json, text/event-stream");
  });

  test.each([
    "Text/Event-Stream;q=0.5 , application/json;charset=utf-8, */*",
    "*/*",
    "application/*, text/*",
    "application/json, */*;q=0.1",
  ])("none for both types in any order and dress: '%s'", async (accept) => {
    expect((await send(server, { headers: { ...mcpHeaders, accept }, body: callVerify() })).status).toBe(200);
  });

  test.each(["GET", "DELETE", "PUT", "PATCH", "OPTIONS"])("405 for %s, with what is allowed", async (method) => {
    const response = await send(server, { headers: { accept: "text/event-stream" } }, { method });
    expect((await readError(response, 405)).message).toContain(method);
    expect(response.headers.get("allow")).toBe("POST");
  });

  test.each(["https://evil.example", "http://localhost.evil.example", "null", "file://", "http://192.0.2.1", "x"])(
    "403 for a page of %s",
    async (origin) => {
      const response = await send(server, { headers: { ...mcpHeaders, origin }, body: callVerify() });
      expect((await readError(response, 403)).code).toBe("origin_not_allowed");
    },
  );

  test.each([
    "http://localhost:6274",
    "https://localhost",
    "http://127.0.0.1:3000",
    "http://[::1]:80",
    "http://app.localhost",
    "http://mock.example",
  ])("none for a page of %s", async (origin) => {
    expect((await send(server, { headers: { ...mcpHeaders, origin }, body: callVerify() })).status).toBe(200);
  });

  test("403 for another site's name that leads here", async () => {
    const { token } = await server.service.mcp.state();
    const headers = { ...mcpHeaders, host: "evil.example", authorization: `Bearer ${token}` };
    const status = await new Promise((resolve, reject) => {
      const request = httpRequest(`${server.url}/v1/mcp`, { method: "POST", headers, agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      request.on("error", reject).end("{}");
    });
    expect(status).toBe(403);
  });

  test("415 for another type than JSON", async () => {
    const response = await send(server, { headers: { ...mcpHeaders, "content-type": "text/plain" }, body: "{}" });
    await readError(response, 415);
  });

  test("413 for a body beyond the limit, which the message names", async () => {
    const response = await send(server, { body: callVerify({ response: "x".repeat(16_000_000) }) });
    expect((await readError(response, 413)).message).toContain("16 MB");
  });
});

describe("the token", () => {
  test.each(["", "Bearer", `Bearer ${apiKey}`, "Bearer mcp-sheaf-0123456789012345678901234567890123456789012"])(
    "is asked for before anything else: '%s' is not it",
    async (authorization) => {
      const response = await send(server, { headers: { authorization, accept: "*/*" }, body: "{not json" });
      await readError(response, 401);
      expect(response.headers.get("www-authenticate")).toMatch(
        /^Bearer error="invalid_token", error_description="[^"]*MCP token[^"]*"$/,
      );
    },
  );

  test.each([
    ["POST", "/register"],
    ["GET", "/v1/mcp/.well-known/openid-configuration"],
  ])("can't be had by OAuth, which %s %s says as OAuth has errors", async (method, path) => {
    const body = method === "POST" ? { headers: { "content-type": "application/json" }, body: "{}" } : {};
    const response = await fetch(server.url + path, { method, ...body });
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({
      error: "invalid_request",
      error_description: expect.stringContaining("send the MCP token"),
    });
  });

  test("is refused while the endpoint is disabled, which its holder is told", async () => {
    await server.service.mcp.disable();
    const refused = await send(server, { body: callVerify() });
    expect(await readError(refused, 401)).toMatchObject({
      code: "invalid_api_key",
      message: expect.stringContaining("disabled"),
    });
    await server.service.mcp.enable();
    expect((await send(server, { body: callVerify() })).status).toBe(200);
  });

  test("is refused once another one has been made", async () => {
    const { token } = await server.service.mcp.state();
    await server.service.mcp.rotate();
    const old = { ...mcpHeaders, authorization: `Bearer ${token}` };
    expect((await readError(await send(server, { headers: old, body: callVerify() }), 401)).message).not.toContain(
      String(token),
    );
    expect((await send(server, { body: callVerify() })).status).toBe(200);
  });
});

describe("the tools", () => {
  test.each(eras)("are listed in revision %s, with what a model needs to know of them", async (_revision, write) => {
    const { params: _, ...list } = { ...callVerify(), method: "tools/list" };
    const answer = await readAnswer(await send(server, write(list as ReturnType<typeof callVerify>)));
    const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
    const tool = (name: string, required: string[]) => ({
      name,
      title: expect.any(String),
      description: expect.stringContaining("not_checkable"),
      annotations,
      inputSchema: expect.objectContaining({ required }),
      outputSchema: expect.objectContaining({ required: expect.arrayContaining(["is_hallucination", "claims"]) }),
    });
    expect(answer).toMatchObject({
      result: {
        tools: [
          tool("verify", ["prompt", "response"]),
          tool("verify_document", ["prompt", "response", "documentContent"]),
        ],
      },
    });
  });

  test("introduce themselves to a client of an old revision, with the newest that it can speak", async () => {
    const initialize = (protocolVersion: string) => ({
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion, capabilities: {}, clientInfo: { name: "test", version: "1" } },
    });
    for (const [asked, agreed] of [
      ["2025-11-25", "2025-11-25"],
      ["2025-03-26", "2025-03-26"],
      ["1999-01-01", "2025-11-25"],
    ] as const) {
      const response = await send(server, { body: initialize(asked) });
      expect(response.headers.get("mcp-session-id")).toBeNull();
      expect(await readAnswer(response)).toMatchObject({
        result: {
          protocolVersion: agreed,
          capabilities: { tools: {} },
          serverInfo: { name: "sheaf" },
          instructions: expect.any(String),
        },
      });
    }
  });

  test("take note of what is only told to them", async () => {
    const response = await send(server, { body: { jsonrpc: "2.0", method: "notifications/initialized" } });
    expect([response.status, await response.text()]).toEqual([202, ""]);
  });
});

describe("what clients send in their own ways", () => {
  const initialize = (params: object) => ({ jsonrpc: "2.0", id: 1, method: "initialize", params });
  const legacy = (body: object) => send(server, { headers: mcpHeaders, body });

  test("null is an argument that is absent", async () => {
    const answer = await readAnswer(await legacy(callVerify({ strict: null })));
    expect(answer).toMatchObject({ result: { structuredContent: { is_hallucination: expect.any(Boolean) } } });
    const missing = await readAnswer(await legacy(callVerify({ response: null })));
    expect(missing).toMatchObject({ result: { isError: true } });
    const none = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "verify", arguments: null } };
    expect(await readAnswer(await legacy(none))).toMatchObject({ result: { isError: true } });
  });

  test("a text in place of the arguments is an error for the model to read", async () => {
    const params = { name: "verify", arguments: '{"prompt":"Why?"}' };
    const call = { jsonrpc: "2.0" as const, id: 1, method: "tools/call", params };
    for (const sent of [{ headers: mcpHeaders, body: call }, inCurrentRevision(call)]) {
      const response = await send(server, sent);
      expect(response.status).toBe(200);
      expect(await readAnswer(response)).toMatchObject({
        id: 1,
        result: { isError: true, content: [{ text: expect.stringContaining("Send it as a JSON object") }] },
      });
    }
  });

  test("a client need not say who it is", async () => {
    const params = { protocolVersion: "2025-11-25", capabilities: {} };
    const incomplete = [null, {}, { name: "test" }, { name: null, version: "1" }].map((clientInfo) => ({ clientInfo }));
    for (const more of [{}, ...incomplete]) {
      const answer = await readAnswer(await legacy(initialize({ ...params, ...more })));
      expect(answer).toMatchObject({ result: { serverInfo: { name: "sheaf" } } });
    }
  });

  test("wrong parameters of the protocol are -32602, with one sentence", async () => {
    for (const body of [
      initialize({ capabilities: {} }),
      { jsonrpc: "2.0", id: 2, method: "resources/read", params: {} },
      { jsonrpc: "2.0", id: 3, method: "prompts/get", params: { name: 5 } },
    ]) {
      const answer = await readAnswer(await legacy(body));
      if (!("error" in answer)) throw new Error(JSON.stringify(answer));
      expect(answer.error.code).toBe(-32_602);
      expect(answer.error.message).not.toMatch(/[[{]/);
      // A list of messages has a list of answers.
      const list: unknown = await (await legacy([body])).json();
      expect(list).toEqual([answer]);
    }
  });
});
