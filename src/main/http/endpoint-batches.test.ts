import { toFile } from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { BatchEndpoint } from "#contract";
import { createAdjustableClock } from "#main/base";
import { json, readError, startTestServer, type TestServer } from "./testing/test-server.ts";

const model = "klusterai/Meta-Llama-3.3-70B-Instruct-Turbo";
const question = "What is the weather in Paris?";

const clock = createAdjustableClock({ speed: 0 });
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ dialect: "openai", clock });
});
afterAll(async () => {
  expect(server.faults).toEqual([]);
  await server.close();
});

const lineSchema = z.object({
  custom_id: z.string(),
  response: z.object({ status_code: z.int(), body: z.looseObject({}) }),
});

/** Runs bodies as lines of a batch, in their order. */
async function runBatch(endpoint: BatchEndpoint, bodies: readonly object[], more: object = {}) {
  const lines = bodies.map((body, at) =>
    JSON.stringify({ custom_id: `line-${at}`, method: "POST", url: endpoint, body }),
  );
  const file = await toFile(Buffer.from(`${lines.join("\n")}\n`), "batch.jsonl");
  const { id: input_file_id } = await server.client.files.create({ file, purpose: "batch" });
  const window = { input_file_id, endpoint, completion_window: "24h" as const, ...more };
  const { id } = await server.client.batches.create(window);
  await server.service.batches.settled(id);
  const batch = await server.client.batches.retrieve(id);
  const read = async (fileId?: string | null) => {
    if (!fileId) return [];
    const text = await (await server.client.files.content(fileId)).text();
    return text
      .trim()
      .split("\n")
      .map((line) => lineSchema.parse(JSON.parse(line)));
  };
  const results = [...(await read(batch.output_file_id)), ...(await read(batch.error_file_id))];
  const byId = results.toSorted((a, b) => a.custom_id.localeCompare(b.custom_id));
  return { batch, bodies: byId.map(({ response }) => response.body) };
}

describe("a batch", () => {
  test("of responses has the same answers as direct calls, goes on from them, and is stored like them", async () => {
    const direct = await server.client.responses.create({ model, input: question });
    const { batch, bodies } = await runBatch("/v1/responses", [
      { model, input: question },
      { model, input: "And in Rome?", previous_response_id: direct.id },
      { model, input: question, previous_response_id: "resp_none" },
    ]);
    expect(batch).toMatchObject({ status: "completed", request_counts: { completed: 2, failed: 1 } });
    expect(bodies[0]).toMatchObject({ object: "response", usage: direct.usage });
    expect(bodies[1]).toMatchObject({ previous_response_id: direct.id });
    expect(bodies[2]).toMatchObject({ error: { code: "previous_response_not_found" } });
    const stored = await server.client.responses.retrieve(z.string().parse(bodies[0]?.id));
    expect(stored.output_text).toBe(direct.output_text);
    const page = await server.service.results.page(batch.id, 0, 2);
    expect(page.rows[0]).toMatchObject({ question, answer: direct.output_text, finishReason: "stop" });
  });

  test("of completions, embeddings or moderations has the same answers as direct calls", async () => {
    const prompt = { model, prompt: question, max_tokens: 20 };
    const completions = await runBatch("/v1/completions", [prompt]);
    const { choices } = await server.client.completions.create(prompt);
    expect(completions.bodies).toMatchObject([{ object: "text_completion", choices }]);

    const text = { model: "text-embedding-3-small", input: question, dimensions: 4, encoding_format: "float" as const };
    const embeddings = await runBatch("/v1/embeddings", [text, { ...text, input: ["a", "b"] }]);
    const { data } = await server.client.embeddings.create(text);
    expect(embeddings.bodies).toMatchObject([{ data }, { data: [{ index: 0 }, { index: 1 }] }]);

    const moderations = await runBatch("/v1/moderations", [{ input: "I will kill you" }]);
    expect(moderations.bodies).toMatchObject([{ results: [{ flagged: true }] }]);
    expect(moderations.batch.status).toBe("completed");
  });

  test.each<[endpoint: BatchEndpoint, body: object, param: string, code: string]>([
    ["/v1/responses", { model }, "body.input", "invalid_request"],
    [
      "/v1/responses",
      { model, input: question, tools: [{ type: "web_search" }] },
      "body.tools[0].type",
      "invalid_request",
    ],
    ["/v1/responses", { model, input: question, background: true }, "body.background", "invalid_request"],
    [
      "/v1/responses",
      { model, input: question, max_output_tokens: 1e7 },
      "body.max_output_tokens",
      "max_output_exceeded",
    ],
    ["/v1/completions", { model, prompt: question, suffix: "." }, "body.suffix", "invalid_request"],
    ["/v1/completions", { model, prompt: "so ".repeat(140_000) }, "body.prompt", "context_length_exceeded"],
    ["/v1/embeddings", { model, input: "" }, "body.input", "invalid_request"],
    ["/v1/embeddings", { model: "gpt-4o", input: "a" }, "body.model", "model_not_found"],
    ["/v1/moderations", { input: 5 }, "body.input", "invalid_request"],
  ])("of %s is validated by that endpoint's shape: %j", async (endpoint, body, param, code) => {
    const { batch } = await runBatch(endpoint, [body]);
    expect(batch).toMatchObject({ status: "failed", errors: { data: [{ param, code, line: 1 }] } });
  });

  test("that has ended has its model, and the tokens of all its answers", async () => {
    const body = { model: "deepseek-ai/DeepSeek-R1", messages: [{ role: "user", content: question }] };
    const { batch, bodies } = await runBatch("/v1/chat/completions", [body, body]);
    const usages = bodies.map((each) => z.record(z.string(), z.unknown()).parse(each.usage));
    const sum = (name: string) => usages.reduce((total, usage) => total + Number(usage[name]), 0);
    const { model: used, usage } = z
      .object({
        model: z.string(),
        usage: z.looseObject({ output_tokens_details: z.object({ reasoning_tokens: z.int() }) }),
      })
      .parse(batch);
    expect(used).toBe("deepseek-ai/DeepSeek-R1");
    expect(usage).toMatchObject({
      input_tokens: sum("prompt_tokens"),
      output_tokens: sum("completion_tokens"),
      total_tokens: sum("total_tokens"),
    });
    expect(usage.output_tokens_details.reasoning_tokens).toBeGreaterThan(5);
  });

  test("with output_expires_after has its answers for so long", async () => {
    const body = { model, messages: [{ role: "user", content: question }] };
    const output_expires_after = { anchor: "created_at", seconds: 7_200 };
    const { batch } = await runBatch("/v1/chat/completions", [body], { output_expires_after });
    const file = await server.client.files.retrieve(z.string().parse(batch.output_file_id));
    expect(file.expires_at).toBe(file.created_at + 7_200);
    await clock.advance(7_100_000);
    expect((await server.client.files.retrieve(file.id)).id).toBe(file.id);
    await clock.advance(200_000);
    await expect(server.client.files.retrieve(file.id)).rejects.toMatchObject({ status: 404 });
    const wrong = { ...batch, input_file_id: file.id, output_expires_after: { anchor: "created_at", seconds: 60 } };
    const { input_file_id, endpoint, completion_window } = wrong;
    const refused = await server.request(
      "/v1/batches",
      json({ input_file_id, endpoint, completion_window, output_expires_after: wrong.output_expires_after }),
    );
    expect(await readError(refused, 400)).toMatchObject({ param: "output_expires_after.seconds" });
  });
});

