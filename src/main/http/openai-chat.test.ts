import { zodFunction, zodResponseFormat } from "openai/helpers/zod";
import type { ParsedChatCompletionMessageToolCall } from "openai/resources/chat/completions";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { chatCompletionSchema, chatDeltaSchema } from "#contract";
import { createManualEngine } from "../service/testing/index.ts";
import { createBatch, json, startTestServer, type TestServer, toBatchFile } from "./testing/test-server.ts";

const model = "klusterai/Meta-Llama-3.3-70B-Instruct-Turbo";
const messages = [{ role: "user" as const, content: "What is the weather in Paris?" }];

const reportSchema = z.object({ city: z.string(), steps: z.array(z.object({ note: z.string() })), sure: z.boolean() });
const weatherArguments = z.object({ city: z.string(), unit: z.enum(["c", "f"]) });

function parsedArguments(calls: readonly ParsedChatCompletionMessageToolCall[] = []): unknown[] {
  return calls.map((call) => (call.type === "function" ? call.function.parsed_arguments : null));
}

/** Chat completions are the same in both dialects; in this one every answer is held to the public API's schemas, too. */
describe("the official client", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ dialect: "openai" });
  });
  afterAll(async () => {
    expect(server.faults).toEqual([]);
    await server.close();
  });

  test("creates a chat completion", async () => {
    const completion = await server.client.chat.completions.create({ model, messages });
    expect(chatCompletionSchema.parse(completion).choices[0]?.message.content).toContain("Paris");
    expect(completion._request_id).toMatch(/^req_/);
  });

  test("gets every detail of the token counts, as it does from the API: whole, again, streamed and scripted", async () => {
    const details = {
      prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
      completion_tokens_details: {
        reasoning_tokens: 0,
        audio_tokens: 0,
        accepted_prediction_tokens: 0,
        rejected_prediction_tokens: 0,
      },
    };
    const ask = async (content: string) => {
      const request = { model, messages: [{ role: "user" as const, content }] };
      const whole = await server.client.chat.completions.create(request);
      const options = { stream: true as const, stream_options: { include_usage: true } };
      const chunks = await Array.fromAsync(await server.client.chat.completions.create({ ...request, ...options }));
      expect(chunks.at(-1)?.usage).toEqual(whole.usage);
      return whole;
    };
    for (let times = 0; times < 3; times += 1) expect((await ask("Count.")).usage).toMatchObject(details);
    const put = (rules: unknown[]) => server.request("/sheaf/rules", { ...json({ rules }), method: "PUT" });
    await put([{ reply: { text: "Done." } }]);
    expect((await ask("Count.")).usage).toMatchObject(details);
    // A rule sets counts and any other field, of its own answer or of the mock's.
    const usage = { prompt_tokens: 1_000, prompt_tokens_details: { cached_tokens: 900 } };
    const fields = { model: "gpt-5", choices: [{ message: { refusal: "No." } }] };
    for (const reply of [
      { text: "Done.", usage, fields },
      { usage, fields },
    ]) {
      await put([{ reply }]);
      const set = await ask("Count.");
      expect(set).toMatchObject({ model: "gpt-5", choices: [{ message: { refusal: "No." } }] });
      expect(set.usage?.prompt_tokens_details).toMatchObject({ cached_tokens: 900, audio_tokens: 0 });
      expect(set.usage?.total_tokens).toBe(1_000 + (set.usage?.completion_tokens ?? 0));
    }
    const refused = await put([{ reply: { error: { status: 500 }, usage } }]);
    expect(await refused.text()).toContain("error and usage");
    await server.request("/sheaf/rules", { method: "DELETE" });
  });

  test("streams one, with its usage", async () => {
    const stream = await server.client.chat.completions.create({
      model,
      messages,
      stream: true,
      stream_options: { include_usage: true },
    });
    let text = "";
    let total = 0;
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? "";
      total += chunk.usage?.total_tokens ?? 0;
    }
    const whole = await server.client.chat.completions.create({ model, messages });
    expect(text).toBe(whole.choices[0]?.message.content);
    expect(total).toBe(whole.usage?.total_tokens);
  });

  test("collects a stream by its helper: text, calls of tools, log probabilities", async () => {
    const words: string[] = [];
    const stream = server.client.chat.completions
      .stream({ model, messages, logprobs: true, top_logprobs: 2 })
      .on("content", (delta) => words.push(delta));
    const completion = await stream.finalChatCompletion();
    expect(words.join("")).toBe(completion.choices[0]?.message.content);
    expect(completion.choices[0]?.logprobs?.content?.map(({ token }) => token).join("")).toBe(words.join(""));

    const tools = [zodFunction({ name: "get_weather", parameters: weatherArguments })];
    const calling = server.client.chat.completions.stream({ model, messages, tools });
    const called = parsedArguments((await calling.finalChatCompletion()).choices[0]?.message.tool_calls);
    expect(weatherArguments.parse(called[0])).toHaveProperty("city");
  });

  test("has custom tools called with text, whole and streamed, and by a pattern", async () => {
    const tools = [
      { type: "custom" as const, custom: { name: "run_weather_query" } },
      {
        type: "custom" as const,
        custom: {
          name: "set_alarm",
          format: {
            type: "grammar" as const,
            grammar: { syntax: "regex" as const, definition: "[0-2][0-9]:[0-5][0-9]" },
          },
        },
      },
    ];
    const whole = await server.client.chat.completions.create({ model, messages, tools });
    const [call] = whole.choices[0]?.message.tool_calls ?? [];
    expect(call).toMatchObject({
      type: "custom",
      custom: { name: "run_weather_query", input: expect.stringMatching(/./) },
    });
    const streamed = await server.client.chat.completions.create({ model, messages, tools, stream: true });
    const deltas = (await Array.fromAsync(streamed)).flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? []);
    const inputs = deltas.map((delta) => chatDeltaSchema.parse({ tool_calls: [delta] }).tool_calls?.[0]?.custom?.input);
    expect(inputs.join("")).toBe(call?.type === "custom" ? call.custom.input : null);
    const choice = { type: "custom" as const, custom: { name: "set_alarm" } };
    const alarm = await server.client.chat.completions.create({ model, messages, tools, tool_choice: choice });
    expect(alarm.choices[0]?.message.tool_calls).toMatchObject([
      { custom: { name: "set_alarm", input: expect.stringMatching(/^[0-2][0-9]:[0-5][0-9]$/) } },
    ]);
    await expect(
      server.client.chat.completions.create({
        model,
        messages,
        tools,
        tool_choice: { type: "custom", custom: { name: "x" } },
      }),
    ).rejects.toMatchObject({ status: 400, param: "tool_choice.custom.name" });
  });

  test("calls only the tools that it allows", async () => {
    const tools = ["get_weather", "get_time"].map((name) => ({ type: "function" as const, function: { name } }));
    const allow = (name: string) => ({
      type: "allowed_tools" as const,
      allowed_tools: { mode: "required" as const, tools: [{ type: "function", function: { name } }] },
    });
    const request = { model, messages, tools };
    const { choices } = await server.client.chat.completions.create({ ...request, tool_choice: allow("get_time") });
    expect(choices[0]?.message.tool_calls).toMatchObject([{ function: { name: "get_time" } }]);
    await expect(
      server.client.chat.completions.create({ ...request, tool_choice: allow("get_place") }),
    ).rejects.toMatchObject({ status: 400, param: "tool_choice.allowed_tools.tools[0].function.name" });
  });

  test("calls one of the older functions, and speaks of its result", async () => {
    const functions = [
      {
        name: "get_weather",
        parameters: { type: "object", properties: { city: { const: "Paris" } }, required: ["city"] },
      },
    ];
    const request = { model, messages, functions };
    const { choices } = await server.client.chat.completions.create(request);
    expect(choices[0]).toMatchObject({
      finish_reason: "function_call",
      message: { content: null, function_call: { name: "get_weather", arguments: '{"city":"Paris"}' } },
    });
    const streamed = await server.client.chat.completions.create({ ...request, stream: true });
    const pieces = (await Array.fromAsync(streamed)).map((chunk) => chunk.choices[0]?.delta.function_call);
    expect(pieces.map((piece) => piece?.arguments ?? "").join("")).toBe('{"city":"Paris"}');
    const result = { role: "function" as const, name: "get_weather", content: "19 degrees and sunny" };
    const told = await server.client.chat.completions.create({ ...request, messages: [...messages, result] });
    expect(told.choices[0]?.message.content).toContain("19 degrees");
    const none = await server.client.chat.completions.create({ ...request, function_call: "none" });
    expect(none.choices[0]?.finish_reason).toBe("stop");
  });

  test("stops a stream in the middle", async () => {
    const stream = await server.client.chat.completions.create({ model, messages, stream: true });
    for await (const _ of stream) break;
    expect((await server.client.models.list()).data).not.toEqual([]);
  });

  test("parses an answer by a JSON schema, and a streamed one", async () => {
    const response_format = zodResponseFormat(reportSchema, "report");
    const { choices } = await server.client.chat.completions.parse({ model, messages, response_format });
    const parsed = choices[0]?.message.parsed;
    expect(reportSchema.parse(parsed)).toEqual(parsed);
    const stream = server.client.chat.completions.stream({ model, messages, response_format });
    expect((await stream.finalChatCompletion()).choices[0]?.message.parsed).toEqual(parsed);
  });

  test("parses the arguments of calls of tools", async () => {
    const { choices } = await server.client.chat.completions.parse({
      model,
      messages,
      tools: [zodFunction({ name: "get_weather", parameters: weatherArguments })],
      tool_choice: "required",
    });
    expect(choices[0]?.finish_reason).toBe("tool_calls");
    weatherArguments.parse(parsedArguments(choices[0]?.message.tool_calls)[0]);
  });

  test("runs tools until the answer is text that speaks of their result", async () => {
    const asked: unknown[] = [];
    const runner = server.client.chat.completions.runTools({
      model,
      messages,
      tools: [
        zodFunction({
          name: "get_weather",
          description: "Weather at a place",
          parameters: weatherArguments,
          function: (found) => {
            asked.push(found);
            return "19 degrees and sunny";
          },
        }),
      ],
    });
    expect(await runner.finalContent()).toContain("19 degrees and sunny");
    expect(asked).toHaveLength(1);
  });

  test("asks for several answers, and for an end", async () => {
    const { choices } = await server.client.chat.completions.create({ model, messages, n: 3, stop: "Paris", seed: 7 });
    expect(choices).toHaveLength(3);
    for (const { message, finish_reason } of choices) {
      expect(finish_reason).toBe("stop");
      expect(message.content).not.toContain("Paris");
    }
  });

  test("gets an error of its own kind", async () => {
    await expect(server.client.chat.completions.create({ model: "gpt-9", messages })).rejects.toMatchObject({
      name: "Error",
      status: 404,
      code: "model_not_found",
      param: "model",
    });
  });

  test("gets the same features through the lines of a batch", async () => {
    const body = {
      model,
      n: 2,
      logprobs: true,
      response_format: zodResponseFormat(reportSchema, "report"),
    };
    const id = await createBatch(server, toBatchFile([{ id: "a", content: "Report." }], body));
    await server.service.batches.settled(id);
    const { output_file_id } = await server.client.batches.retrieve(id);
    const line = z
      .object({ response: z.object({ body: chatCompletionSchema }) })
      .parse(JSON.parse(await (await server.client.files.content(output_file_id ?? "")).text()));
    const { choices } = line.response.body;
    expect(choices).toHaveLength(2);
    for (const { message, logprobs } of choices) {
      reportSchema.parse(JSON.parse(message.content ?? ""));
      expect(logprobs?.content?.map(({ token }) => token).join("")).toBe(message.content);
    }
  });
});

test("the official client is asked to wait when it is over a limit, and asks again", async () => {
  const engine = createManualEngine();
  const server = await startTestServer({ engine, rateLimit: true });
  const statuses: number[] = [];
  const refused = Promise.withResolvers<void>();
  const client = server.client.withOptions({
    maxRetries: 2,
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      statuses.push(response.status);
      if (response.status !== 429) return response;
      expect(response.headers.get("retry-after")).toBe("1");
      refused.resolve();
      // The client waits by its own clock; the test does not.
      return new Response(response.body, { status: 429, headers: { "retry-after-ms": "1" } });
    },
  });
  const first = Array.from({ length: 10 }, () => client.chat.completions.create({ model, messages }));
  await engine.arrived(10);
  const late = client.chat.completions.create({ model, messages });
  await refused.promise;
  engine.release();
  await Promise.all(first);
  await engine.arrived(1);
  engine.release();
  expect((await late).choices).toHaveLength(1);
  expect(statuses).toEqual([429, ...Array(11).fill(200)]);
  await server.close();
});
