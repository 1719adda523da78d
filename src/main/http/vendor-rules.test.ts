import Anthropic from "@anthropic-ai/sdk";
import { ApiError, GoogleGenAI } from "@google/genai";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { apiKey, json, startTestServer, type TestServer } from "./testing/test-server.ts";

const model = "some-model";
let server: TestServer;
let anthropic: Anthropic;
let gemini: GoogleGenAI;
beforeAll(async () => {
  server = await startTestServer({ rateLimit: true, tier: "standard" });
  anthropic = new Anthropic({ apiKey, baseURL: server.url, maxRetries: 0 });
  gemini = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: server.url } });
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.request("/sheaf/reset?all=true", { method: "POST" });
});

const setRules = async (...rules: object[]) => {
  const answer = await server.request("/sheaf/rules", { ...json({ rules }), method: "PUT" });
  expect(answer.status).toBe(200);
};
const askAnthropic = (content: string, more = {}) =>
  anthropic.messages.create({ model, max_tokens: 100, messages: [{ role: "user", content }], ...more });
const askGemini = (contents: string, config = {}) => gemini.models.generateContent({ model, contents, config });

describe("other vendors' clients", () => {
  it("are answered by the rules, with their texts, calls and errors", async () => {
    const calls = [{ name: "look", arguments: { at: 1 } }];
    await setRules(
      { match: { last_user_message: { contains: "refund" } }, reply: { text: "Within 30 days." } },
      { match: { last_user_message: { contains: "look" } }, reply: { tool_calls: calls, reasoning: "Hm." } },
      { match: { last_user_message: { contains: "busy" } }, reply: { error: { status: 529, message: "Busy." } } },
    );
    expect((await askAnthropic("A refund?")).content).toMatchObject([{ text: "Within 30 days." }]);
    expect((await askGemini("A refund?")).text).toBe("Within 30 days.");

    expect((await askAnthropic("look")).content).toMatchObject([
      { type: "thinking", thinking: "Hm." },
      { type: "tool_use", name: "look", input: { at: 1 } },
    ]);
    const streamed = await anthropic.messages
      .stream({ model, max_tokens: 9, messages: [{ role: "user", content: "look" }] })
      .finalMessage();
    expect(streamed.content).toMatchObject([{ thinking: "Hm." }, { input: { at: 1 } }]);
    expect((await askGemini("look")).candidates?.[0]?.content?.parts).toMatchObject([
      { functionCall: { name: "look" } },
    ]);
    const thinking = await askGemini("look", { thinkingConfig: { includeThoughts: true } });
    expect(thinking.candidates?.[0]?.content?.parts).toMatchObject([
      { thought: true, text: "Hm." },
      { functionCall: { args: { at: 1 } } },
    ]);

    await expect(askAnthropic("busy")).rejects.toMatchObject({
      status: 529,
      type: "overloaded_error",
      apiMessage: "Busy.",
    });
    const refused: unknown = await askGemini("busy").catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ApiError);
    expect(String(refused)).toContain("Busy.");
    const seen = await (await server.request("/sheaf/requests?path=/v1/messages")).json();
    expect(seen).toMatchObject({ data: [{ status: 529 }, {}, {}, { response: { body: { type: "message" } } }] });
  });

  it("get thoughts where they ask for some, with a rule and without", async () => {
    const thinking = { type: "enabled", budget_tokens: 1_024 } as const;
    const more = { max_tokens: 2_000, thinking };
    const answer = await askAnthropic("Why?", more);
    expect(answer.content).toMatchObject([{ type: "thinking", signature: expect.any(String) }, { type: "text" }]);
    expect(answer.usage.output_tokens_details?.thinking_tokens).toBeGreaterThan(10);
    const messages = [{ role: "user" as const, content: "Why?" }];
    const streamed = await anthropic.messages.stream({ model, messages, ...more }).finalMessage();
    expect(streamed.content).toEqual(answer.content);
    expect((await askAnthropic("Why?", { thinking: { type: "disabled" } })).content).toMatchObject([{ type: "text" }]);

    const config = { thinkingConfig: { includeThoughts: true, thinkingBudget: 8 } };
    const thought = await askGemini("Why?", config);
    expect(thought.candidates?.[0]?.content?.parts).toMatchObject([{ thought: true }, { text: expect.any(String) }]);
    expect(thought.usageMetadata?.thoughtsTokenCount).toBe(8);
    const silent = await askGemini("Why?", { thinkingConfig: { thinkingBudget: 8 } });
    expect(silent.candidates?.[0]?.content?.parts).toHaveLength(1);
    expect(silent.usageMetadata?.thoughtsTokenCount).toBe(8);
    const none = await askGemini("Why?", { thinkingConfig: { includeThoughts: true, thinkingBudget: 0 } });
    expect(none.candidates?.[0]?.content?.parts).toHaveLength(1);

    await setRules({ reply: { text: "Because." } });
    expect((await askAnthropic("Why?", more)).content).toMatchObject([{ type: "thinking" }, { text: "Because." }]);
    await setRules({ reply: { text: "Because.", reasoning: "" } });
    expect((await askAnthropic("Why?", more)).content).toMatchObject([{ text: "Because." }]);
  });

  it("meet cut connections, broken streams and rate limits as the others do", async () => {
    const { settings } = server.service.faults;
    server.service.faults.set({ ...settings, drop_rate: 1 });
    const stream = () =>
      anthropic.messages.stream({ model, max_tokens: 99, messages: [{ role: "user", content: "Hi" }] }).finalMessage();
    await expect(stream()).rejects.toThrow();
    const events = async () => Array.fromAsync(await gemini.models.generateContentStream({ model, contents: "Hi" }));
    await expect(events()).rejects.toThrow();
    server.service.faults.set({ ...settings, malformed_rate: 1 });
    await expect(askAnthropic("Hi")).rejects.toThrow();
    server.service.faults.clear();

    await setRules({ match: {}, reply: { text: "a b c d e f", cut_after: 3 } });
    await expect(stream()).rejects.toThrow();
    await expect(events()).rejects.toThrow();

    const outcome = { headers: { "x-sheaf-outcome": "rate_limit" } };
    const hello = { model, max_tokens: 9, messages: [{ role: "user" as const, content: "Hi" }] };
    await expect(anthropic.messages.create(hello, outcome)).rejects.toMatchObject({
      status: 429,
      type: "rate_limit_error",
    });

    await setRules();
    let limited: unknown = null;
    for (let calls = 0; calls < 70 && limited === null; calls++) {
      limited = await askGemini("Hi").then(
        () => null,
        (error: unknown) => error,
      );
    }
    expect(JSON.parse(limited instanceof ApiError ? limited.message : "{}")).toMatchObject({
      error: { code: 429, status: "RESOURCE_EXHAUSTED" },
    });
    const refused: unknown = await askAnthropic("Hi").catch((error: unknown) => error);
    expect(refused).toMatchObject({ status: 429, type: "rate_limit_error" });
    expect(refused instanceof Anthropic.RateLimitError && refused.headers.get("retry-after")).toMatch(/^\d+$/);
  });
});
