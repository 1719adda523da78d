import { createOpenAI } from "@ai-sdk/openai";
import { embedMany, generateText, Output, stepCountIs, streamText, tool } from "ai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { apiKey, startTestServer, type TestServer } from "./testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ dialect: "openai" });
});
afterAll(async () => {
  expect(server.faults).toEqual([]);
  await server.close();
});

const openai = () => createOpenAI({ apiKey, baseURL: `${server.url}/v1` });
/** The SDK's own choice: the responses API. */
const model = (id = "klusterai/Meta-Llama-3.3-70B-Instruct-Turbo") => openai()(id);
const prompt = "What is the weather in Paris?";
const reportSchema = z.object({ city: z.string(), degrees: z.number() });

test("the AI SDK's default model generates text and streams the same", async () => {
  const whole = await generateText({ model: model(), prompt, maxRetries: 0 });
  expect(whole).toMatchObject({ finishReason: "stop", text: expect.stringContaining("Paris") });
  expect(whole.usage.totalTokens).toBeGreaterThan(20);
  const streamed = streamText({ model: model(), prompt, maxRetries: 0 });
  expect((await Array.fromAsync(streamed.textStream)).join("")).toBe(whole.text);
  expect((await streamed.usage).outputTokens).toBe(whole.usage.outputTokens);
});

test("the AI SDK's default model has structured output, and shows its reasoning", async () => {
  const output = Output.object({ schema: reportSchema });
  reportSchema.parse((await generateText({ model: model(), prompt, output, maxRetries: 0 })).output);
  const providerOptions = { openai: { reasoningSummary: "auto", forceReasoning: true } };
  const thought = await generateText({
    model: model("deepseek-ai/DeepSeek-R1"),
    prompt,
    providerOptions,
    maxRetries: 0,
  });
  expect(thought.reasoningText).toMatch(/./);
});

test.each([
  ["generateText", true],
  ["generateText", false],
  ["streamText", true],
  ["streamText", false],
])("the AI SDK's default model runs a tool in %s and goes on with its result, stored: %s", async (way, store) => {
  const cities: string[] = [];
  const options = {
    model: model(),
    prompt,
    maxRetries: 0,
    stopWhen: stepCountIs(5),
    providerOptions: { openai: { store } },
    tools: {
      weather: tool({
        description: "Weather at a place",
        inputSchema: z.object({ city: z.string() }),
        execute: async ({ city }) => {
          cities.push(city);
          return "19 degrees and sunny";
        },
      }),
    },
  };
  const result = way === "generateText" ? await generateText(options) : streamText(options);
  expect(await result.text).toContain("19 degrees");
  expect(cities).toHaveLength(1);
});

test("the AI SDK embeds texts", async () => {
  const embedding = openai().embedding("text-embedding-3-small");
  const { embeddings } = await embedMany({ model: embedding, values: [prompt, "Another text"], maxRetries: 0 });
  expect(embeddings.map((vector) => vector.length)).toEqual([1_536, 1_536]);
});
