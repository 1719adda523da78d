import { createHash } from "node:crypto";
import { zodResponsesFunction, zodTextFormat } from "openai/helpers/zod";
import type { ResponseStreamEvent } from "openai/resources/responses/responses";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { json, readError, startTestServer, type TestServer } from "./testing/test-server.ts";

const model = "klusterai/Meta-Llama-3.3-70B-Instruct-Turbo";
const r1 = "deepseek-ai/DeepSeek-R1";
const input = "What is the weather in Paris?";
const weatherArguments = z.object({ city: z.string(), unit: z.enum(["c", "f"]) });
const reportSchema = z.object({ city: z.string(), degrees: z.number() });

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ dialect: "openai" });
});
afterAll(async () => {
  expect(server.faults).toEqual([]);
  await server.close();
});

describe("responses by the official client", () => {
  test("answer a text and a conversation as chat completions do, and count tokens", async () => {
    const response = await server.client.responses.create({ model, input, instructions: "Be brief." });
    const messages = [
      { role: "system" as const, content: "Be brief." },
      { role: "user" as const, content: input },
    ];
    const chat = await server.client.chat.completions.create({ model, messages });
    expect(response.output_text).toBe(chat.choices[0]?.message.content);
    expect(response).toMatchObject({ object: "response", status: "completed", error: null, incomplete_details: null });
    expect(response.usage).toMatchObject({
      input_tokens: chat.usage?.prompt_tokens,
      output_tokens: chat.usage?.completion_tokens,
      total_tokens: chat.usage?.total_tokens,
    });
    const parts = await server.client.responses.create({
      model,
      input: [
        { role: "developer", content: "Be brief." },
        {
          role: "user",
          content: [
            { type: "input_text", text: input },
            { type: "input_image", image_url: "data:image/png;base64,AA==", detail: "low" },
          ],
        },
      ],
    });
    expect(parts.output_text).toContain("1 image");
  });

  test("stream events that end in the same response, and none after it", async () => {
    const events: ResponseStreamEvent[] = [];
    const stream = server.client.responses.stream({ model, input });
    for await (const event of stream) events.push(event);
    const final = await stream.finalResponse();
    expect(final.output_text).toBe((await server.client.responses.create({ model, input })).output_text);
    const types = events.map(({ type }) => type).filter((type, at, all) => type !== all[at - 1]);
    expect(types).toEqual([
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.content_part.added",
      "response.output_text.delta",
      "response.output_text.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.completed",
    ]);
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, at) => at));
    expect(final.usage?.total_tokens).toBeGreaterThan(10);
  });

  test("call functions and custom tools, and speak of the results, whole and streamed", async () => {
    const tools = [
      zodResponsesFunction({ name: "get_weather", parameters: weatherArguments }),
      { type: "custom" as const, name: "weather_query", description: "Asks a data base" },
    ];
    const response = await server.client.responses.parse({ model, input, tools });
    const called = response.output.map((item) => item.type);
    expect(called).toEqual(["function_call", "custom_tool_call"]);
    const [call, query] = response.output;
    if (call?.type !== "function_call" || query?.type !== "custom_tool_call") throw new Error("No calls.");
    weatherArguments.parse(call.parsed_arguments);
    const final = await server.client.responses.stream({ model, input, tools }).finalResponse();
    expect(
      final.output.map((item) => ("arguments" in item ? item.arguments : "input" in item ? item.input : null)),
    ).toEqual([call.arguments, query.input]);
    const { parsed_arguments: _, ...sent } = call;
    const next = await server.client.responses.create({
      model,
      tools,
      input: [
        { role: "user", content: input },
        sent,
        { type: "function_call_output", call_id: call.call_id, output: "19 degrees and sunny" },
        query,
        { type: "custom_tool_call_output", call_id: query.call_id, output: "19 degrees and sunny" },
      ],
    });
    expect(next.output_text).toContain("19 degrees");
    const one = await server.client.responses.create({
      model,
      input,
      tools,
      tool_choice: { type: "allowed_tools", mode: "required", tools: [{ type: "custom", name: "weather_query" }] },
    });
    expect(one.output).toMatchObject([{ type: "custom_tool_call", name: "weather_query" }]);
  });

  test("have structured output, whole and streamed", async () => {
    const text = { format: zodTextFormat(reportSchema, "report") };
    const { output_parsed: parsed } = await server.client.responses.parse({ model, input, text });
    expect(reportSchema.parse(parsed)).toEqual(parsed);
    expect((await server.client.responses.stream({ model, input, text }).finalResponse()).output_parsed).toEqual(
      parsed,
    );
  });

  test("go on from the one before them, and refer to its items", async () => {
    const first = await server.client.responses.create({ model, input });
    const tools = [{ type: "function" as const, name: "get_weather", parameters: {}, strict: false }];
    const second = await server.client.responses.create({
      model,
      input: "And in Rome?",
      previous_response_id: first.id,
      tools,
      tool_choice: "required",
    });
    expect(second.previous_response_id).toBe(first.id);
    expect(second.usage?.input_tokens).toBeGreaterThan(
      (first.usage?.input_tokens ?? 0) + (first.usage?.output_tokens ?? 0),
    );
    const [call] = second.output;
    if (call?.type !== "function_call") throw new Error("No call.");
    const third = await server.client.responses.create({
      model,
      previous_response_id: second.id,
      input: [{ type: "function_call_output", call_id: call.call_id, output: "12 degrees and rain" }],
    });
    expect(third.output_text).toContain("12 degrees");
    const referring = await server.client.responses.create({
      model,
      input: [
        { role: "user", content: input },
        { type: "item_reference", id: call.id ?? "" },
        { type: "function_call_output", call_id: call.call_id, output: "12 degrees and rain" },
      ],
    });
    expect(referring.output_text).toContain("12 degrees");
    await expect(
      server.client.responses.create({ model, input, previous_response_id: "resp_none" }),
    ).rejects.toMatchObject({ status: 400, code: "previous_response_not_found", param: "previous_response_id" });
  });

  test("are stored until they are deleted, unless they are not to be", async () => {
    const { id } = await server.client.responses.create({ model, input, metadata: { test: "stored" } });
    const stored = await server.client.responses.retrieve(id);
    expect(stored).toMatchObject({ id, metadata: { test: "stored" }, status: "completed" });
    const items = await Array.fromAsync(server.client.responses.inputItems.list(id));
    expect(items).toMatchObject([{ type: "message", role: "user", content: [{ type: "input_text", text: input }] }]);
    await server.client.responses.delete(id);
    await expect(server.client.responses.retrieve(id)).rejects.toMatchObject({ status: 404, param: "response_id" });
    const streamed = await server.client.responses.stream({ model, input }).finalResponse();
    expect((await server.client.responses.retrieve(streamed.id)).output_text).toBe(streamed.output_text);
    const unstored = await server.client.responses.create({ model, input, store: false });
    await expect(server.client.responses.retrieve(unstored.id)).rejects.toMatchObject({ status: 404 });
  });

  test("are the newest 1,000 of each scope", async () => {
    const { id } = await server.client.responses.create({ model, input });
    const other = { headers: { "x-sheaf-scope": "other" } };
    await expect(server.client.responses.retrieve(id, {}, other)).rejects.toMatchObject({ status: 404 });
    const ask = { endpoint: "/v1/responses", requestId: "req_1", scope: "many", line: null };
    const { responses } = server.service;
    const request = { model, input };
    const answer = await server.client.responses.create(request);
    for (let at = 0; at <= 1_000; at++) responses.add("many", request, { ...answer, id: `resp_${at}` });
    expect(responses.find(ask.scope, "resp_0")).toBeUndefined();
    expect(responses.find(ask.scope, "resp_1")).toBeDefined();
  });

  test("show a model's reasoning, and end where their tokens do", async () => {
    const response = await server.client.responses.create({ model: r1, input, reasoning: { summary: "auto" } });
    expect(response.output.map(({ type }) => type)).toEqual(["reasoning", "message"]);
    expect(response.usage?.output_tokens_details.reasoning_tokens).toBeGreaterThan(5);
    const streamed = await server.client.responses
      .stream({ model: r1, input, reasoning: { summary: "auto" } })
      .finalResponse();
    expect(textsOf(streamed)).toMatchObject(textsOf(response));
    const cut = await server.client.responses.create({ model, input, max_output_tokens: 16 });
    expect(cut).toMatchObject({ status: "incomplete", incomplete_details: { reason: "max_output_tokens" } });
    expect(cut.usage?.output_tokens).toBe(16);
    const likely = await server.client.responses.create({
      model,
      input,
      include: ["message.output_text.logprobs"],
      top_logprobs: 2,
    });
    const [message] = likely.output;
    const [part] = message?.type === "message" ? message.content : [];
    expect(part?.type === "output_text" && part.logprobs?.[0]?.top_logprobs).toHaveLength(2);
  });

  test.each([
    ["tools[0].type", { tools: [{ type: "web_search" }] }],
    ["background", { background: true }],
    ["conversation", { conversation: "conv_1" }],
    ["prompt", { prompt: { id: "pmpt_1" } }],
    ["include[0]", { include: ["message.mood"] }],
    [
      "input[0].content[0].file_id",
      { input: [{ role: "user", content: [{ type: "input_image", file_id: "file-1" }] }] },
    ],
    ["input[0].type", { input: [{ type: "computer_call" }] }],
    ["input[0].id", { input: [{ type: "item_reference", id: "msg_none" }] }],
    ["mood", { mood: "sunny" }],
    ["input", { input: undefined }],
    ["text.format.name", { text: { format: { type: "json_schema", schema: {} } } }],
  ])("refuse what can't be mapped, by its name: %s", async (param, more) => {
    const response = await server.request("/v1/responses", json({ model, input, ...more }));
    expect(await readError(response, 400)).toMatchObject({ param });
  });
});

