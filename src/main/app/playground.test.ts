import { setImmediate as nextTurn } from "node:timers/promises";
import { safe } from "@orpc/client";
import { afterEach, beforeEach, expect, it } from "vitest";
import { connectionSchema, type PlaygroundEvent, type PlaygroundRequest } from "#contract";
import { startAnthropicService } from "../connections/testing/anthropic-service.ts";
import { startGeminiService } from "../connections/testing/gemini-service.ts";
import { startStandIn } from "../connections/testing/stand-in.ts";
import { type AppFixture, connectPort, openApp, type RpcClient } from "./testing/app-fixture.ts";

let fixture: AppFixture;
let client: RpcClient;
beforeEach(async () => {
  fixture = await openApp();
  client = connectPort(fixture.app).client;
});
afterEach(() => fixture.close());

async function ask(request: Partial<PlaygroundRequest>, signal?: AbortSignal): Promise<PlaygroundEvent[]> {
  const whole: PlaygroundRequest = {
    connectionId: null,
    model: "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo",
    messages: [{ role: "user", content: "Why is the sky blue?" }],
    ...request,
  };
  const events: PlaygroundEvent[] = [];
  for await (const event of await client.playground.ask(whole, { ...(signal && { signal }) })) events.push(event);
  return events;
}
const textOf = (events: readonly PlaygroundEvent[]) =>
  events.map((event) => (event.type === "delta" ? event.text : "")).join("");

it("a question is answered piece by piece on this computer, with its tokens and time", async () => {
  const events = await ask({ maxTokens: 12 });
  expect(events.filter(({ type }) => type === "delta").length).toBeGreaterThan(1);
  expect(textOf(events)).toMatch(/\w/);
  expect(events.at(-1)).toEqual({
    type: "done",
    finish: "length",
    promptTokens: expect.any(Number),
    completionTokens: 12,
    milliseconds: expect.any(Number),
  });
});

it("an answer that is stopped ends", async () => {
  await client.server.change({ pace: 60_000 });
  const stop = new AbortController();
  const stopped = expect(ask({}, stop.signal)).rejects.toThrow();
  // By then the engine waits for its first piece.
  for (let turn = 0; turn < 50; turn++) await nextTurn();
  stop.abort();
  await stopped;
});

it("a connection answers with its own key, and its failures are said in words", async () => {
  const stream = (text: string) => ({
    headers: { "content-type": "text/event-stream" },
    body: [
      JSON.stringify({ choices: [{ index: 0, delta: { content: text } }] }),
      JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }),
      "[DONE]",
    ]
      .map((data) => `data: ${data}\n\n`)
      .join(""),
  });
  const replies: (() => { status?: number; headers?: Record<string, string>; body: unknown })[] = [
    () => stream("Blue"),
    () => stream("Small"),
    () => ({ status: 401, body: { error: { message: "no such key" } } }),
  ];
  const server = await startStandIn(() => replies.shift()?.() ?? { status: 500, body: {} });
  try {
    const parts = { name: "Lab", adapter: "chat" as const, preset: null, url: `${server.url}/v1` };
    const { id } = await client.connections.save({
      connection: connectionSchema.partial({ id: true }).parse(parts),
      key: "sk-lab-0123456789",
    });
    const events = await ask({ connectionId: id, model: "tiny" });
    expect(textOf(events)).toBe("Blue");
    expect(events.at(-1)).toMatchObject({ type: "done", finish: "stop" });
    expect(server.received[0]).toMatchObject({ headers: { authorization: "Bearer sk-lab-0123456789" } });

    // The same connection can answer in place of the mock.
    const { server: view } = await client.server.change({
      engine: { kind: "upstream", connectionId: id, model: "small" },
    });
    expect(view.engine).toContain(server.url);
    expect(textOf(await ask({}))).toBe("Small");
    expect(String(server.received[1]?.body)).toContain('"model":"small"');
    await client.server.change({ engine: { kind: "mock" } });
    const [failed] = await ask({ connectionId: id });
    expect(failed).toMatchObject({ type: "failed", message: expect.stringMatching(/^Lab refused the key\. Enter/) });
    expect(JSON.stringify(failed)).not.toContain("sk-lab");
    await server.close();
    expect(await ask({ connectionId: id })).toMatchObject([
      {
        type: "failed",
        message: expect.stringContaining("Lab can't be reached: nothing listens there. Check the address"),
      },
    ]);
    await client.connections.remove({ id });
    expect((await safe(ask({ connectionId: id }))).error).toMatchObject({ code: "NOT_FOUND" });
  } finally {
    await server.close().catch(() => undefined);
  }
});

it.each([
  ["anthropic", "anthropic-batch", startAnthropicService],
  ["gemini", "gemini-batch", startGeminiService],
] as const)("a service with an API of its own answers piece by piece, too: %s", async (preset, adapter, start) => {
  const server = await start("sk-lab-0123456789");
  try {
    const { id } = await client.connections.save({
      connection: connectionSchema.partial({ id: true }).parse({ name: "Lab", adapter, preset, url: server.url }),
      key: "sk-lab-0123456789",
    });
    const events = await ask({ connectionId: id, model: "large" });
    expect(events.map(({ type }) => type)).toEqual(["delta", "delta", "done"]);
    expect(textOf(events)).toBe("answer to Why is the sky blue?");
    expect(events.at(-1)).toMatchObject({ finish: "stop", promptTokens: expect.any(Number) });
  } finally {
    await server.close();
  }
});
