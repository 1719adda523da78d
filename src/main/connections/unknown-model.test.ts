import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { toJsonl } from "../service/testing/index.ts";
import { createTestFolder, type TestFolder, until } from "./testing/open-service.ts";
import { type Reply, startStandIn } from "./testing/stand-in.ts";

/*
 * Servers that don't have a model, in the words of real ones: Ollama, vLLM, OpenAI, Mistral and OpenRouter.
 */

let folder: TestFolder;
let service: Awaited<ReturnType<TestFolder["open"]>>;
beforeAll(async () => {
  folder = await createTestFolder(120_000, 200);
  service = await folder.open();
});
afterAll(async () => {
  await service.stop();
  await folder.remove();
});

const requestSchema = z.object({ model: z.string(), messages: z.tuple([z.object({ content: z.string() })]) });
const answer: Reply = { body: { choices: [{ index: 0, message: { content: "Yes." }, finish_reason: "stop" }] } };

/** A server that answers the models that it has, and what it was asked. */
async function start(models: Set<string>, refusal: (model: string) => Reply) {
  const asked: string[] = [];
  const standIn = await startStandIn(({ body }) => {
    const { model, messages } = requestSchema.parse(JSON.parse(body.toString()));
    asked.push(`${model} ${messages[0].content}`);
    return models.has(model) ? answer : refusal(model);
  });
  onTestFinished(() => standIn.close());
  const settings = { name: "Mine", adapter: "chat" as const, preset: null, url: `${standIn.url}/v1`, concurrency: 2 };
  const { id } = await folder.store.save({ ...settings, name: standIn.url });
  return { asked, connection: id };
}

async function submit(connection: string, models: readonly string[]) {
  const lines = models.map((model, at) => {
    const body = { model, messages: [{ role: "user", content: `${at}` }] };
    return JSON.stringify({ custom_id: `q-${at}`, method: "POST", url: "/v1/chat/completions", body });
  });
  const pending = await service.files.receive(Readable.from([Buffer.from(toJsonl(lines))]), { connection });
  const { id: inputFileId } = await pending.store({ filename: "input.jsonl", purpose: "batch" });
  const batch = { inputFileId, endpoint: "/v1/chat/completions", completionWindow: "24h", connection };
  return (await service.batches.create(batch)).id;
}

const ollama = (model: string): Reply => ({
  status: 404,
  body: { error: { message: `model "${model}" not found, try pulling it first`, type: "api_error", code: null } },
});
const refusals: [string, (model: string) => Reply][] = [
  ["Ollama", ollama],
  [
    "vLLM",
    (model) => ({
      status: 404,
      body: { object: "error", message: `The model \`${model}\` does not exist.`, type: "NotFoundError", code: 404 },
    }),
  ],
  [
    "OpenAI",
    (model) => ({
      status: 404,
      body: { error: { message: `The model '${model}' does not exist`, param: null, code: "model_not_found" } },
    }),
  ],
  ["Mistral", (model) => ({ status: 400, body: { message: `Invalid model: ${model}`, type: "invalid_model" } })],
  [
    "OpenRouter",
    (model) => ({ status: 400, body: { error: { message: `${model} is not a valid model ID`, code: 400 } } }),
  ],
];
const repeat = (model: string, count: number) => Array.from({ length: count }, () => model);

it.each(refusals)(
  "%s: after five calls the lines of a model wait that it does not have, and are sent once it has it",
  async (_, refusal) => {
    const models = new Set(["there"]);
    const { asked, connection } = await start(models, refusal);
    const id = await submit(connection, [...repeat("there", 3), ...repeat("typo", 20), ...repeat("there", 3)]);
    const batch = () => service.batches.get(id);
    await until(() => batch()?.waiting?.includes("typo") ?? false, "The wait");
    expect(batch()).toMatchObject({ status: "in_progress", counts: { total: 26, completed: 6, failed: 0 } });
    expect(batch()?.waiting).toMatch(
      /^20 requests wait for the model 'typo'\. .* does not know the model\. Add the model there/,
    );
    const typos = asked.filter((one) => one.startsWith("typo"));
    // Five, what was in flight with the fifth, and tests one at a time.
    expect(new Set(typos).size).toBeLessThanOrEqual(7);
    expect(asked.filter((one) => one.startsWith("there"))).toHaveLength(6);

    models.add("typo");
    await until(() => batch()?.status === "completed", "The end");
    expect(batch()?.counts).toMatchObject({ completed: 26, failed: 0 });
  },
);

it("fewer than five lines of a model that its server does not have fail, asked once, and so does what was refused between answers", async () => {
  const { asked, connection } = await start(new Set(["there"]), ollama);
  const id = await submit(connection, [...repeat("typo", 2), ...repeat("there", 6), ...repeat("other", 4)]);
  await until(() => service.batches.get(id)?.status === "completed", "The end");
  expect(service.batches.get(id)?.counts).toMatchObject({ completed: 6, failed: 6 });
  expect(asked).toHaveLength(12);
  expect(new Set(asked).size).toBe(12);
  expect(await service.results.line(id, 1)).toMatchObject({ state: "failed", statusCode: 404 });
});

it("a model that is removed while its batch runs lets the rest wait, through a restart", async () => {
  const models = new Set(["mine"]);
  const { asked, connection } = await start(models, ollama);
  const id = await submit(connection, repeat("mine", 60));
  await until(() => asked.length > 10);
  models.clear();
  const waits = () => service.batches.get(id)?.waiting?.includes("'mine'") ?? false;
  await until(waits, "The wait");
  const { completed = 0, failed = 0 } = service.batches.get(id)?.counts ?? {};
  expect(failed).toBe(0);
  await service.stop();
  service = await folder.open();
  await until(waits, "The wait after a restart");
  expect(service.batches.get(id)?.counts).toMatchObject({ completed, failed: 0 });
  models.add("mine");
  // As "Try again now" does.
  folder.store.announce(connection);
  await until(() => service.batches.get(id)?.status === "completed", "The end");
  expect(service.batches.get(id)?.counts).toMatchObject({ completed: 60, failed: 0 });
});

it("a batch for a model that a service does not have which lists all its models is refused before anything is sent", async () => {
  const asked: string[] = [];
  const standIn = await startStandIn(({ method, path }) => {
    asked.push(`${method} ${path}`);
    return { body: { data: [{ id: "org/llama-3.3-70b" }, { id: "org/qwen3-8b" }] } };
  });
  onTestFinished(() => standIn.close());
  const settings = { name: "vLLM", adapter: "chat" as const, preset: "vllm", url: `${standIn.url}/v1` };
  const { id: connection } = await folder.store.save(settings);
  const batch = await service.batches.settled(await submit(connection, ["org/qwen3-8b", "org/llama-3.3-7b"]));
  expect(batch).toMatchObject({
    status: "failed",
    problems: [
      {
        code: "model_not_found",
        message: "The service does not have the model ‘org/llama-3.3-7b’. Nearest: org/llama-3.3-70b, org/qwen3-8b.",
      },
    ],
  });
  expect(asked).toEqual(["GET /v1/models"]);
});
