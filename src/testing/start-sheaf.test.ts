import OpenAI from "openai";
import { type Sheaf, type SheafOptions, startSheaf } from "sheaf/testing";
import { expect, onTestFinished, test } from "vitest";

const model = "deepseek-ai/DeepSeek-R1";

async function start(options: SheafOptions = {}): Promise<Sheaf> {
  const sheaf = await startSheaf(options);
  onTestFinished(() => sheaf[Symbol.asyncDispose]());
  return sheaf;
}

function connect({ baseURL, apiKey }: Sheaf): OpenAI {
  return new OpenAI({ baseURL, apiKey, maxRetries: 0 });
}

function ask(client: OpenAI, content: string) {
  return client.chat.completions.create({ model, messages: [{ role: "user", content }] });
}

test("two services in one process know nothing of one another", async () => {
  const one = await start();
  const other = await start({ dialect: "openai" });
  expect(one.url).not.toBe(other.url);
  expect(one.apiKey).not.toBe(other.apiKey);
  const file = { file: new File(["{}"], "a.jsonl"), purpose: "batch" } as const;
  expect((await connect(one).files.create(file)).created_at).toBeTypeOf("string");
  expect((await connect(other).files.create(file)).created_at).toBeTypeOf("number");
  expect((await connect(one).files.list()).data).toHaveLength(1);
  const stranger = new OpenAI({ baseURL: one.baseURL, apiKey: other.apiKey, maxRetries: 0 });
  await expect(stranger.models.list()).rejects.toMatchObject({ status: 401 });
});

test("any model is answered, unless anyModel is false", async () => {
  const client = connect(await start());
  const { output_text: text } = await client.responses.create({ model: "gpt-5-mini", input: "Why?" });
  expect(text).toContain("Why?");
  const named = { model: "gpt-4o", messages: [{ role: "user" as const, content: "Why?" }] };
  await expect(connect(await start({ anyModel: false })).chat.completions.create(named)).rejects.toMatchObject({
    code: "model_not_found",
  });
});

test("rules say what is answered, and can be replaced and cleared", async () => {
  const sheaf = await start({ rules: { rules: [{ reply: { text: "First." } }] } });
  const client = connect(sheaf);
  const say = async () => (await ask(client, "Hello")).choices[0]?.message.content;
  expect(await say()).toBe("First.");
  sheaf.rules.set({ rules: [{ match: { last_user_message: "Hello" }, reply: { text: "Second." } }] });
  expect(await say()).toBe("Second.");
  sheaf.rules.clear();
  expect(await say()).not.toBe("Second.");
  expect(() => sheaf.rules.set(JSON.parse('{"rules":[{"reply":{"txt":1}}]}'))).toThrow("txt");
});

test("faults make it misbehave until they are cleared", async () => {
  const sheaf = await start({ faults: { failure_rate: 1, statuses: [503] } });
  const client = connect(sheaf);
  await expect(ask(client, "Hello")).rejects.toMatchObject({ status: 503 });
  sheaf.faults.set({ rate_limit_rate: 1 });
  await expect(ask(client, "Hello")).rejects.toMatchObject({ status: 429 });
  expect(sheaf.faults.settings).toMatchObject({ failure_rate: 0, rate_limit_rate: 1 });
  sheaf.faults.clear();
  await expect(ask(client, "Hello")).resolves.toBeDefined();
});

test("its clock is turned forward", async () => {
  const sheaf = await start({ clock: { speed: 0, start: Date.UTC(2030, 0, 1) } });
  await sheaf.clock.advance("1h30m");
  expect(sheaf.clock.now()).toBe(Date.UTC(2030, 0, 1, 1, 30));
  await expect(sheaf.clock.advance("soon")).rejects.toThrow("Expected a duration");
});

test("it shows what it was asked", async () => {
  const sheaf = await start();
  await ask(connect(sheaf), "Hello");
  await expect(connect(sheaf).batches.retrieve("batch_none")).rejects.toThrow();
  expect(await sheaf.requests()).toHaveLength(2);
  expect(await sheaf.requests({ path: "/v1/chat", status: 200 })).toMatchObject([
    { method: "POST", body: { model }, headers: { authorization: "***" } },
  ]);
});

test("stopped, it is gone, also when a client still holds its connection", async () => {
  const sheaf = await startSheaf();
  await connect(sheaf).models.list();
  await sheaf.stop();
  await expect(fetch(`${sheaf.url}/health`)).rejects.toThrow();
});
