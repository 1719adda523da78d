import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Groq from "groq-sdk";
import OpenAI, { AzureOpenAI, toFile } from "openai";
import Together from "together-ai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFakeMachine } from "../../service/testing/index.ts";
import { presets } from "../presets.ts";
import { type Flavour, startOpenaiService } from "../testing/openai-service.ts";
import type { RemoteResult } from "./batch-adapter.ts";
import { createOpenaiBatchAdapter, readResultLine } from "./openai-batch.ts";

const key = "sk-0123456789abcdef";
const signal = new AbortController().signal;
let folder: string;
let path: string;

const line = (id: string) => ({
  custom_id: id,
  method: "POST",
  url: "/v1/chat/completions",
  body: { model: "some-model", messages: [{ role: "user" as const, content: id }] },
});
/** A line separator of Unicode is text like any other: only a line feed ends a line. */
const ids = ["a", "b", "c\u2028\u2029d"];
const content = ids.map((id) => `${JSON.stringify(line(id))}\n`).join("");

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sheaf-openai-"));
  path = join(folder, "part.jsonl");
  await writeFile(path, content);
});
afterAll(() => rm(folder, { recursive: true }));

const order = { endpoint: "/v1/chat/completions", completion_window: "24h" } as const;

async function runBatch(client: OpenAI, end: () => void): Promise<string> {
  const { id: input_file_id } = await client.files.create({
    file: await toFile(Buffer.from(content), "b.jsonl"),
    purpose: "batch",
  });
  const { id } = await client.batches.create({ input_file_id, ...order });
  end();
  const { output_file_id } = await client.batches.retrieve(id);
  return await (await client.files.content(output_file_id ?? "")).text();
}

/** A whole batch by each vendor's own client: upload, create, poll, download. */
const vendors: Record<Flavour, (url: string, end: () => void) => Promise<string>> = {
  openai: (url, end) => runBatch(new OpenAI({ baseURL: url, apiKey: key }), end),
  azure: (url, end) => runBatch(new AzureOpenAI({ baseURL: url, apiKey: key, apiVersion: "preview" }), end),
  async groq(url, end) {
    const client = new Groq({ baseURL: url, apiKey: key });
    const file = new File([content], "b.jsonl");
    const { id: input_file_id = "" } = await client.files.create({ file, purpose: "batch" });
    const { id } = await client.batches.create({ input_file_id, ...order });
    end();
    const { output_file_id } = await client.batches.retrieve(id);
    return await (await client.files.content(output_file_id ?? "")).text();
  },
  async together(url, end) {
    const client = new Together({ baseURL: url, apiKey: key });
    // The client's own upload ignores its base address: these are the same three steps by hand.
    const query = new URLSearchParams({ file_name: "b.jsonl", file_type: "jsonl", purpose: "batch-api" });
    const headers = { authorization: `Bearer ${key}` };
    const started = await fetch(`${url}/files?${query}`, { method: "POST", headers, redirect: "manual" });
    await fetch(started.headers.get("location") ?? "", { method: "PUT", body: content });
    const input_file_id = started.headers.get("x-together-file-id") ?? "";
    const { job } = await client.batches.create({ input_file_id, endpoint: order.endpoint });
    end();
    const { output_file_id } = await client.batches.retrieve(job?.id ?? "");
    return await (await client.files.content(output_file_id ?? "")).text();
  },
};

