import { ApiError, GoogleGenAI, Type } from "@google/genai";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { apiKey, json, startTestServer, type TestServer } from "./testing/test-server.ts";

const model = "gemini-3-flash";
const hello = { model, contents: "How many days has a leap year?" };
const weather = {
  name: "get_weather",
  description: "The weather of a city.",
  parameters: { type: Type.OBJECT, properties: { city: { type: Type.STRING } }, required: ["city"] },
};

let server: TestServer;
let client: GoogleGenAI;
const connect = (key: string, path = "") =>
  new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: server.url + path } });
beforeAll(async () => {
  server = await startTestServer();
  client = connect(apiKey);
});
afterAll(() => server.close());
beforeEach(() => server.service.faults.clear());

/** What a call fails with: the status, and the body that the client has as its message. */
async function failureOf(call: Promise<unknown>) {
  const error: unknown = await call.catch((reason: unknown) => reason);
  if (!(error instanceof ApiError)) throw error;
  return { status: error.status, error: JSON.parse(error.message).error };
}

describe("generateContent, asked by Gemini's client", () => {
  it("answers for any model, whole and streamed alike", async () => {
    const answer = await client.models.generateContent({ ...hello, config: { systemInstruction: "Be brief." } });
    expect(answer.text).toMatch(/\w/);
    expect(answer).toMatchObject({ modelVersion: model, candidates: [{ finishReason: "STOP", index: 0 }] });
    const { totalTokens } = await client.models.countTokens(hello);
    const plain = await client.models.generateContent(hello);
    expect(plain.usageMetadata).toMatchObject({ promptTokenCount: totalTokens });

    const events = await Array.fromAsync(await client.models.generateContentStream(hello));
    expect(events.length).toBeGreaterThan(3);
    expect(events.map(({ text = "" }) => text).join("")).toBe(plain.text);
    expect(events.at(-1)).toMatchObject({ candidates: [{ finishReason: "STOP" }], usageMetadata: plain.usageMetadata });
    const slashed = await client.models.generateContent({ ...hello, model: "org/llama3:8b" });
    expect(slashed.modelVersion).toBe("org/llama3:8b");
  });

  it("calls functions, and answers with their responses", async () => {
    const ask = {
      model,
      contents: [{ role: "user", parts: [{ text: "The weather in Rome?" }] }],
      config: { tools: [{ functionDeclarations: [weather] }] },
    };
    const answer = await client.models.generateContent(ask);
    const [call] = answer.functionCalls ?? [];
    expect(call).toMatchObject({ name: "get_weather", args: { city: expect.any(String) } });
    const streamed = await Array.fromAsync(await client.models.generateContentStream(ask));
    expect(streamed.flatMap(({ functionCalls = [] }) => functionCalls)).toMatchObject([{ args: call?.args }]);

    const content = answer.candidates?.[0]?.content ?? { parts: [] };
    const response = { functionResponse: { name: "get_weather", response: { result: "Sunny." } } };
    const contents = [...ask.contents, content, { role: "user", parts: [response] }];
    expect((await client.models.generateContent({ ...ask, contents })).text).toMatch(/\w/);
    const toolConfig = { functionCallingConfig: { mode: "ANY" as const, allowedFunctionNames: ["get_weather"] } };
    const forced = await client.models.generateContent({ ...hello, config: { ...ask.config, toolConfig } as never });
    expect(forced.functionCalls).toHaveLength(1);
  });

  it("answers JSON by a schema, in the vendor's form or as JSON schema", async () => {
    const responseSchema = {
      type: Type.OBJECT,
      properties: { days: { type: Type.INTEGER, minimum: 300 }, note: { type: Type.STRING, nullable: true } },
      required: ["days", "note"],
    };
    const responseJsonSchema = { type: "object", properties: { days: { type: "integer" } }, required: ["days"] };
    for (const schema of [{ responseSchema }, { responseJsonSchema }]) {
      const config = { responseMimeType: "application/json", ...schema };
      const { text = "" } = await client.models.generateContent({ ...hello, config });
      expect(JSON.parse(text)).toMatchObject({ days: expect.any(Number) });
    }
  });

  it("embeds texts as the embeddings of the compatible API do", async () => {
    const config = { outputDimensionality: 8, taskType: "RETRIEVAL_QUERY" };
    const contents = ["a red fox", "tax law"];
    const { embeddings = [] } = await client.models.embedContent({ model: "text-embedding-3-small", contents, config });
    const { data } = await server.client.embeddings.create({
      model: "text-embedding-3-small",
      input: contents,
      dimensions: 8,
      encoding_format: "float",
    });
    expect(embeddings.map(({ values }) => values)).toEqual(data.map(({ embedding }) => embedding));
    const body = { content: { parts: [{ text: "tax law" }] }, output_dimensionality: 8 };
    const single = await server.request("/v1beta/models/text-embedding-3-small:embedContent", json(body));
    expect(await single.json()).toEqual({ embedding: { values: data[1]?.embedding } });
  });

  it("takes names as in Python, and the key in the address, which no log shows", async () => {
    const body = {
      contents: [{ parts: [{ text: "Hi" }] }],
      system_instruction: { parts: [{ text: "Be brief." }] },
      generation_config: { max_output_tokens: 5 },
    };
    const post = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const path = `/v1beta/models/${model}:generateContent`;
    const answer = await fetch(`${server.url}${path}?key=${apiKey}`, post);
    expect(await answer.json()).toMatchObject({ candidates: [{ finishReason: "MAX_TOKENS" }] });
    const array = await fetch(`${server.url}/v1beta/models/${model}:streamGenerateContent?key=${apiKey}`, post);
    expect(await array.json()).toMatchObject([{ candidates: [{ finishReason: "MAX_TOKENS" }] }]);
    expect((await fetch(`${server.url}${path}?key=AIza-someone-elses`, post)).status).toBe(400);
    const log = await (await server.request("/sheaf/requests?limit=10")).text();
    expect(log).toContain("key=***");
    expect(log).not.toMatch(new RegExp(`${apiKey}|someone-elses`));
  });

  it("refuses by its name what a chat completion has no counterpart for", async () => {
    const cases: [object, string][] = [
      [{ config: { tools: [{ googleSearch: {} }] } }, "tools[0].googleSearch"],
      [{ config: { cachedContent: "cachedContents/1" } }, "cachedContent"],
      [{ config: { temperature: 3 } }, "generationConfig.temperature is 3"],
      [
        { contents: [{ role: "user", parts: [{ executableCode: { code: "1", language: "PYTHON" } }] }] },
        "contents[0].parts[0].executableCode",
      ],
    ];
    for (const [change, named] of cases) {
      const { status, error } = await failureOf(client.models.generateContent({ ...hello, ...change }));
      expect({ status, code: error.code, name: error.status }).toEqual({
        status: 400,
        code: 400,
        name: "INVALID_ARGUMENT",
      });
      expect(error.message).toContain(named);
    }
  });

  it("has errors and faults in the vendor's shape", async () => {
    expect(await failureOf(connect("AIza-wrong").models.generateContent(hello))).toMatchObject({
      status: 400,
      error: { status: "INVALID_ARGUMENT", details: [{ reason: "API_KEY_INVALID" }] },
    });
    const missing = await server.request("/v1beta/nowhere");
    expect([missing.status, await missing.json()]).toMatchObject([404, { error: { code: 404, status: "NOT_FOUND" } }]);
    const alpha = await fetch(`${server.url}/v1alpha/models/${model}:generateContent`, {
      ...json({ contents: [{ role: "user", parts: [{ text: "Hi" }] }] }),
      headers: { "content-type": "application/json", "x-goog-api-key": apiKey },
    });
    expect([alpha.status, await alpha.json()]).toMatchObject([200, { candidates: [{ finishReason: "STOP" }] }]);
    for (const path of ["/v1/interactions", "/v1alpha/nowhere", "/models/gemini:generateContent"]) {
      const unknown = await fetch(server.url + path, { method: "POST", headers: { "x-goog-api-key": apiKey } });
      expect([unknown.status, await unknown.json()], path).toMatchObject([
        404,
        { error: { code: 404, status: "NOT_FOUND" } },
      ]);
    }
    for (const path of ["/v1/models/acme/x:predict", "/v1alpha/models/x:predict"]) {
      const refused = await fetch(server.url + path, { method: "POST", headers: { "x-goog-api-key": apiKey } });
      const { error } = z.object({ error: z.object({ message: z.string() }) }).parse(await refused.json());
      expect(error.message).toBe(`POST is not allowed at '${path}'; it takes GET, HEAD.`);
    }
    for (const [status, name] of [
      [503, "UNAVAILABLE"],
      [429, "RESOURCE_EXHAUSTED"],
      [500, "INTERNAL"],
    ] as const) {
      server.service.faults.set({ ...server.service.faults.settings, failure_rate: 1, statuses: [status] });
      expect(await failureOf(client.models.generateContent(hello))).toMatchObject({
        status,
        error: { code: status, status: name },
      });
    }
  });

  it("lists the models of the server, and takes any other", async () => {
    const ids = await Array.fromAsync(await client.models.list({ config: { pageSize: 3 } }), ({ name }) => name);
    expect(ids).toEqual(server.service.models.list().map(({ id }) => `models/${id}`));
    for (const pageSize of [0, 5_000]) {
      expect((await client.models.list({ config: { pageSize } })).page).toHaveLength(ids.length);
    }
    expect((await server.request("/v1beta/models?pageSize=-1")).status).toBe(400);
    expect(await client.models.get({ model: ids[0] ?? "" })).toMatchObject({ inputTokenLimit: 131_000 });
    expect(await client.models.get({ model })).toMatchObject({ name: `models/${model}` });
  });

  it("is asked at /v1 and at /v1beta, and shares paths with the others by what its clients send", async () => {
    const beta = new GoogleGenAI({ apiKey, apiVersion: "v1beta", httpOptions: { baseUrl: server.url } });
    expect((await beta.models.generateContent(hello)).text).toMatch(/\w/);
    const paths = (await (await server.request("/sheaf/requests?limit=1")).json()) as { data: { path: string }[] };
    expect(paths.data[0]?.path).toBe(`/v1beta/models/${model}:generateContent`);
    await client.models.generateContent(hello);
    const asked = (await (await server.request("/sheaf/requests?limit=1")).json()) as typeof paths;
    expect(asked.data[0]?.path).toBe(`/v1/models/${model}:generateContent`);
    const shapeOf = async (path: string, headers: Record<string, string>) => {
      const response = await server.request(path, { headers });
      const { object, models, files, operations, has_more } = (await response.json()) as Record<string, unknown>;
      return object === "list"
        ? "law"
        : (models ?? files ?? operations)
          ? "gemini"
          : has_more === undefined
            ? "?"
            : "anthropic";
    };
    for (const path of ["/v1/models", "/v1/batches"]) {
      expect(await shapeOf(path, {})).toBe("law");
      expect(await shapeOf(path, { "x-goog-api-client": "google-genai-sdk/3.3.0" })).toBe("gemini");
      expect(await shapeOf(path, { "x-goog-api-key": apiKey })).toBe("gemini");
      expect(await shapeOf(`${path}?key=${apiKey}`, {})).toBe("gemini");
    }
    const both = { "anthropic-version": "2023-06-01", "x-goog-api-client": "proxy" };
    expect(await shapeOf("/v1/models", both)).toBe("anthropic");
  });
});
