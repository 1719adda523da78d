import { afterAll, beforeAll, expect, test } from "vitest";
import { createBatch, json, readError, startTestServer, type TestServer } from "./testing/test-server.ts";

let server: TestServer;
let lenient: TestServer;
beforeAll(async () => {
  [server, lenient] = await Promise.all([startTestServer(), startTestServer({ lenient: true })]);
});
afterAll(() => Promise.all([server.close(), lenient.close()]));

const question = { role: "user", content: "Where is parcel 7?" };
const chat = { model: "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo", messages: [question] };
const called = (...ids: string[]) => ({
  role: "assistant",
  content: null,
  tool_calls: ids.map((id) => ({ id, type: "function", function: { name: "track", arguments: "{}" } })),
});
const result = (tool_call_id?: string) => ({ role: "tool", tool_call_id, content: "In Ghent." });
const tool = (name: string, more: object = {}) => ({ type: "function", function: { name, ...more } });
const strict = (parameters: object) => ({ tools: [tool("track", { strict: true, parameters })] });
const object = (properties: object, more: object = {}) => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
});
const text = { type: "string" };
const parameters = "tools[0].function.parameters";
const format = (schema: object, more: object = {}) => ({
  response_format: { type: "json_schema", json_schema: { name: "parcel", strict: true, schema, ...more } },
});

/** What the API refuses: the field that it names, and the change of a request that is taken. */
const refused: readonly [param: string, change: object][] = [
  // Strict schemas.
  [`${parameters}.additionalProperties`, strict(object({ id: text }, { additionalProperties: true }))],
  [`${parameters}.additionalProperties`, strict({ type: "object", properties: {} })],
  [`${parameters}.required`, strict(object({ id: text, city: text }, { required: ["id"] }))],
  [`${parameters}.properties.at.required`, strict(object({ at: object({ x: text }, { required: [] }) }))],
  [
    `${parameters}.properties.at.items.anyOf[1].required`,
    strict(object({ at: { type: "array", items: { anyOf: [text, object({ x: text }, { required: [] })] } } })),
  ],
  [
    `${parameters}.$defs.place.additionalProperties`,
    strict(object({ at: { $ref: "#/$defs/place" } }, { $defs: { place: { type: "object" } } })),
  ],
  ["response_format.json_schema.schema.required", format(object({ id: text }, { required: [] }))],
  ["response_format.json_schema.name", format(object({}), { name: "my parcel" })],
  // Messages of the role tool.
  ["messages[1].tool_call_id", { messages: [question, result("call_1")] }],
  ["messages[2].tool_call_id", { messages: [question, called("call_1"), result("call_2"), result("call_1")] }],
  ["messages[2].tool_call_id", { messages: [question, called("call_1"), result(), result("call_1")] }],
  ["messages[4].tool_call_id", { messages: [question, called("a"), result("a"), question, result("a")] }],
  ["messages[1].tool_calls", { messages: [question, called("call_1")] }],
  ["messages[1].tool_calls", { messages: [question, called("a", "b"), result("a"), question] }],
  // Names of tools.
  ["tools[1].function.name", { tools: [tool("track"), tool("track")] }],
  ["tools[0].function.name", { tools: [tool("track parcel")] }],
  ["tools[0].function.name", { tools: [tool("t".repeat(65))] }],
  ["tools[0].function.name", { tools: [tool("")] }],
  ["functions[1].name", { functions: [{ name: "track" }, { name: "track" }] }],
  // Ranges.
  ["logit_bias.50256", { logit_bias: { 50256: 101 } }],
  ["logit_bias.50256", { logit_bias: { 50256: "5" } }],
  ["logit_bias.hello", { logit_bias: { hello: 1 } }],
  ["logit_bias", { logit_bias: 5 }],
  ["metadata.parcel", { metadata: { parcel: 7 } }],
  ["metadata.parcel", { metadata: { parcel: "7".repeat(513) } }],
  ["metadata", { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`key ${at}`, ""])) }],
  ["reasoning_effort", { reasoning_effort: "huge" }],
  ["temperature", { temperature: 3 }],
  ["stream_options", { stream_options: { include_usage: true } }],
];

test("what the API refuses is refused with the field that is wrong, in a call and in a line of a batch", async () => {
  for (const [param, change] of refused) {
    const response = await server.request("/v1/chat/completions", json({ ...chat, ...change }));
    const error = await readError(response, 400);
    expect(error, JSON.stringify(change)).toMatchObject({ type: "invalid_request_error", param });
  }
  const lines = refused.map(([, change], at) =>
    JSON.stringify({ custom_id: `${at}`, method: "POST", url: "/v1/chat/completions", body: { ...chat, ...change } }),
  );
  const { status, problems } = await server.service.batches.settled(await createBatch(server, lines.join("\n")));
  expect(status).toBe("failed");
  expect(new Set(problems.map(({ line }) => line)).size).toBe(refused.length);
  for (const [at, [param]] of refused.entries()) {
    expect(problems).toContainEqual(
      expect.objectContaining({ code: "invalid_request", line: at + 1, param: `body.${param}` }),
    );
  }
});

test("--lenient answers all of it", async () => {
  for (const [, change] of refused) {
    const response = await lenient.request("/v1/chat/completions", json({ ...chat, ...change }));
    expect(response.status, `${JSON.stringify(change)} ${await response.text()}`).toBe(200);
  }
});

test("what the API takes is answered", async () => {
  const taken: object[] = [
    strict(object({ id: text, at: { anyOf: [object({ x: text }), { type: "null" }] } })),
    { tools: [tool("track", { parameters: { type: "object", properties: { id: text } } }), tool("track_2")] },
    format(object({ id: text })),
    { messages: [question, called("a", "b"), result("b"), result("a"), question] },
    { messages: [question, called("a"), result("a"), called("a"), result("a")] },
    { logit_bias: { 50256: -100 }, metadata: { parcel: "7" }, reasoning_effort: "minimal" },
    { logit_bias: null, metadata: null, reasoning_effort: null, stream_options: null },
    { stream: true, stream_options: { include_usage: true } },
  ];
  for (const change of taken) {
    const response = await server.request("/v1/chat/completions", json({ ...chat, ...change }));
    expect(response.status, `${JSON.stringify(change)} ${await response.text()}`).toBe(200);
  }
});
