import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import OpenAI from "openai";
import { type RequestWhere, type RuleFunction, type Sheaf, type SheafOptions, startSheaf } from "sheaf/testing";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";

const model = "deepseek-ai/DeepSeek-R1";

async function start(options: SheafOptions = {}): Promise<Sheaf> {
  const sheaf = await startSheaf(options);
  onTestFinished(() => sheaf[Symbol.asyncDispose]());
  return sheaf;
}

function connect({ baseURL, apiKey }: Sheaf): OpenAI {
  return new OpenAI({ baseURL, apiKey, maxRetries: 0 });
}

function ask(client: OpenAI, content: string) {
  return client.chat.completions.create({ model, messages: [{ role: "user", content }] });
}

test("two services in one process know nothing of one another", async () => {
  const one = await start();
  const other = await start({ dialect: "openai" });
  expect(one.url).not.toBe(other.url);
  expect(one.apiKey).not.toBe(other.apiKey);
  const file = { file: new File(["{}"], "a.jsonl"), purpose: "batch" } as const;
  expect((await connect(one).files.create(file)).created_at).toBeTypeOf("string");
  expect((await connect(other).files.create(file)).created_at).toBeTypeOf("number");
  expect((await connect(one).files.list()).data).toHaveLength(1);
  const stranger = new OpenAI({ baseURL: one.baseURL, apiKey: other.apiKey, maxRetries: 0 });
  await expect(stranger.models.list()).rejects.toMatchObject({ status: 401 });
});

test("any model is answered, unless anyModel is false", async () => {
  const client = connect(await start());
  const { output_text: text } = await client.responses.create({ model: "gpt-5-mini", input: "Why?" });
  expect(text).toContain("Why?");
  const named = { model: "gpt-4o", messages: [{ role: "user" as const, content: "Why?" }] };
  await expect(connect(await start({ anyModel: false })).chat.completions.create(named)).rejects.toMatchObject({
    code: "model_not_found",
  });
});

test("rules say what is answered, and can be replaced and cleared", async () => {
  const sheaf = await start({ rules: { rules: [{ reply: { text: "First." } }] } });
  const client = connect(sheaf);
  const say = async () => (await ask(client, "Hello")).choices[0]?.message.content;
  expect(await say()).toBe("First.");
  await sheaf.rules.set({ rules: [{ match: { last_user_message: "Hello" }, reply: { text: "Second." } }] });
  expect(await say()).toBe("Second.");
  await sheaf.rules.clear();
  expect(await say()).not.toBe("Second.");
  await expect(sheaf.rules.set(JSON.parse('{"rules":[{"reply":{"txt":1}}]}'))).rejects.toThrow("txt");
});

test("a rule can be a function of the request, which the rules after it may leave unanswered", async () => {
  const countWords: RuleFunction = ({ messages }, { endpoint, headers }) => {
    const text = String(messages.at(-1)?.content);
    if (text === "throw") throw new Error("no such order");
    if (text === "wrong") return JSON.parse('{"txt":1}');
    if (headers.authorization !== undefined) return { text: "a key" };
    return text.startsWith("Count") ? { text: `${text.split(" ").length} words at ${endpoint}` } : null;
  };
  const rules = { rules: [{ match: { last_user_message: "Hello" }, reply: { text: "Hi." } }, countWords] };
  const sheaf = await start({ rules });
  const client = connect(sheaf);
  const say = async (content: string) => (await ask(client, content)).choices[0]?.message.content;
  expect(await say("Count these words")).toBe("3 words at /v1/chat/completions");
  expect((await client.responses.create({ model, input: "Count me" })).output_text).toBe("2 words at /v1/responses");
  expect(await say("Hello")).toBe("Hi.");
  expect(await say("Something else")).toContain("Something else");
  await expect(say("throw")).rejects.toThrow(
    "The rule (the function countWords) can't answer: it threw Error: no such",
  );
  await expect(say("wrong")).rejects.toThrow("txt");
  expect((await sheaf.requests())[2]?.rule).toBeNull();
  expect((await sheaf.requests())[3]?.rule).toEqual({ index: 0, name: null });
  expect((await sheaf.requests())[5]?.rule).toEqual({ index: 1, name: "the function countWords" });

  const headers = { authorization: `Bearer ${sheaf.apiKey}`, "content-type": "application/json" };
  const listed = await (await fetch(`${sheaf.url}/sheaf/rules`, { headers })).text();
  expect(JSON.parse(listed).rules[1]).toEqual({ name: "the function countWords", function: true });
  const sent = await fetch(`${sheaf.url}/sheaf/rules`, { method: "PUT", headers, body: listed });
  expect(sent.status).toBe(400);
  expect(await sent.text()).toContain("A rule that is a function can't be sent");
  await sheaf.rules.set({ rules: [() => ({ chunks: [] })] });
  await expect(say("Who?")).rejects.toThrow("doesn't fit this call");

  const scope = sheaf.scope();
  const other = new OpenAI({ baseURL: scope.baseURL, apiKey: scope.apiKey, maxRetries: 0 });
  await scope.rules.set({ rules: [() => ({ text: "Scoped." })], fallback: "error" });
  expect((await ask(other, "Who?")).choices[0]?.message.content).toBe("Scoped.");
  await scope.rules.set({ rules: [() => null], fallback: "error" });
  await expect(ask(other, "Who?")).rejects.toThrow("The nearest is rule 1 ('a function'), but it returned nothing");
});

