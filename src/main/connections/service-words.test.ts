import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { AdapterName } from "#contract";
import type { Service } from "#main/service";
import { testConnection } from "./test-connection.ts";
import { createTestFolder, submitQuestions, type TestFolder, until } from "./testing/open-service.ts";
import type { Kind } from "./testing/scenarios/kinds.ts";
import { lineBehavioursOf } from "./testing/scenarios/line-behaviours.ts";
import { startScenario } from "./testing/scenarios/start-scenario.ts";
import { startStandIn } from "./testing/stand-in.ts";

/*
 * What services say of a line, by stand-ins that play what they have been seen to do: each word and message is kept, in calls
 * and in batches.
 */

const key = "sk-0123456789abcdef";
let folder: TestFolder;
let service: Service & { stop(): Promise<void> };
beforeAll(async () => {
  folder = await createTestFolder(120_000, 200);
  service = await folder.open();
});
afterAll(async () => {
  await service.stop();
  await folder.remove();
});

const adapters: Partial<Readonly<Record<Kind, { adapter: AdapterName; preset: string | null }>>> = {
  chat: { adapter: "chat", preset: null },
  openai: { adapter: "openai-batch", preset: "openai" },
  anthropic: { adapter: "anthropic-batch", preset: "anthropic" },
  gemini: { adapter: "gemini-batch", preset: "gemini" },
};

let number = 0;
async function run(kind: Kind, behaviours: readonly string[], others = 0) {
  const scenario = await startScenario(kind, { key, machine: folder.machine, endsAfter: 1 });
  onTestFinished(() => scenario.close());
  const { adapter = "chat", preset = null } = adapters[kind] ?? {};
  number += 1;
  const name = `${kind} ${number}`;
  const connection = await folder.store.save({ name, adapter, preset, url: scenario.url, concurrency: 4 }, key);
  const questions = [...behaviours, ...Array.from({ length: others }, (_, at) => `other ${at}`)];
  for (const behaviour of behaviours) scenario.playLine(behaviour, behaviour);
  const { id } = await submitQuestions(service, connection.id, questions);
  return { scenario, id, lineOf: (behaviour: string) => service.results.line(id, questions.indexOf(behaviour) + 1) };
}

const waitingOf = (id: string) => service.batches.get(id)?.waiting ?? "";
const settled = (id: string) => until(() => service.batches.get(id)?.status === "completed", "The end");

/** Words with an exact counterpart in the language of results. */
const counterparts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  anthropic: {
    end_turn: "stop",
    stop_sequence: "stop",
    max_tokens: "length",
    model_context_window_exceeded: "length",
    tool_use: "tool_calls",
    refusal: "content_filter",
  },
  gemini: { STOP: "stop", MAX_TOKENS: "length", SAFETY: "content_filter" },
};
const none: Readonly<Record<string, null>> = { null: null, missing: null, "empty text": null };

describe.each(["chat", "openai", "anthropic", "gemini"] as const)("%s", (kind) => {
  it("has each finish reason in its own word", async () => {
    const names = lineBehavioursOf(kind, kind === "chat" ? "calls" : "batches").filter((name) =>
      /^finish: /.test(name),
    );
    const { id, lineOf } = await run(kind, names);
    await settled(id);
    for (const name of names) {
      const word = name.slice("finish: ".length);
      // A choice that ended with an error is a failed line.
      if (word === "error") continue;
      const { finishReason } = await lineOf(name);
      expect(finishReason, name).toBe(word in none ? null : (counterparts[kind]?.[word] ?? word));
    }
  });

  it("has each error of a line with the service's message, asked once", async () => {
    const names = lineBehavioursOf(kind, kind === "chat" ? "calls" : "batches").filter((name) =>
      /^400 that|^413 that|2,500|error in a list|FastAPI|Azure|type: null|as text|message alone|Requested above|^tool call$/.test(
        name,
      ),
    );
    const { scenario, id, lineOf } = await run(kind, names, 3);
    await settled(id);
    for (const name of names) {
      const { state, statusCode, answer } = await lineOf(name);
      expect([name, scenario.bill.line(name).asked]).toEqual([name, 1]);
      if (name === "tool call") continue;
      expect([name, state]).toEqual([name, "failed"]);
      expect(statusCode ?? 0, name).toBeGreaterThanOrEqual(400);
      const words = messages[name];
      if (words !== undefined) expect(answer, name).toContain(words);
    }
  });
});

