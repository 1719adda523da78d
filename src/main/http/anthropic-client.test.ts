import Anthropic from "@anthropic-ai/sdk";
import { betaTool } from "@anthropic-ai/sdk/helpers/beta/json-schema";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createAdjustableClock } from "#main/base";
import type { MessagesRequest } from "#main/requests";
import { apiKey, startTestServer, type TestServer } from "./testing/test-server.ts";
import { createThreads } from "./threads.ts";

const model = "claude-opus-5-5";
const hello = {
  model,
  max_tokens: 100,
  messages: [{ role: "user" as const, content: "How many days has a leap year?" }],
};
const weather = {
  name: "get_weather",
  description: "The weather of a city.",
  input_schema: { type: "object" as const, properties: { city: { type: "string" } }, required: ["city"] },
};

const clock = createAdjustableClock();
let server: TestServer;
let client: Anthropic;
beforeAll(async () => {
  server = await startTestServer({ clock });
  client = new Anthropic({ apiKey, baseURL: server.url, maxRetries: 0 });
});
afterAll(() => server.close());
beforeEach(() => server.service.faults.clear());

describe("the Messages API, asked by Anthropic's client", () => {
  it("answers a message for any model, whole and streamed alike", async () => {
    const message = await client.messages.create({ ...hello, system: "Be brief." });
    expect(message).toMatchObject({ type: "message", role: "assistant", model, stop_reason: "end_turn" });
    expect(message.id).toMatch(/^msg_/);
    expect(message._request_id).toMatch(/^req_/);
    expect(message.content).toMatchObject([{ type: "text", text: expect.stringMatching(/\w/) }]);
    const counted = await client.messages.countTokens({ model, messages: hello.messages, system: "Be brief." });
    expect(message.usage.input_tokens).toBe(counted.input_tokens);

    const stream = client.messages.stream({ ...hello, system: "Be brief." });
    const events: string[] = [];
    stream.on("streamEvent", ({ type }) => events.push(type));
    const { id: _id, parsed_output: _parsed, ...streamed } = await stream.finalMessage();
    const { id: _other, ...whole } = message;
    expect(streamed).toEqual(whole);
    expect(events.slice(0, 3)).toEqual(["message_start", "content_block_start", "content_block_delta"]);
    expect(events.slice(-3)).toEqual(["content_block_stop", "message_delta", "message_stop"]);
  });

  it("calls tools, and answers with their results", async () => {
    const ask = { ...hello, tools: [weather], messages: [{ role: "user" as const, content: "The weather in Rome?" }] };
    const message = await client.messages.create(ask);
    expect(message.stop_reason).toBe("tool_use");
    const [use] = message.content;
    if (use?.type !== "tool_use") throw new Error("No tool was called.");
    expect(use).toMatchObject({ name: "get_weather", input: { city: expect.any(String) } });
    const streamed = await client.messages.stream(ask).finalMessage();
    expect(streamed.content).toMatchObject([{ name: "get_weather", input: use.input }]);

    const result = {
      type: "tool_result" as const,
      tool_use_id: use.id,
      content: "Sunny, 21 degrees.",
      is_error: false,
    };
    const answer = await client.messages.create({
      ...ask,
      messages: [...ask.messages, { role: "assistant", content: message.content }, { role: "user", content: [result] }],
    });
    expect(answer.content).toMatchObject([{ type: "text" }]);
    const forced = await client.messages.create({
      ...hello,
      tools: [weather],
      tool_choice: { type: "tool", name: "get_weather" },
    });
    expect(forced.stop_reason).toBe("tool_use");
    const none = await client.messages.create({ ...ask, tool_choice: { type: "none" } });
    expect(none.stop_reason).toBe("end_turn");
  });

  it("answers JSON by a schema", async () => {
    const schema = {
      type: "object",
      properties: { days: { type: "integer", minimum: 300 } },
      required: ["days"],
      additionalProperties: false,
    };
    const message = await client.messages.parse({
      ...hello,
      output_config: { format: { type: "json_schema", schema } },
    });
    const [block] = message.content;
    expect(JSON.parse(block?.type === "text" ? block.text : "")).toEqual({ days: expect.any(Number) });
  });

  it("offers the tools that a conversation has added, and none that it has taken away", async () => {
    const declare = (name: string) => ({ name, input_schema: { type: "object" as const } });
    const removal = { type: "tool_removal", tool: { type: "tool_reference", name: "old" } } as const;
    const addition = {
      type: "tool_addition",
      tool: { type: "tool_definition", definition: declare("fresh") },
    } as const;
    const { content } = await client.beta.messages.create({
      ...hello,
      tools: [declare("old")],
      tool_choice: { type: "any" },
      messages: [
        { role: "user", content: [{ type: "text", text: "Hi" }] },
        { role: "system", content: [removal] },
        { role: "user", content: [{ type: "text", text: "Go on" }, addition] },
      ],
    });
    expect(content).toMatchObject([{ type: "tool_use", name: "fresh" }]);
  });

  it("refuses by its name what a chat completion has no counterpart for", async () => {
    const cases: [Record<string, unknown>, string][] = [
      [{ container: "container_1" }, "container is"],
      [{ max_tokens: undefined }, "max_tokens is missing"],
      [{ temperature: 1.5 }, "temperature is 1.5"],
      [{ tools: [{ type: "web_search_20250305", name: "web_search" }] }, "tools[0].type is"],
      [{ messages: [{ role: "tool", content: "Hi" }] }, "messages[0].role is"],
      [
        { messages: [{ role: "user", content: [{ type: "image", source: { type: "file", file_id: "file_1" } }] }] },
        "messages[0].content[0].source.type is",
      ],
      [
        { messages: [{ role: "assistant", content: [{ type: "redacted_thinking", data: "x" }] }] },
        "content[0].type is",
      ],
      [{ tools: [weather], tool_choice: { type: "tool", name: "other" } }, "tool_choice"],
    ];
    for (const [change, message] of cases) {
      const refused: unknown = await client.messages
        .create({ ...hello, ...change } as typeof hello)
        .catch((error) => error);
      if (!(refused instanceof Anthropic.BadRequestError)) throw refused;
      expect(refused.type).toBe("invalid_request_error");
      expect(refused.apiMessage).toContain(message);
    }
  });

  it("has errors, faults and request ids in the vendor's shape", async () => {
    const stranger = new Anthropic({ apiKey: "sk-wrong", baseURL: server.url, maxRetries: 0 });
    await expect(stranger.messages.create(hello)).rejects.toMatchObject({ status: 401, type: "authentication_error" });
    const missing = await server.request("/v1/messages/nowhere");
    expect(await missing.json()).toEqual({
      type: "error",
      error: { type: "not_found_error", message: expect.stringContaining("/v1/messages/nowhere") },
      request_id: missing.headers.get("request-id"),
    });
    // Clients that need the `/v1` in their base address, and endpoints that are not here.
    for (const path of ["/messages", "/v1/nowhere"]) {
      const unknown = await fetch(server.url + path, {
        method: "POST",
        headers: { "x-api-key": apiKey, "anthropic-version": "2023-06-01" },
      });
      expect([unknown.status, await unknown.json()]).toMatchObject([
        404,
        { type: "error", error: { type: "not_found_error", message: expect.stringContaining(path) } },
      ]);
    }
    const withKey = await fetch(`${server.url}/v1/models`, {
      headers: { "x-api-key": apiKey, "anthropic-version": "2023-06-01" },
    });
    expect(withKey.status).toBe(200);
    const noJson = await server.request("/v1/messages", {
      method: "POST",
      body: "{",
      headers: { "content-type": "application/json" },
    });
    expect(await noJson.json()).toMatchObject({ type: "error", error: { type: "invalid_request_error" } });

    for (const [status, type] of [
      [529, "overloaded_error"],
      [500, "api_error"],
      [429, "rate_limit_error"],
    ] as const) {
      server.service.faults.set({ ...server.service.faults.settings, failure_rate: 1, statuses: [status] });
      await expect(client.messages.create(hello)).rejects.toMatchObject({
        status,
        type,
        requestID: expect.stringMatching(/^req_/),
      });
    }
  });

  it("lists the models of the server, and takes any other", async () => {
    const own = "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo";
    const alias = "vendor_a/Family1-3.1-8B-Instruct-Turbo";
    expect((await client.messages.create({ ...hello, model: alias })).model).toBe(own);
    // Of its own models the limits hold; those of others are not known.
    const long = { ...hello, max_tokens: 140_000, stream: false as const };
    const options = { timeout: 60_000 };
    await expect(client.messages.create({ ...long, model: own }, options)).rejects.toMatchObject({
      status: 400,
      apiMessage: expect.stringContaining("max_tokens is 140,000"),
    });
    expect((await client.messages.create(long, options)).model).toBe(model);
    const ids: string[] = [];
    for await (const { id } of client.models.list({ limit: 3 })) ids.push(id);
    expect(ids).toEqual(server.service.models.list().map(({ id }) => id));
    expect(await client.models.retrieve(model)).toMatchObject({ id: model, type: "model" });
    const { data } = await client.models.list({ before_id: ids[3] ?? "", limit: 2 });
    expect(data.map(({ id }) => id)).toEqual(ids.slice(1, 3));
  });

  it("keeps the conversation of a thread, of which each request brings what is new", async () => {
    const log = async () => {
      const response = await server.request("/sheaf/requests?path=/v1/messages&limit=2");
      const { data } = (await response.json()) as { data: { body: { messages: unknown[]; thread?: unknown } }[] };
      return data.map(({ body }) => body).reverse();
    };
    const tool = betaTool({
      name: weather.name,
      description: weather.description,
      inputSchema: {
        type: "object",
        properties: { city: { type: "string" } },
        required: ["city"],
      },
      run: () => "Sunny, 21 degrees.",
    });
    for (const stream of [false, true]) {
      const ask = { ...hello, messages: [{ role: "user" as const, content: "The weather in Rome?" }], tools: [tool] };
      const runner = stream
        ? client.beta.messages.toolRunner({ ...ask, stream })
        : client.beta.messages.toolRunner({ ...ask, stream });
      const last = await runner.runUntilDone();
      expect(last.content, String(stream)).toMatchObject([{ type: "text" }]);
      expect(await log()).toMatchObject([
        { thread: { type: "create" }, messages: [{ role: "user" }] },
        { thread: { type: "continue" }, messages: [{ role: "user", content: [{ type: "tool_result" }] }] },
      ]);
      // The same conversation without a thread has the same answer: nothing of it was lost.
      const whole = await client.beta.messages.create({ ...ask, messages: runner.params.messages.slice(0, 3) });
      expect(whole.content).toEqual(last.content);
    }
  });

  it("refuses a thread that it has not, that went on, or that is going on, by the vendor's names", async () => {
    const create = { ...hello, thread: { type: "create" as const }, betas: ["message-threads-2026-08-12" as const] };
    const first = await client.beta.messages.create(create);
    const next = (id: string) => ({
      ...create,
      thread: { type: "continue" as const, previous_message_id: id },
      messages: [{ role: "user" as const, content: "And a week?" }],
    });
    await expect(client.beta.messages.create(next("msg_none"))).rejects.toThrow(Anthropic.ThreadNotFoundError);
    await expect(client.beta.messages.create({ ...next(first.id), system: "Be brief." })).rejects.toThrow(
      "system comes from the thread",
    );
    // What fails leaves the thread as it was.
    server.service.faults.set({ ...server.service.faults.settings, failure_rate: 1, statuses: [529] });
    await expect(client.beta.messages.create(next(first.id))).rejects.toThrow(Anthropic.InternalServerError);
    server.service.faults.clear();
    await expect(client.beta.messages.create({ ...next(first.id), max_tokens: 0 })).rejects.toThrow("max_tokens");
    // So does a client that leaves.
    const { engine } = server.service;
    const complete = vi.spyOn(engine, "complete").mockReturnValue(new Promise(() => {}));
    const leaving = new AbortController();
    const left = client.beta.messages.create(next(first.id), { signal: leaving.signal }).catch(() => null);
    await vi.waitUntil(() => complete.mock.calls.length === 1);
    await expect(client.beta.messages.create(next(first.id))).rejects.toThrow(Anthropic.ThreadContinueInFlightError);
    leaving.abort();
    await left;
    complete.mockRestore();
    const second = await vi.waitUntil(() => client.beta.messages.create(next(first.id)).catch(() => null));
    await expect(client.beta.messages.create(next(first.id))).rejects.toThrow(Anthropic.ThreadAlreadyContinuedError);
    const thread = client.beta.messages.thread({ ...hello, messages: [] });
    await thread.send({ role: "user", content: "Hi" });
    const reply = await thread.send({ role: "user", content: "How many days has a leap year?" });
    expect(thread.previousMessageId).toBe(reply.id);
    // Each scope has its own.
    const other = new Anthropic({ apiKey, baseURL: `${server.url}/scope/other`, maxRetries: 0 });
    await expect(other.beta.messages.create(next(second.id))).rejects.toThrow(Anthropic.ThreadNotFoundError);
  });

  it("keeps 64 MB of the conversations of a scope and 256 MB of all, the newest", () => {
    const threads = createThreads();
    const ask = (text: string, thread: MessagesRequest["thread"], scope = "one") =>
      threads.of(scope).open({ ...hello, messages: [{ role: "user", content: text }], thread });
    const replyOf = (id: string) => ({ id, content: [] });
    const next = (id: string) => ask("Hi", { type: "continue", previous_message_id: id });
    const long = "x".repeat(30_000_000);
    for (const id of ["msg_1", "msg_2"]) ask(long, { type: "create" }).keep(replyOf(id));
    next("msg_1").keep(replyOf("msg_3"));
    // What went on is counted once.
    next("msg_2").release();
    ask(long, { type: "create" }).keep(replyOf("msg_4"));
    expect(() => next("msg_2")).toThrow("No thread has");
    const left = next("msg_3");
    left.release();
    // A client that left lets go of a conversation once: another request may be continuing it.
    const other = next("msg_3");
    left.release();
    expect(() => next("msg_3")).toThrow("still continuing");
    other.release();
    next("msg_4").release();
    for (const scope of ["two", "three", "four"]) {
      for (const at of [1, 2]) ask(long, { type: "create" }, scope).keep(replyOf(`msg_${scope}_${at}`));
    }
    next("msg_4").release();
    ask(long, { type: "create" }, "five").keep(replyOf("msg_five"));
    expect(() => next("msg_3")).toThrow("No thread has");
    next("msg_4").release();
    threads.clear("one");
    expect(() => next("msg_4")).toThrow("No thread has");
  });

  it("has files in the vendor's shape", async () => {
    const upload = (name: string) =>
      client.files.upload({ file: new File(["Some words."], name, { type: "text/plain" }), expires_in_seconds: 3_600 });
    const file = await upload("a.txt");
    expect(file).toEqual({
      id: expect.stringMatching(/^file_/),
      type: "file",
      filename: "a.txt",
      mime_type: "text/plain",
      size_bytes: 11,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      expires_at: expect.stringMatching(/^\d{4}-.*Z$/),
      downloadable: false,
      scope: null,
    });
    expect(await client.files.retrieveMetadata(file.id)).toEqual(file);
    const names = ["b.txt", "c.txt"];
    for (const name of names) {
      await clock.advance(1);
      await upload(name);
    }
    const listed: string[] = [];
    for await (const { filename } of client.beta.files.list({ limit: 2 })) listed.push(filename);
    expect(listed).toEqual(["c.txt", "b.txt", "a.txt"]);
    // Deleting while paging leaves nothing out.
    const newest = await client.files.list({ limit: 1 });
    await client.files.delete(newest.data[0]?.id ?? "");
    expect((await client.files.list({ limit: 1, page: newest.next_page ?? "" })).data).toMatchObject([
      { filename: "b.txt" },
    ]);
    await expect(client.files.list({ page: file.id })).rejects.toThrow("No list has the page");
    // Older clients page by the ids of files.
    type OlderPage = { data: { filename: string }[]; last_id: string };
    const older = async (query: object) => {
      const { data, ...rest } = await client.get<OlderPage>("/v1/files", { query });
      return { ...rest, names: data.map(({ filename }) => filename) };
    };
    const first = await older({ limit: 1 });
    expect(first).toMatchObject({ names: ["b.txt"], has_more: true });
    const last = await older({ limit: 1, after_id: first.last_id });
    expect(last).toMatchObject({ names: ["a.txt"], has_more: false, next_page: null, last_id: file.id });
    expect(await older({ before_id: file.id })).toMatchObject({ names: ["b.txt"], has_more: false, next_page: null });
    const chosen = await client.files.list({ ids: [file.id, "file_none"] });
    expect(chosen.data).toEqual([file]);
    await expect(client.files.download(file.id)).rejects.toThrow(Anthropic.FileNotDownloadableError);
    await expect(client.files.retrieveMetadata(file.id.replace("_", "-"))).rejects.toThrow(Anthropic.NotFoundError);
    await expect(client.files.upload({ file: new File(["x"], "x"), expires_in_seconds: 60 })).rejects.toThrow(
      "expires_in_seconds",
    );
    expect(await client.files.delete(file.id)).toEqual({ id: file.id, type: "file_deleted" });
    await expect(client.files.retrieveMetadata(file.id)).rejects.toThrow(Anthropic.NotFoundError);
    // Clients of the compatible API see none of them.
    expect((await server.client.files.list()).data).toEqual([]);
  });
});