test("reset leaves nothing of what a test did", async () => {
  const sheaf = await start();
  await sheaf.rules.set({ rules: [{ reply: { text: "Mine." } }] });
  sheaf.faults.set({ latency_ms: 1 });
  await connect(sheaf).files.create({ file: new File(["{}"], "a.jsonl"), purpose: "batch" });
  await sheaf.reset();
  expect(await sheaf.requests()).toEqual([]);
  expect(sheaf.faults.settings.latency_ms).toBe(0);
  expect((await connect(sheaf).files.list()).data).toEqual([]);
  expect((await ask(connect(sheaf), "Who?")).choices[0]?.message.content).not.toBe("Mine.");
});

test("faults make it misbehave until they are cleared", async () => {
  const sheaf = await start({ faults: { failure_rate: 1, statuses: [503] } });
  const client = connect(sheaf);
  await expect(ask(client, "Hello")).rejects.toMatchObject({ status: 503 });
  sheaf.faults.set({ rate_limit_rate: 1 });
  await expect(ask(client, "Hello")).rejects.toMatchObject({ status: 429 });
  expect(sheaf.faults.settings).toMatchObject({ failure_rate: 0, rate_limit_rate: 1 });
  sheaf.faults.clear();
  await expect(ask(client, "Hello")).resolves.toBeDefined();
  sheaf.faults.add([{ target: "models", first: 1, status: 500 }]);
  const list = async () => (await client.models.list()).data;
  await expect(list()).rejects.toMatchObject({ status: 500 });
  expect(sheaf.faults.settings.counts).toMatchObject([{ target: "models", left: 0 }]);
  await list();
  const scope = sheaf.scope();
  await scope.faults.add([{ target: "chat", first: 1 }]);
  expect((await scope.faults.read()).counts).toMatchObject([{ status: 503, left: 1 }]);
  expect(() => sheaf.faults.add(JSON.parse('[{"target":"lines","first":1}]'))).toThrow("target");
});

test("it sends signed webhooks to an address of this machine", async () => {
  const received: { headers: Headers; body: string }[] = [];
  const receiver = createServer(async (request, response) => {
    received.push({ headers: new Headers(request.headers as Record<string, string>), body: await text(request) });
    response.end();
  }).listen(0);
  onTestFinished(() => void receiver.close());
  const address = z.object({ port: z.number() }).parse(receiver.address());
  const sheaf = await start({ webhooks: `http://localhost:${address.port}` });
  const client = new OpenAI({ ...sheaf, webhookSecret: sheaf.webhookSecret, maxRetries: 0 });
  const line = { custom_id: "a", method: "POST", url: "/v1/chat/completions", body: { model, messages: [] } };
  const file = new File([JSON.stringify(line)], "a.jsonl");
  const { id: input_file_id } = await client.files.create({ file, purpose: "batch" });
  const window = { endpoint: "/v1/chat/completions", completion_window: "24h" } as const;
  const { id } = await client.batches.create({ input_file_id, ...window });
  await expect.poll(() => received.length).toBe(1);
  const [{ headers, body } = { headers: new Headers(), body: "" }] = received;
  expect(await client.webhooks.unwrap(body, headers)).toMatchObject({
    type: expect.stringMatching(/^batch\./),
    data: { id },
  });
  await expect(startSheaf({ webhooks: "http://example.com" })).rejects.toThrow("an http address of this machine");
  await expect(startSheaf({ webhooks: sheaf.url, webhookSecret: "" })).rejects.toThrow("webhookSecret is empty");
  await expect(startSheaf({ webhookSecret: "s" })).rejects.toThrow("webhookSecret is for webhooks");
  expect((await start()).webhookSecret).toBeNull();
});

