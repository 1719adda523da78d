import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ChatCompletionChunk, chatCompletionChunkSchema, chatCompletionSchema } from "#contract";
import { readAnswer } from "#main/answers";
import { createManualClock, createSystemClock } from "#main/base";
import { loadConfigReader } from "#main/storage";
import { createRandomIds } from "../../base/ids.ts";
import { json, readError, startTestServer, type TestServer } from "../../http/testing/test-server.ts";
import { createModelCatalog } from "../../requests/model-catalog.ts";
import { createMockEngine } from "../mock/mock-engine.ts";
import { createFixedRules, parseRules } from "./rules-source.ts";
import { createScopedRules } from "./scoped-rules.ts";
import { createScriptedEngine } from "./scripted-engine.ts";
import { loadTemplates } from "./templates.ts";

beforeAll(loadConfigReader);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const model = "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo";
const user = (content: unknown) => ({ role: "user", content });

/** A scope with these rules; what matches none of them is an error. */
async function openScope(name: string, rules: readonly object[]) {
  const headers = { "x-sheaf-scope": name, "content-type": "application/json" };
  const set = await server.request("/sheaf/rules", {
    method: "PUT",
    headers,
    body: JSON.stringify({ fallback: "error", rules }),
  });
  expect(set.status, await set.clone().text()).toBe(200);
  const send = (body: object, more: object = {}, path = "/v1/chat/completions") =>
    server.request(path, {
      method: "POST",
      headers: { ...headers, ...more },
      body: JSON.stringify({ model, ...body }),
    });
  return {
    send,
    /** The text of the answer; the status of an error. */
    async ask(body: object, more: object = {}): Promise<string | number> {
      const response = await send(body, more);
      if (response.status !== 200) return response.status;
      return chatCompletionSchema.parse(await response.json()).choices[0]?.message.content ?? "";
    },
    async explain(body: object, more: object = {}): Promise<string> {
      return (await readError(await send(body, more), 404)).message;
    },
  };
}

const call = (id: string, name: string) => ({ id, type: "function", function: { name, arguments: "{}" } });
const result = (tool_call_id: string, content: string) => ({ role: "tool", tool_call_id, content });
const called = (...calls: object[]) => ({ role: "assistant", content: null, tool_calls: calls });

test("rules match the system message, the turn, a tool and its result, headers and the format of the answer", async () => {
  const { ask } = await openScope("conditions", [
    { match: { system_message: { contains: "pirate" } }, reply: { text: "system" } },
    { match: { tool_name: "track", tool_result: { contains: "lost" } }, reply: { text: "lost" } },
    { match: { tool_name: "track" }, reply: { text: "tracked" } },
    { match: { tool_result: "42" }, reply: { text: "result" } },
    { match: { headers: { "X-Tenant": "acme" } }, reply: { text: "header" } },
    { match: { schema_name: "parcel" }, reply: { text: "schema" } },
    { match: { response_format: "json_object" }, reply: { text: "format" } },
    { match: { turn: [2, 3] }, reply: { text: "turn" } },
  ]);
  const track = call("a", "track");
  const weigh = call("b", "weigh");
  const asked = [user("Where is it?"), called(track, weigh)];
  expect(await ask({ messages: [{ role: "developer", content: "Talk like a pirate." }, user("Hi")] })).toBe("system");
  expect(await ask({ messages: [...asked, result("b", "2 kg"), result("a", "It is lost.")] })).toBe("lost");
  expect(await ask({ messages: [...asked, result("a", "In Ghent."), result("b", "It is lost.")] })).toBe("tracked");
  expect(await ask({ messages: [user("Why?"), called(weigh), result("b", "42")] })).toBe("result");
  expect(await ask({ messages: [user("Hi")] }, { "x-tenant": "acme" })).toBe("header");
  expect(await ask({ messages: [user("Hi")] }, { "x-tenant": "other" })).toBe(404);
  const json_schema = { name: "parcel", schema: { type: "object" } };
  expect(await ask({ messages: [user("Hi")], response_format: { type: "json_schema", json_schema } })).toBe("schema");
  expect(await ask({ messages: [user("Hi")], response_format: { type: "json_object" } })).toBe("format");
  const said = { role: "assistant", content: "Yes?" };
  expect(await ask({ messages: [user("Hi"), said, user("Where?")] })).toBe("turn");
  // A result that the conversation has moved on from is none.
  expect(
    await ask({
      messages: [...asked, result("a", "lost"), result("b", "1"), said, user("1"), said, user("2"), said, user("3")],
    }),
  ).toBe(404);
});

test("rules match the endpoint, whatever its dialect", async () => {
  const { send } = await openScope("endpoints", [
    { match: { endpoint: "/v1/messages" }, reply: { text: "messages" } },
    { match: { endpoint: "/v1/responses" }, reply: { text: "responses" } },
    { match: { endpoint: { contains: "/v1/chat" } }, reply: { text: "chat" } },
  ]);
  const messages = [user("Hi")];
  expect(await (await send({ messages })).text()).toContain('"chat"');
  expect(await (await send({ messages, max_tokens: 9 }, {}, "/v1/messages")).text()).toContain('"messages"');
  expect(await (await send({ input: "Hi" }, {}, "/v1/responses")).text()).toContain('"responses"');
});

