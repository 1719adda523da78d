import { afterAll, beforeAll, expect, test } from "vitest";
import { batchSchema } from "#contract";
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
  const ofVendors: [path: string, body: object][] = [
    [
      "/v1/messages",
      {
        ...chat,
        max_tokens: 9,
        tools: [{ name: "track", input_schema: { type: "object" }, allowed_callers: ["code_execution_20260120"] }],
      },
    ],
    [
      `/v1beta/models/${encodeURIComponent(chat.model)}:generateContent`,
      {
        contents: [{ role: "user", parts: [{ text: "Hi" }] }],
        generationConfig: { thinkingConfig: { thinkingLevel: "high" } },
      },
    ],
  ];
  for (const [path, body] of ofVendors) {
    const response = await server.request(path, json(body));
    expect(response.status, await response.text()).toBe(200);
  }
  for (const change of taken) {
    const response = await server.request("/v1/chat/completions", json({ ...chat, ...change }));
    expect(response.status, `${JSON.stringify(change)} ${await response.text()}`).toBe(200);
  }
});

test("unknown fields and tools of the vendors' own services are no-ops with --lenient, and errors name the flag", async () => {
  const model = chat.model;
  const messages = [{ role: "user", content: "Hi" }];
  const anthropic = { model, max_tokens: 99, messages };
  const gemini = { contents: [{ role: "user", parts: [{ text: "Hi" }] }] };
  const generate = "/v1beta/models/m:generateContent";
  const own = { name: "track", input_schema: { type: "object" } };
  const cases: [path: string, body: object][] = [
    ["/v1/responses", { model, input: "Hi", tools: [{ type: "web_search" }], tool_choice: { type: "web_search" } }],
    ["/v1/responses", { model, input: "Hi", background: false, conversation: "c_1", include: ["new.kind"] }],
    ["/v1/responses", { model, input: [...messages, { type: "configuration_update", text: {} }] }],
    ["/v1/responses", { model, input: [...messages, { type: "web_search_call" }, { type: "additional_tools" }] }],
    ["/v1/chat/completions", { model, messages, tools: [{ type: "web_search" }] }],
    ["/v1/completions", { model, prompt: "Hi", newest: true }],
    ["/v1/embeddings", { model: "text-embedding-3-small", input: "Hi", newest: true }],
    ["/v1/moderations", { input: "Hi", newest: true }],
    ["/v1/messages", { ...anthropic, tools: [{ type: "web_search_20250305", name: "web_search" }, own] }],
    ["/v1/messages", { ...anthropic, messages: [...messages, { role: "system", content: [], effort: "high" }] }],
    ["/v1/messages", { ...anthropic, container: "c_1", context_management: { edits: [] }, mcp_servers: [] }],
    [
      "/v1/messages",
      { ...anthropic, messages: [{ role: "user", content: [{ type: "text", text: "Hi", newest: 1 }] }] },
    ],
    [generate, { ...gemini, tools: [{ googleSearch: {} }, { codeExecution: {} }] }],
    [generate, { ...gemini, cachedContent: "c", generationConfig: { newest: { at: 1 } } }],
  ];
  for (const [path, body] of cases) {
    const given = await lenient.request(path, json(body));
    expect(given.status, `${path} ${JSON.stringify(body)} ${await given.clone().text()}`).toBe(200);
    const strictly = await server.request(path, json(body));
    expect(strictly.status, path).toBe(400);
    expect(await strictly.text()).toContain("--lenient");
  }
  // Where the model is unknown, too, the first error still says what helps against it.
  const twice = { model: "gpt-99", input: "Hi", tools: [{ type: "web_search" }] };
  expect(await (await server.request("/v1/responses", json(twice))).text()).toContain("--lenient");
  // What no one can answer stays an error, and names no flag.
  const wrong = await server.request("/v1/messages", json({ ...anthropic, max_tokens: "many" }));
  expect(await wrong.text()).not.toContain("--lenient");
  const unknown = await server.request("/v1/chat/completions", json({ model: "gpt-9", messages }));
  expect(unknown.status).toBe(404);
  expect(await unknown.text()).toContain("--any-model");
});

test("a lenient answer names what was dropped of its request, and so does the log", async () => {
  const messages = [{ role: "user", content: [{ type: "text", text: "Hi", newest: 1 }] }];
  const anthropic = {
    model: "m",
    max_tokens: 9,
    messages,
    container: "c",
    tools: [{ type: "web_search_1", name: "w" }],
  };
  const gemini = { contents: [{ role: "user", parts: [{ text: "Hi" }] }], tools: [{ googleSearch: {} }] };
  const input = [{ role: "user", content: "Hi" }, { type: "web_search_call" }];
  const responses = { model: chat.model, input, include: ["new"], ["né\n"]: 1, tools: [{ type: "web_search" }] };
  const cases: [path: string, body: object, dropped: string | null][] = [
    ["/v1/chat/completions", chat, null],
    ["/v1/chat/completions", { ...chat, tools: [{ type: "web_search" }], stream: true }, "tools (web_search)"],
    ["/v1/responses", responses, "n%C3%A9%0A, include (new), tools (web_search), input (web_search_call)"],
    ["/v1/messages", anthropic, "tools (web_search_1), messages[0].content[0].newest, container"],
    ["/v1beta/models/m:generateContent", gemini, "tools[0].googleSearch"],
  ];
  for (const [path, body, dropped] of cases) {
    const response = await lenient.request(path, json(body));
    expect(response.status, await response.text()).toBe(200);
    expect(response.headers.get("x-sheaf-dropped"), path).toBe(dropped);
    const logged: unknown = await (await lenient.request("/sheaf/requests?limit=1")).json();
    if (dropped !== null)
      expect(logged).toMatchObject({ data: [{ response: { headers: { "x-sheaf-dropped": dropped } } }] });
  }
});

test("the errors of a batch name the flags that accept its lines", async () => {
  const tools = [{ type: "web_search" }];
  const bodies = [
    { ...chat, model: "nobody" },
    { ...chat, tools },
    { ...chat, messages: [] },
    { ...chat, model: "nobody", tools },
  ];
  const lines = bodies.map((body, at) => ({ custom_id: `${at}`, method: "POST", url: "/v1/chat/completions", body }));
  const id = await createBatch(server, lines.map((line) => JSON.stringify(line)).join("\n"));
  await server.service.batches.settled(id);
  const { errors } = batchSchema.parse(await (await server.request(`/v1/batches/${id}`)).json());
  const flags = errors?.data.map(({ line, code, message }) => [line, code, /--[a-z-]+/.exec(message)?.[0]]);
  expect(flags).toEqual([
    [1, "model_not_found", "--any-model"],
    [2, "invalid_request", "--lenient"],
    [3, "invalid_request", undefined],
    [4, "invalid_request", "--lenient"],
    [4, "model_not_found", "--any-model"],
  ]);
});