test("its clock is turned forward", async () => {
  const sheaf = await start({ clock: { speed: 0, start: Date.UTC(2030, 0, 1) } });
  await sheaf.clock.advance("1h30m");
  expect(sheaf.clock.now()).toBe(Date.UTC(2030, 0, 1, 1, 30));
  await expect(sheaf.clock.advance("soon")).rejects.toThrow("Expected a duration");
});

test("it shows what it was asked", async () => {
  const sheaf = await start();
  await ask(connect(sheaf), "Hello");
  await expect(connect(sheaf).batches.retrieve("batch_none")).rejects.toThrow();
  expect(await sheaf.requests()).toHaveLength(2);
  expect(await sheaf.requests({ path: "/v1/chat", status: 200 })).toMatchObject([
    { method: "POST", body: { model }, headers: { authorization: "***" } },
  ]);
});

test("requests are found by the conditions of a rule, in each vendor's dialect, or by a function", async () => {
  const sheaf = await start();
  const client = connect(sheaf);
  await ask(client, "Where is my refund?");
  await client.responses.create({ model: "gpt-4o", input: "A refund, please." });
  await client.embeddings.create({ model: "embed", input: "refund" });
  const headers = { "content-type": "application/json", authorization: `Bearer ${sheaf.apiKey}`, "x-tenant": "one" };
  const send = (path: string, body: object) =>
    fetch(sheaf.url + path, { method: "POST", headers, body: JSON.stringify(body) }).then((answer) => answer.text());
  const messages = [{ role: "user", content: "refund" }];
  await send("/v1/messages", { model: "claude", max_tokens: 5, messages, tools: [{ type: "web_search", name: "w" }] });
  await send("/v1/models/gemini:generateContent", { contents: [{ role: "user", parts: [{ text: "refund" }] }] });
  const paths = async (where: RequestWhere) => (await sheaf.requests({ where })).map(({ path }) => path);
  const refund = { last_user_message: { contains: "refund" } };
  expect(await paths(refund)).toEqual([
    "/v1/models/gemini:generateContent",
    "/v1/messages",
    "/v1/embeddings",
    "/v1/responses",
    "/v1/chat/completions",
  ]);
  expect(await paths({ ...refund, path: "/v1/m", status: "4xx" })).toEqual(["/v1/messages"]);
  expect(await paths({ ...refund, call: 2 })).toEqual(["/v1/responses"]);
  expect(await paths({ model: "gemini" })).toEqual(["/v1/models/gemini:generateContent"]);
  expect(await paths({ headers: { "x-tenant": "one" }, status: 200 })).toEqual(["/v1/models/gemini:generateContent"]);
  expect(await paths(({ path }) => path.endsWith("s"))).toEqual([
    "/v1/messages",
    "/v1/embeddings",
    "/v1/responses",
    "/v1/chat/completions",
  ]);
  expect(await sheaf.requests({ path: "/v1/chat", where: { model } })).toHaveLength(1);
  await expect(sheaf.requests({ where: JSON.parse('{"modle": "x"}') })).rejects.toThrow("modle");
});

test("a test waits for a request, whether it has come or not", async () => {
  const sheaf = await start();
  const client = connect(sheaf);
  const waiting = sheaf.waitForRequest({ last_user_message: "Hello", status: 200 });
  await ask(client, "Hello");
  expect(await waiting).toMatchObject({ path: "/v1/chat/completions", state: "completed" });
  expect(await sheaf.waitForRequest(({ body }) => JSON.stringify(body).includes("Hello"))).toMatchObject({
    status: 200,
  });
  await expect(sheaf.waitForRequest({ path: "/v1/files" }, { timeout: 0 })).rejects.toThrow(
    "No such request within 0 ms. The newest requests: POST /v1/chat/completions (200).",
  );
});

test("stopped, it is gone, also when a client still holds its connection", async () => {
  const sheaf = await startSheaf();
  await connect(sheaf).models.list();
  await sheaf.stop();
  await expect(fetch(`${sheaf.url}/health`)).rejects.toThrow();
});