test("a rule with times answers so often, and then the rules after it", async () => {
  const { ask } = await openScope("times", [
    { match: { last_user_message: "Hi" }, times: 2, reply: { error: { status: 503 } } },
    { match: { last_user_message: "Hi" }, times: 1, replies: [{ text: "Hello." }, { text: "never" }] },
    { reply: { text: "Hello again." } },
  ]);
  const answers: unknown[] = [];
  for (const text of ["Hi", "Bye", "Hi", "Hi", "Hi"]) answers.push(await ask({ messages: [user(text)] }));
  expect(answers).toEqual([503, "Hello again.", 503, "Hello.", "Hello again."]);
});

test("templates answer from the request: texts, values of JSON, arguments, pieces and errors", async () => {
  const echo = "You said: {{ request.messages.last.content }}";
  const { ask, send } = await openScope("templates", [
    {
      match: { last_user_message: "json" },
      reply: {
        template: true,
        json: { model: "{{ request.model }}", n: 1, list: ["{{ headers.x-tenant | upcase }}"] },
      },
    },
    {
      match: { last_user_message: "tool" },
      reply: { template: true, tool_calls: [{ name: "track", arguments: { id: "{{ request.messages.size }}" } }] },
    },
    {
      match: { last_user_message: "stream" },
      reply: { template: true, stream: ["Turn ", "{{ request.messages.size }}"] },
    },
    {
      match: { last_user_message: "error" },
      reply: { template: true, error: { status: 422, message: "No {{ endpoint }}" } },
    },
    { match: { last_user_message: "plain" }, reply: { text: echo } },
    { reply: { template: true, text: echo } },
  ]);
  const messages = (text: unknown) => ({ messages: [user(text)] });
  expect(await ask(messages("json"), { "x-tenant": "acme" })).toBe(JSON.stringify({ model, n: 1, list: ["ACME"] }));
  expect(await (await send(messages("tool"))).text()).toContain('"arguments":"{\\"id\\":\\"1\\"}"');
  expect(await ask(messages("stream"))).toBe("Turn 1");
  expect((await readError(await send(messages("error")), 422)).message).toBe("No /v1/chat/completions");
  expect(await ask(messages("plain"))).toBe(echo);
  expect(await ask(messages("Hi {{ 1 }}"))).toBe("You said: Hi {{ 1 }}");
  expect(await ask(messages([{ type: "text", text: "in parts" }]))).toBe("You said: in parts");
});

test("a template sees own properties and no key, and is stopped at its steps and at 1 MB", async () => {
  const failing = [
    "{{ request.constructor.name }}",
    "{{ request.messages.toString }}",
    "{{ request.nothing }}",
    "{{ headers.authorization }}",
    "{% for i in (1..100000000) %}x{% endfor %}",
    "{% for i in (1..9999) %}{% for j in (1..9999) %}{% endfor %}{% endfor %}",
    "{% assign a = 'xxxxxxxxxx' %}{% for i in (1..30) %}{% assign a = a | append: a %}{% endfor %}{{ a }}",
    "{% assign a = 'xxxxxxxxxx' %}{% for i in (1..14) %}{% assign a = a | append: a %}{% endfor %}{% for i in (1..20000) %}{% if a contains 'xy' %}{% endif %}{% endfor %}",
  ];
  const { send } = await openScope("hostile", [
    ...failing.map((text, at) => ({ match: { last_user_message: `${at}` }, reply: { template: true, text } })),
  ]);
  for (const [at, template] of failing.entries()) {
    const error = await readError(await send({ messages: [user(`${at}`)] }), 500);
    expect(error, template).toMatchObject({ code: "template_failed" });
  }
  const broken = {
    rules: [
      { reply: { template: true, text: "{{ request.messages" } },
      { reply: { template: true, text: "{% include 'a' %}" } },
    ],
  };
  const refused = await readError(await server.request("/sheaf/rules", { ...json(broken), method: "PUT" }), 400);
  expect(refused.message).toContain("has a template in text that can't be read");
});