test("files of every purpose that the API has are kept, and only those for batches make batches", async () => {
  for (const purpose of ["assistants", "evals", "fine-tune", "user_data", "vision"] as const) {
    const file = await server.client.files.create({ file: await toFile(Buffer.from("{}\n"), "a.jsonl"), purpose });
    expect(file).toMatchObject({ purpose, status: "processed" });
    const window = { endpoint: "/v1/chat/completions", completion_window: "24h" } as const;
    await expect(server.client.batches.create({ input_file_id: file.id, ...window })).rejects.toMatchObject({
      status: 400,
      param: "input_file_id",
    });
    expect((await server.client.files.list({ purpose })).data).toHaveLength(1);
  }
  const file = await toFile(Buffer.from("{}\n"), "a.jsonl");
  await expect(server.client.files.create({ file, purpose: "batch_output" as "batch" })).rejects.toMatchObject({
    status: 400,
    param: "purpose",
  });
});

describe("any model", () => {
  test("is taken by direct calls, batches and GET /v1/models", async () => {
    const open = await startTestServer({ dialect: "openai", anyModel: true });
    const messages = [{ role: "user" as const, content: question }];
    const completion = await open.client.chat.completions.create({ model: "gpt-4o", messages });
    expect(completion.model).toBe("gpt-4o");
    expect((await open.client.responses.create({ model: "gpt-5-mini", input: question })).model).toBe("gpt-5-mini");
    expect((await open.client.embeddings.create({ model: "any/thing", input: question })).data).toHaveLength(1);
    expect(await open.client.models.retrieve("gpt-4o")).toMatchObject({ id: "gpt-4o", object: "model" });
    const line = { custom_id: "a", method: "POST", url: "/v1/chat/completions", body: { model: "gpt-4o", messages } };
    const file = await toFile(Buffer.from(JSON.stringify(line)), "a.jsonl");
    const { id: input_file_id } = await open.client.files.create({ file, purpose: "batch" });
    const window = { endpoint: "/v1/chat/completions", completion_window: "24h" } as const;
    const { id } = await open.client.batches.create({ input_file_id, ...window });
    expect(await open.service.batches.settled(id)).toMatchObject({ status: "completed", models: ["gpt-4o"] });
    const long = { model: "gpt-4o", messages: [{ role: "user" as const, content: "so ".repeat(140_000) }] };
    await expect(open.client.chat.completions.create(long)).rejects.toMatchObject({ code: "context_length_exceeded" });
    await open.close();
  });

  test("is refused without the switch", async () => {
    const messages = [{ role: "user" as const, content: question }];
    await expect(server.client.chat.completions.create({ model: "gpt-4o", messages })).rejects.toMatchObject({
      status: 404,
      code: "model_not_found",
    });
  });
});