describe.each(["openai", "groq", "together"] as const)("%s", (flavour) => {
  it("its own client runs a whole batch on the stand-in, and so does the adapter", async () => {
    const service = await startOpenaiService(flavour, key);
    const text = await vendors[flavour](service.url, () => service.end());
    expect(text.trimEnd().split("\n")).toHaveLength(3);

    const url = new URL(flavour === "groq" ? `${service.url}/openai/v1` : service.url);
    const preset = presets.find(({ id }) => id === flavour);
    if (preset === undefined) throw new Error(`There is no preset ${flavour}.`);
    const { keyHeader } = preset;
    const address = { name: flavour, url, key, keyHeader, machine: createFakeMachine(), timeout: 5_000 };
    const adapter = createOpenaiBatchAdapter(address, { ...preset, window: "24h", model: (name) => name });
    const prepared = { path, name: "reviews", token: "part-1", model: "some-model", fileId: null };
    const fileId = await adapter.upload(prepared, signal, () => {});
    const created = await adapter.create({ ...prepared, fileId }, signal);
    expect(created).toMatchObject({ status: "in_progress", inputFileId: fileId });
    expect(adapter.isOf(created, { ...prepared, fileId })).toBe(true);
    expect(adapter.isOf(created, { ...prepared, token: "part-2", fileId: "file-9" })).toBe(false);
    expect(adapter.isOf({ ...created, inputFileId: null, metadata: {} }, { ...prepared, fileId })).toBeNull();

    service.end((id) => id === "b");
    const ended = await adapter.get(created.id, signal);
    expect(ended).toMatchObject({ status: "completed", createdAt: 1_793_900_000_000, endedAt: 1_793_900_060_000 });
    const results = new Map<string, RemoteResult["outcome"]>();
    for await (const result of adapter.results(ended, signal))
      if ("outcome" in result) results.set(result.remoteId, result.outcome);
    expect(ids.map((id) => results.get(id))).toMatchObject([
      { state: "answered", completion: { choices: [{ message: { content: "answer to a" } }] } },
      { state: "failed", statusCode: 503, error: { message: "The model is busy.", code: "busy" } },
      { state: "answered", completion: { choices: [{ message: { content: "answer to c\u2028\u2029d" } }] } },
    ]);
    expect(await adapter.models(signal)).toEqual(["some-model"]);
    await adapter.close();
    await service.close();
  });
});

describe("a line of a result file", () => {
  const error = { message: "m", type: "t", param: null, code: "c" };
  const usage = { prompt_tokens: 9, completion_tokens: 1 };
  it.each([
    [
      "that never ran",
      { response: null, error: { code: "batch_expired", message: "late" } },
      { state: "never_ran", reason: "expired", message: "late" },
    ],
    [
      "that failed, in the body",
      { response: { status_code: 400, body: { error } } },
      { state: "failed", statusCode: 400, error },
    ],
    ["that failed, beside the response", { response: null, error }, { state: "failed", statusCode: 500, error }],
    [
      "that failed with a sentence",
      { response: { status_code: "429", body: { error: "slow" } } },
      { state: "failed", statusCode: 429, error: { message: "slow" } },
    ],
    [
      "that lacks usage, id and model, with a finish reason of its own",
      { response: { body: { choices: [{ message: { content: "Four." }, finish_reason: "eos" }] } } },
      { state: "answered", completion: { choices: [{ message: { content: "Four." } }] } },
    ],
    [
      "that failed, with an error that is a sentence",
      { response: null, error: "model crashed" },
      { state: "failed", statusCode: 500, error: { message: "model crashed" } },
    ],
    [
      "that failed with a code alone",
      { response: null, error: { code: 507, message: null } },
      { state: "failed", error: { message: "The service gave no message, only the code 507.", code: "507" } },
    ],
    [
      "whose body is JSON as text",
      { response: { status_code: 200, body: JSON.stringify({ choices: [{ message: { content: "Four." } }] }) } },
      { state: "answered", completion: { choices: [{ message: { content: "Four." } }] } },
    ],
    ["without anything", {}, { state: "failed", statusCode: 500 }],
    [
      "with a success that is no completion",
      { response: { status_code: 200, body: { hello: 1 } } },
      { state: "failed", statusCode: 502, partial: { raw_answer: '{"hello":1}' } },
    ],
    [
      "with a success that is half an answer and an error",
      {
        response: {
          status_code: 200,
          body: { choices: [{ message: { content: "Fo" }, finish_reason: "error" }], usage },
        },
      },
      { state: "failed", statusCode: 502, partial: { choices: [{ message: { content: "Fo" } }], usage } },
    ],
    [
      "with an error in its success",
      { response: { status_code: 200, body: { error: { message: "Out of memory", code: 507 } } } },
      { state: "failed", statusCode: 507, error: { message: "Out of memory", code: "507" } },
    ],
  ])("%s", (_what, rest, outcome) => {
    expect(readResultLine({ custom_id: "a", ...rest })).toMatchObject({ remoteId: "a", outcome });
  });

  it("keeps its id where that comes as a number", () => {
    expect(readResultLine({ custom_id: 17, response: null })).toMatchObject({ remoteId: "17" });
  });

  it("that is none is passed over", () => {
    for (const value of [null, "text", [], { id: "x" }]) expect(readResultLine(value)).toBeNull();
  });
});