test("a stream has the given pieces, each after its pause, in the time of the clock", async () => {
  const clock = createManualClock();
  const ids = createRandomIds();
  const rules = [
    {
      match: { last_user_message: "pieces" },
      reply: { stream: ["One", { text: " two", pause_ms: 500 }, { pause_ms: 250 }, " three"] },
    },
    { match: { last_user_message: "even" }, reply: { text: "a b", pause_ms: 100 } },
  ];
  const engine = createScriptedEngine({
    rules: createScopedRules(createFixedRules({ rules })),
    engine: createMockEngine({
      pace: "instant",
      seed: 1,
      clock: createSystemClock(),
      ids,
      catalog: createModelCatalog("standard"),
    }),
    clock,
    ids,
  });
  const toCall = (content: string) => ({
    request: { model, messages: [{ role: "user" as const, content }] },
    requestId: "r",
    line: null,
    signal: new AbortController().signal,
  });
  async function collect(content: string): Promise<[at: number, delta: unknown][]> {
    const began = clock.now();
    const stream = await engine.stream(toCall(content));
    const found: [number, unknown][] = [];
    const reading = (async () => {
      if (!("chunks" in stream)) throw new Error("no stream");
      for await (const chunk of stream.chunks) {
        const [choice]: ChatCompletionChunk["choices"] = chatCompletionChunkSchema.parse(chunk).choices;
        found.push([clock.now() - began, choice?.finish_reason ?? choice?.delta.content]);
      }
    })();
    await clock.advance(2_000);
    await reading;
    return found;
  }
  expect(await collect("pieces")).toEqual([
    [0, ""],
    [0, "One"],
    [500, " two"],
    [750, ""],
    [750, " three"],
    [750, "stop"],
  ]);
  expect(await collect("even")).toEqual([
    [0, ""],
    [100, "a"],
    [200, " b"],
    [300, "stop"],
  ]);

  const began = clock.now();
  const whole = Promise.resolve(engine.complete(toCall("pieces")));
  await clock.advance(2_000);
  const { body } = await whole;
  expect(readAnswer(body).answer).toBe("One two three");
  expect(clock.now()).toBeGreaterThanOrEqual(began + 750);
});

test("a miss names the nearest rule and what differs", async () => {
  const { explain, ask } = await openScope("misses", [
    {
      name: "invoice",
      match: { last_user_message: { contains: "invoice" }, system_message: "Be brief." },
      reply: { text: "a" },
    },
    { match: { model: "other", turn: 2, headers: { "x-tenant": "acme" } }, reply: { text: "b" } },
    { name: "twice", match: { last_user_message: "Twice" }, times: 1, reply: { text: "c" } },
  ]);
  expect(await explain({ messages: [user("My invoice")] })).toBe(
    `No rule of the rules matches this request for the model '${model}'. The nearest is rule 1 ('invoice'), but system_message is missing, not 'Be brief.'.`,
  );
  await ask({ messages: [user("Twice")] });
  expect(await explain({ messages: [user("Twice")] })).toContain(
    "rule 3 ('twice'), but it has answered once, as often as it may.",
  );
  const tool = await openScope("tool-misses", [
    { match: { tool_name: "track", tool_result: "ok" }, reply: { text: "a" } },
  ]);
  expect(await tool.explain({ messages: [user("x"), called(call("a", "weigh")), result("a", "2 kg")] })).toContain(
    "the request ends with the results of weigh ('2 kg'), not with tool_name 'track' and tool_result 'ok'",
  );
  const none = await openScope("no-rules", []);
  expect(await none.explain({ messages: [user("x")] })).not.toContain("nearest");
});

/** For each sample of the page: calls in their order, and the text or the status that each gets. */
const samples: readonly (readonly [body: object, answer: string | number, headers?: Record<string, string>][])[] = [
  [
    [{ messages: [user("My invoice")] }, '{"category":"billing","urgent":false}'],
    [{ messages: [user("Are you busy?")] }, 429],
    [{ messages: [user("Are you busy?")] }, "Second try, and it worked."],
  ],
  [
    [
      { messages: [user("Where?"), called(call("a", "find_order")), result("a", "It is lost.")] },
      "I am sorry, your parcel is lost.",
    ],
    [{ messages: [{ role: "system", content: "Be a pirate." }, user("Hi")] }, "Ahoy, matey!", { "x-tenant": "acme" }],
  ],
  [
    [{ messages: [user("Are you there?")] }, 503],
    [{ messages: [user("Are you there?")] }, 503],
    [{ messages: [user("Are you there?")] }, "I am here."],
  ],
  [[{ messages: [user("Tell me slowly.")] }, "Once upon a time there was a printer."]],
  [
    [{ messages: [user("My order?")] }, "You asked: My order?"],
    [{ messages: [user("A summary of this long text")] }, '{"title":"A summary of this...","tenant":"none"}'],
  ],
];

test("every sample of the page about rules answers as it says", async () => {
  const page = await readFile(new URL("../../../../docs/scripted-rules.md", import.meta.url), "utf8");
  const texts = Array.from(page.matchAll(/^```yaml\n(.*?)^```$/gms), ([, text = ""]) => text);
  expect(texts).toHaveLength(samples.length);
  await loadTemplates();
  for (const [at, text] of texts.entries()) {
    const { ask } = await openScope(
      `sample-${at}`,
      parseRules(text.replaceAll("pause_ms: 2000", "pause_ms: 1"), "sample.yaml").rules,
    );
    for (const [body, answer, headers] of samples[at] ?? []) expect(await ask(body, headers), text).toBe(answer);
  }
});