function textsOf({ output }: { output: readonly { type: string }[] }): unknown[] {
  return output.map((item) => ("summary" in item ? item.summary : "content" in item ? item.content : null));
}

describe("completions by the official client", () => {
  test("continue prompts, several at once, echoed, with likelihoods", async () => {
    const whole = await server.client.completions.create({ model, prompt: input, max_tokens: 40 });
    expect(whole).toMatchObject({ object: "text_completion", choices: [{ index: 0 }] });
    const several = await server.client.completions.create({
      model,
      prompt: [input, "Why is the sky blue?"],
      n: 2,
      echo: true,
      max_tokens: 40,
    });
    expect(several.choices.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
    expect(several.choices[2]?.text).toMatch(/^Why is the sky blue\?./);
    expect((await server.client.completions.create({ model, prompt: input })).usage?.completion_tokens).toBe(16);
    const likely = await server.client.completions.create({ model, prompt: input, logprobs: 3 });
    const { tokens = [], text_offset: offsets = [] } = likely.choices[0]?.logprobs ?? {};
    expect(tokens.join("")).toBe(likely.choices[0]?.text);
    expect(offsets.map((at, index) => likely.choices[0]?.text.startsWith(tokens[index] ?? "?", at))).not.toContain(
      false,
    );
  });

  test("stream the same text, with the usage at the end", async () => {
    const request = { model, prompt: input, max_tokens: 40 };
    const stream = await server.client.completions.create({
      ...request,
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = await Array.fromAsync(stream);
    const whole = await server.client.completions.create(request);
    expect(chunks.map(({ choices }) => choices[0]?.text ?? "").join("")).toBe(whole.choices[0]?.text);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: whole.usage });
  });

  test.each([
    ["suffix", { suffix: "the end" }],
    ["best_of", { best_of: 3 }],
    ["prompt", { prompt: [1, 2, 3] }],
    ["mood", { mood: "sunny" }],
  ])("refuse what can't be mapped, by its name: %s", async (param, more) => {
    const response = await server.request("/v1/completions", json({ model, prompt: input, ...more }));
    expect((await readError(response, 400)).param).toMatch(new RegExp(`^${param}`));
  });
});

describe("embeddings by the official client", () => {
  const embed = async (texts: string[], more: object = {}) => {
    const { data } = await server.client.embeddings.create({ model: "text-embedding-3-small", input: texts, ...more });
    return data.map(({ embedding }) => embedding);
  };
  const product = (a: number[] = [], b: number[] = []) => a.reduce((sum, number, at) => sum + number * (b[at] ?? 0), 0);

  test("are unit vectors that follow from the text, closer where words are the same", async () => {
    const [paris, again, near, far] = await embed([
      input,
      input,
      "Is the weather in Paris nice?",
      "Sell all shares of gold",
    ]);
    expect(paris).toHaveLength(1_536);
    expect(again).toEqual(paris);
    expect(product(paris, paris)).toBeCloseTo(1, 5);
    expect(product(paris, near)).toBeGreaterThan(product(paris, far) + 0.2);
    expect(
      createHash("sha256")
        .update(JSON.stringify(await embed([input])))
        .digest("hex"),
    ).toBe(
      createHash("sha256")
        .update(JSON.stringify([paris]))
        .digest("hex"),
    );
  });

  test("have the length that is asked for, as numbers or in base64, of tokens too", async () => {
    const [short] = await embed([input], { dimensions: 8, encoding_format: "float" });
    expect(short).toHaveLength(8);
    expect(product(short, short)).toBeCloseTo(1, 5);
    const body = { model: "text-embedding-3-large", input, encoding_format: "base64" };
    const raw = await server.request("/v1/embeddings", json(body));
    const { data } = z.object({ data: z.array(z.object({ embedding: z.string() })) }).parse(await raw.json());
    expect(Buffer.from(data[0]?.embedding ?? "", "base64")).toHaveLength(4 * 3_072);
    const tokens = await server.client.embeddings.create({ model, input: [[1, 2], [3]], dimensions: 4 });
    expect(tokens).toMatchObject({ data: [{ index: 0 }, { index: 1 }], usage: { prompt_tokens: 3, total_tokens: 3 } });
  });

  test.each([
    ["input", { input: "" }],
    ["input", { input: [] }],
    ["dimensions", { dimensions: 0 }],
    ["encoding_format", { encoding_format: "hex" }],
    ["mood", { mood: "sunny" }],
  ])("refuse a wrong %s", async (param, more) => {
    const response = await server.request("/v1/embeddings", json({ model, input, ...more }));
    expect((await readError(response, 400)).param).toMatch(new RegExp(`^${param}`));
  });
});

test("moderations by the official client flag inputs by their words, and need no model", async () => {
  const { results, model: used } = await server.client.moderations.create({ input: [input, "I will kill you"] });
  expect(used).toBe("omni-moderation-latest");
  expect(results.map(({ flagged }) => flagged)).toEqual([false, true]);
  expect(results[1]?.categories).toMatchObject({ violence: true, sexual: false });
  expect(results[1]?.category_scores.violence).toBeGreaterThan(0.5);
  const parts = await server.client.moderations.create({
    model: "omni-moderation-latest",
    input: [
      { type: "text", text: input },
      { type: "image_url", image_url: { url: "https://example.com/a.png" } },
    ],
  });
  expect(parts.results).toMatchObject([
    { flagged: false, category_applied_input_types: { violence: ["text", "image"] } },
  ]);
});
