import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { batchSchema, chatCompletionSchema, fileSchema, resultLineSchema } from "#contract";
import { readQuestions, startTestServer, type TestServer, toBatchFile } from "./testing/test-server.ts";

describe.each(["service", "openai"] as const)("the official client against the %s dialect", (dialect) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ dialect });
  });
  afterAll(() => server.close());

  test("uploads 1,319 questions, runs them, and downloads each answer exactly once", async () => {
    const { client } = server;
    const questions = await readQuestions();
    expect(questions).toHaveLength(1_319);

    const uploaded = await client.files.create({
      file: new File([toBatchFile(questions)], "gsm8k.jsonl"),
      purpose: "batch",
    });
    expect(fileSchema.parse(uploaded)).toMatchObject({ filename: "gsm8k.jsonl", purpose: "batch" });

    const created = await client.batches.create({
      input_file_id: uploaded.id,
      endpoint: "/v1/chat/completions",
      completion_window: "24h",
      metadata: { name: "GSM8K" },
    });
    expect(batchSchema.parse(created)).toMatchObject({ status: "validating", metadata: { name: "GSM8K" } });
    await server.service.batches.settled(created.id);

    const batch = batchSchema.parse(await client.batches.retrieve(created.id));
    expect(batch).toMatchObject({
      status: "completed",
      error_file_id: null,
      errors: null,
      request_counts: { total: 1_319, completed: 1_319, failed: 0 },
    });

    const output = await client.files.content(batch.output_file_id ?? "");
    const lines = (await output.text())
      .trimEnd()
      .split("\n")
      .map((line) => resultLineSchema.parse(JSON.parse(line)));
    expect(lines.map((line) => line.custom_id).sort()).toEqual(questions.map(({ id }) => id).sort());
    for (const line of lines) {
      expect(line.response?.status_code).toBe(200);
      expect(chatCompletionSchema.parse(line.response?.body).choices[0]?.finish_reason).toBe("stop");
    }
  });

  test("walks through the pages of its batches, newest first", async () => {
    const { client } = server;
    const uploaded = await client.files.create({
      file: new File([toBatchFile([{ id: "one", content: "Hello" }])], "one.jsonl"),
      purpose: "batch",
    });
    const made: string[] = [];
    for (let index = 0; index < 5; index++) {
      const batch = await client.batches.create({
        input_file_id: uploaded.id,
        endpoint: "/v1/chat/completions",
        completion_window: "24h",
      });
      made.unshift(batch.id);
    }
    const listed: string[] = [];
    for await (const batch of client.batches.list({ limit: 2 })) listed.push(batch.id);
    expect(listed.slice(0, 5)).toEqual(made);
    const { data, has_more: hasMore } = await client.batches.list({ limit: 2 });
    expect(data.map((batch) => batchSchema.parse(batch).id)).toEqual(made.slice(0, 2));
    expect(hasMore).toBe(true);
  });

  test("lists models and retrieves one, whose id has a slash in it", async () => {
    const models = [];
    for await (const model of server.client.models.list()) models.push(model.id);
    expect(models).toContain("deepseek-ai/DeepSeek-R1");
    expect(await server.client.models.retrieve("deepseek-ai/DeepSeek-R1")).toMatchObject({
      object: "model",
      owned_by: "deepseek-ai",
    });
  });

  test("retrieves and lists files", async () => {
    const uploaded = await server.client.files.create({ file: new File(["{}\n"], "x.jsonl"), purpose: "batch" });
    expect(await server.client.files.retrieve(uploaded.id)).toEqual(uploaded);
    const files = [];
    for await (const file of server.client.files.list({ purpose: "batch", limit: 2 })) files.push(file.id);
    expect(files[0]).toBe(uploaded.id);
    expect(new Set(files).size).toBe(files.length);
  });

  test("gets its errors as errors of its own kinds", async () => {
    const { client } = server;
    await expect(client.batches.retrieve("batch_none")).rejects.toMatchObject({ status: 404, param: "batch_id" });
    await expect(client.withOptions({ apiKey: "sk-wrong" }).models.list()).rejects.toMatchObject({
      status: 401,
      code: "invalid_api_key",
    });
  });

  test("does not send the cancel of an ended batch again, as it would another conflict", async () => {
    let sent = 0;
    const client = server.client.withOptions({
      maxRetries: 5,
      fetch(url, init) {
        if (init?.method === "POST") sent += 1;
        return fetch(url, init);
      },
    });
    const [batch] = (await client.batches.list({ limit: 1 })).data;
    await server.service.batches.settled(batch?.id ?? "");
    await expect(client.batches.cancel(batch?.id ?? "")).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining("Cannot cancel a batch with status 'completed'."),
    });
    expect(sent).toBe(1);
  });
});
