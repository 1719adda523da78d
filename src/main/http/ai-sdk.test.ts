import { createOpenAI } from "@ai-sdk/openai";
import { generateObject, generateText, Output, stepCountIs, streamObject, streamText, tool } from "ai";
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

const chat = (id = "klusterai/Meta-Llama-3.3-70B-Instruct-Turbo") =>
  createOpenAI({ apiKey, baseURL: `${server.url}/v1` }).chat(id);
const prompt = "What is the weather in Paris?";
const reportSchema = z.object({ city: z.string(), degrees: z.number(), sure: z.boolean() });

test("the AI SDK generates text, and counts it", async () => {
  const { text, usage, finishReason } = await generateText({ model: chat(), prompt, maxRetries: 0 });
  expect(text).toContain("Paris");
  expect(finishReason).toBe("stop");
  expect(usage.totalTokens).toBeGreaterThan(20);
});

test("the AI SDK streams text, the same as in one piece, and counts it", async () => {
  const { textStream, usage } = streamText({ model: chat(), prompt, maxRetries: 0 });
  const text = (await Array.fromAsync(textStream)).join("");
  expect(text).toBe((await generateText({ model: chat(), prompt, maxRetries: 0 })).text);
  expect((await usage).outputTokens).toBeGreaterThan(10);
});

test("the AI SDK generates an object by a schema, streams one, and has one as the output of a text", async () => {
  const { object } = await generateObject({ model: chat(), prompt, schema: reportSchema, maxRetries: 0 });
  expect(reportSchema.parse(object)).toEqual(object);
  const streamed = streamObject({ model: chat(), prompt, schema: reportSchema, maxRetries: 0 });
  expect(reportSchema.parse((await Array.fromAsync(streamed.partialObjectStream)).at(-1))).toEqual(object);
  const output = Output.object({ schema: reportSchema });
  reportSchema.parse((await generateText({ model: chat(), prompt, output, maxRetries: 0 })).output);
});

test.each(["generateText", "streamText"])("the AI SDK runs a tool in %s and goes on with its result", async (way) => {
  const cities: string[] = [];
  const options = {
    model: chat(),
    prompt,
    maxRetries: 0,
    stopWhen: stepCountIs(5),
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
  const { text, steps } = way === "streamText" ? streamText(options) : await generateText(options);
  expect(await text).toContain("19 degrees and sunny");
  expect(await steps).toHaveLength(2);
  expect(cities).toHaveLength(1);
});

test("the AI SDK gets an error as its own, with what the service says", async () => {
  await expect(generateText({ model: chat("gpt-9"), prompt, maxRetries: 0 })).rejects.toMatchObject({
    statusCode: 404,
    message: expect.stringContaining('model "gpt-9" is not known'),
  });
});
