import { ChatOpenAI, OpenAIEmbeddings } from "@langchain/openai";
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

const prompt = "What is the weather in Paris?";
const reportSchema = z.object({ city: z.string(), degrees: z.number() });
const weather = { name: "get_weather", description: "Weather at a place", schema: z.object({ city: z.string() }) };

function createChat(useResponsesApi: boolean): ChatOpenAI {
  const configuration = { baseURL: `${server.url}/v1` };
  return new ChatOpenAI({
    model: "klusterai/Meta-Llama-3.3-70B-Instruct-Turbo",
    apiKey,
    configuration,
    useResponsesApi,
    maxRetries: 0,
  });
}

test.each([
  ["chat completions", false],
  ["responses", true],
])("LangChain asks by %s: text, a stream, tools, structured output", async (_, useResponsesApi) => {
  const chat = createChat(useResponsesApi);
  const answer = await chat.invoke(prompt);
  expect(answer.text).toContain("Paris");
  expect(answer.usage_metadata).toMatchObject({ input_tokens: expect.any(Number) });
  const pieces = await Array.fromAsync(await chat.stream(prompt));
  expect(pieces.length).toBeGreaterThan(3);
  expect(pieces.map(({ text }) => text).join("")).toBe(answer.text);
  const calling = await chat.bindTools([weather]).invoke(prompt);
  expect(calling.tool_calls).toMatchObject([{ name: "get_weather", args: { city: expect.any(String) } }]);
  const told = await chat
    .bindTools([weather])
    .invoke([
      { role: "user", content: prompt },
      calling,
      { role: "tool", content: "19 degrees and sunny", tool_call_id: calling.tool_calls?.[0]?.id ?? "" },
    ]);
  expect(told.text).toContain("19 degrees");
  reportSchema.parse(await chat.withStructuredOutput(reportSchema, { name: "report" }).invoke(prompt));
});

test("LangChain embeds texts", async () => {
  const configuration = { baseURL: `${server.url}/v1` };
  const embeddings = new OpenAIEmbeddings({ model: "text-embedding-3-small", apiKey, configuration, dimensions: 16 });
  const vectors = await embeddings.embedDocuments([prompt, "Another text"]);
  expect(vectors.map((vector) => vector.length)).toEqual([16, 16]);
});
