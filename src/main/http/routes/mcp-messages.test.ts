import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { errorBodySchema, mcpAnswerSchema } from "#contract";
import { callVerify, inCurrentRevision, mcpHeaders } from "../testing/mcp-fixtures.ts";
import { apiKey, startTestServer, type TestServer } from "../testing/test-server.ts";

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.service.mcp.enable();
});
afterAll(async () => {
  expect(server.faults).toEqual([]);
  await server.close();
});

const answersSchema = z.union([mcpAnswerSchema, z.array(mcpAnswerSchema), errorBodySchema.strict()]);

/** It is an answer of JSON-RPC, or an error of the service, of the caller's making; and no secret is in it. */
async function expectOrderly(body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}): Promise<void> {
  const response = await fetch(`${server.url}/v1/mcp`, {
    method: "POST",
    headers: { ...mcpHeaders, ...headers, authorization: `Bearer ${token}` },
    body: typeof body === "string" ? body : Buffer.from(body),
  });
  const text = await response.text();
  expect(response.status, text).toBeLessThan(500);
  for (const secret of [token, apiKey, process.cwd(), "node_modules", ".ts:"]) expect(text).not.toContain(secret);
  if (response.status === 202) {
    expect(text).toBe("");
    return;
  }
  const type = response.headers.get("content-type") ?? "";
  if (!type.startsWith("text/event-stream")) {
    answersSchema.parse(JSON.parse(text));
    return;
  }
  const data = text.split("\n").filter((line) => line.startsWith("data: "));
  for (const line of data) expect(JSON.parse(line.slice(6))).toMatchObject({ jsonrpc: "2.0" });
}

const anyValue = fc.oneof(fc.jsonValue(), fc.constantFrom("", "x".repeat(5_000), "\u0000", "😀\u202e", -1, 1e300));
const nearly = <T>(right: T) =>
  fc.oneof({ arbitrary: fc.constant(right), weight: 3 }, { arbitrary: anyValue, weight: 1 });
const right = callVerify();

const anyMessage = fc.record(
  {
    jsonrpc: nearly("2.0"),
    id: nearly(1),
    method: fc.oneof(
      fc.constantFrom("tools/call", "tools/list", "initialize", "ping", "server/discover", "logging/setLevel"),
      fc.constantFrom("notifications/cancelled", "notifications/initialized", "prompts/get", "resources/read"),
      anyValue,
    ),
    params: nearly(right.params).chain((params) =>
      fc.record(
        {
          name: nearly("verify"),
          arguments: fc.oneof(anyValue, fc.record({ prompt: nearly("What?"), response: nearly("So.") })),
          uri: nearly("sheaf://verdicts"),
          requestId: nearly(1),
          _meta: fc.oneof(anyValue, fc.record({ progressToken: nearly(1) })),
          more: fc.constant(params),
        },
        { requiredKeys: [] },
      ),
    ),
  },
  { requiredKeys: [] },
);

test("no message at all gets a 500, or an answer of another shape", async () => {
  const body = fc.oneof(
    anyMessage.map((message) => JSON.stringify(message)),
    fc.array(anyMessage, { maxLength: 4 }).map((messages) => JSON.stringify(messages)),
    fc.json(),
    fc.string({ unit: "binary", maxLength: 100 }).map((text) => text.toWellFormed()),
    fc.uint8Array({ maxLength: 100 }),
  );
  await fc.assert(
    fc.asyncProperty(body, (text) => expectOrderly(text)),
    { numRuns: 100 },
  );
});

test("no message of the current revision gets one, whatever its envelope and headers say", async () => {
  const { headers, body } = inCurrentRevision(right);
  const key = fc.constantFrom(...Object.keys(body.params._meta), "progressToken");
  const envelope = fc.dictionary(key, anyValue);
  const value = fc.string({ unit: fc.constantFrom(..."abc019-=?,;:/*\"'(){} \t"), maxLength: 40 });
  const names = fc.constantFrom("mcp-protocol-version", "mcp-method", "mcp-name", "mcp-session-id", "mcp-param-a");
  await fc.assert(
    fc.asyncProperty(envelope, fc.dictionary(names, value), async (given, more) => {
      const params = { ...body.params, _meta: { ...body.params._meta, ...given } };
      await expectOrderly(JSON.stringify({ ...body, params }), { ...headers, ...more });
    }),
    { numRuns: 60 },
  );
});

test.each([
  ["lists", 200_000, "[", "]"],
  ["objects", 200_000, '{"a":', "}"],
])("no message of %s in each other gets one, however deep", async (_name, depth, open, close) => {
  const deep = `${open.repeat(depth)}1${close.repeat(depth)}`;
  await expectOrderly(deep);
  await expectOrderly(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${deep}}`);
  await expectOrderly(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"verify","arguments":${deep}}}`);
});

test("texts of the greatest length are taken", async () => {
  const longest = "So. ".repeat(1_000_000);
  await expectOrderly(JSON.stringify(callVerify({ prompt: longest, response: longest })));
});