const messages: Readonly<Record<string, string>> = {
  "400 that quotes the prompt": "insufficient funds",
  "error in a list": "Invalid value at 'messages'.",
  "FastAPI: detail as text": "Prompt is longer than this server allows.",
  "FastAPI: detail as a list": "messages: Field required",
  "Azure: innererror": "Filtered for: violence (medium).",
  "type: null": "Unsupported value for temperature.",
  "error as text": "Only one system message is allowed.",
  "message alone": "Invalid request: temperature is above 1.",
  "429: Requested above Limit": "Requested 45411",
  "a message of 2,500 characters": "end.",
};

describe.each(["chat", "anthropic", "gemini"] as const)("%s asked one by one", (kind) => {
  const waits = lineBehavioursOf(kind, "calls").filter((name) => /^wait: (?!nothing|retry-after, an hour)/.test(name));
  it.each(waits)("%s: nothing is sent before the time, and no line fails", async (name) => {
    const scenario = await startScenario(kind, { key, machine: folder.machine });
    onTestFinished(() => scenario.close());
    scenario.playLine("*", name);
    const { adapter = "chat", preset = null } = adapters[kind] ?? {};
    number += 1;
    const about = { name: `${kind} ${number}`, adapter, preset, url: scenario.url, concurrency: 2 };
    const connection = await folder.store.save(about, key);
    const questions = ["a", "b", "c", "d", "e", "f"];
    const { id } = await submitQuestions(service, connection.id, questions, { direct: true });
    await settled(id);
    expect(service.batches.get(id)?.counts).toEqual({ total: 6, completed: 6, failed: 0 });
    // Two were under way, and the second was refused next to the first.
    expect(scenario.bill.early).toBeLessThanOrEqual(1);
    expect(scenario.bill.calls).toBeLessThanOrEqual(6 + 3);
  });
});

it("LM Studio's 200 for a path that it does not have is no answer: the batch waits, and offers the address with /v1", async () => {
  const scenario = await startScenario("chat", { key, machine: folder.machine });
  onTestFinished(() => scenario.close());
  scenario.play("lm studio");
  const { origin } = new URL(scenario.url);
  const about = { name: "Studio", adapter: "chat" as const, preset: null, concurrency: 2 };
  const connection = await folder.store.save({ ...about, url: origin }, key);
  const reports = await Array.fromAsync(
    testConnection(connection, { key, machine: folder.machine }, new AbortController().signal),
  );
  expect(reports.at(-1)?.checks).toMatchObject([{ what: "address", state: "fails", suggestedUrl: `${origin}/v1` }]);

  const { id } = await submitQuestions(service, connection.id, ["a", "b", "c", "d"]);
  await until(() => waitingOf(id).includes("/v1"), "The address");
  expect(waitingOf(id)).toContain(
    `Studio answered with something that is not this API. Change its address: try ${origin}/v1.`,
  );
  expect(service.batches.get(id)?.counts).toEqual({ total: 4, completed: 0, failed: 0 });
  await folder.store.save({ ...connection, url: `${origin}/v1` }, key);
  await settled(id);
  expect(service.batches.get(id)?.counts).toEqual({ total: 4, completed: 4, failed: 0 });
});

it("a server that cuts prompts is said in the batch, with what to do, and its lines are answered", async () => {
  const standIn = await startStandIn(() => ({
    body: {
      choices: [{ index: 0, message: { content: "Yes." }, finish_reason: "stop" }],
      usage: { prompt_tokens: 2_048, completion_tokens: 1, total_tokens: 2_049 },
    },
  }));
  onTestFinished(() => standIn.close());
  const about = { name: "Cutting", adapter: "chat" as const, preset: null, url: `${standIn.url}/v1`, concurrency: 1 };
  const { id: connection } = await folder.store.save(about);
  const { id } = await submitQuestions(
    service,
    connection,
    ["27000", "26000", "25000", "24000"].map((count) => "apple ".repeat(Number(count))),
  );
  await settled(id);
  expect(service.batches.get(id)).toMatchObject({
    counts: { completed: 4, failed: 0 },
    notice: expect.stringMatching(
      /^The server seems to cut prompts: it counted 2,048 tokens where about 25,\d\d\d were sent/,
    ),
  });
});
