import { describe, expect, it, onTestFinished } from "vitest";
import type { Connection } from "#contract";
import { connectionSchema } from "#contract";
import { createFakeMachine } from "../../service/testing/index.ts";
import { startStandIn } from "../testing/stand-in.ts";
import type { BatchAdapter } from "./batch-adapter.ts";
import { openBatchAdapter } from "./open-adapter.ts";

const signal = new AbortController().signal;

/** A service that has the key in every place of a batch and its results. */
const services = {
  "openai-batch": (key: string) => {
    const answer = { choices: [{ message: { role: "assistant", content: `It is ${key}.` }, finish_reason: "stop" }] };
    const error = { message: `Invalid API key: ${key}. Model ${key} is unknown.`, type: "t", param: null, code: key };
    const batch = { id: "b", status: "failed", output_file_id: "f", errors: [`Bearer ${key} has no credit.`] };
    const lines = [
      { custom_id: `${key}-1`, response: { status_code: 200, request_id: key, body: answer } },
      { custom_id: key, response: { status_code: 401, body: { error } } },
      { custom_id: "late", response: null, error: { code: "batch_expired", message: `key=${key} expired` } },
    ];
    return { batch, lines };
  },
  "anthropic-batch": (key: string) => {
    const content = [{ type: "text", text: `It is ${key}.` }];
    const usage = { input_tokens: 1, output_tokens: 1 };
    const message = {
      id: "m",
      type: "message",
      role: "assistant",
      model: "m",
      content,
      stop_reason: "end_turn",
      usage,
    };
    const error = { type: "authentication_error", message: `Invalid API key: ${key}. Model ${key} is unknown.` };
    const request_counts = { processing: 0, succeeded: 1, errored: 1, canceled: 0, expired: 0 };
    const batch = { id: "b", processing_status: "ended", request_counts, results_url: "r" };
    const lines = [
      { custom_id: `${key}-1`, result: { type: "succeeded", message } },
      { custom_id: key, result: { type: "errored", error: { type: "error", error } } },
    ];
    return { batch, lines };
  },
  "gemini-batch": (key: string) => {
    const candidates = [{ content: { role: "model", parts: [{ text: `It is ${key}.` }] }, finishReason: "STOP" }];
    const metadata = { state: "BATCH_STATE_SUCCEEDED", output: { responsesFile: "files/f" } };
    const batch = { name: "batches/b", metadata, error: { message: `Bearer ${key} has no credit.` } };
    const lines = [
      { key: `${key}-1`, response: { candidates, usageMetadata: { promptTokenCount: 1, totalTokenCount: 2 } } },
      { key, error: { code: 16, message: `Invalid API key: ${key}. Model ${key} is unknown.` } },
    ];
    return { batch, lines };
  },
} as const;

async function open(adapter: keyof typeof services, key: string): Promise<BatchAdapter> {
  const { batch, lines } = services[adapter](key);
  const service = await startStandIn(({ path }) => ({
    body: /content|results|download/.test(path) ? lines.map((line) => `${JSON.stringify(line)}\n`).join("") : batch,
  }));
  onTestFinished(service.close);
  const connection: Connection = connectionSchema.parse({
    id: "conn_a",
    name: "Service",
    adapter,
    preset: null,
    url: service.url,
  });
  const opened = openBatchAdapter(connection, { key, machine: createFakeMachine() });
  if (opened === null) throw new Error("It has no batches.");
  onTestFinished(opened.close);
  return opened;
}

describe.each(Object.keys(services) as (keyof typeof services)[])("results of %s", (name) => {
  it.each(["ollama", "EMPTY", "l-1", "sk-0123456789abcdef0123456789abcdef01234"])(
    "have answers and ids as they came, and errors without the key %s",
    async (key) => {
      const adapter = await open(name, key);
      const batch = await adapter.get("b", signal);
      const results = await Array.fromAsync(adapter.results(batch, signal));
      const isWord = key.length < 8;
      expect(results.slice(0, 2)).toMatchObject([
        {
          remoteId: `${key}-1`,
          outcome: { state: "answered", completion: { choices: [{ message: { content: `It is ${key}.` } }] } },
        },
        {
          remoteId: key,
          outcome: {
            state: "failed",
            error: { message: `Invalid API key: [key]. Model ${isWord ? key : "[key]"} is unknown.` },
          },
        },
      ]);
      const last = { remoteId: "late", outcome: { state: "never_ran", message: "key=[key] expired" } };
      if (name === "openai-batch") expect(results.slice(2)).toMatchObject([last]);
      expect(batch.errors).toEqual(name === "anthropic-batch" ? [] : ["Bearer [key] has no credit."]);
    },
  );

  it("that are no results are refused, with their beginning but without the key", async () => {
    const key = "sk-0123456789";
    const service = await startStandIn(({ path }) => ({
      body: /content|results|download/.test(path) ? `<p>${key}</p>` : services[name](key).batch,
    }));
    onTestFinished(service.close);
    const connection = connectionSchema.parse({
      id: "conn_a",
      name: "Service",
      adapter: name,
      preset: null,
      url: service.url,
    });
    const adapter = openBatchAdapter(connection, { key, machine: createFakeMachine() });
    const reading = async () => Array.fromAsync((await adapter?.results(await adapter.get("b", signal), signal)) ?? []);
    await expect(reading()).rejects.toMatchObject({ code: "results_unreadable", details: "<p>[key]</p>" });
    await adapter?.close();
  });
});
