// Testing a program against the mock server with vitest.
import OpenAI from "openai";
import { type Sheaf, startSheaf } from "sheaf/testing";
import { afterAll, beforeAll, expect, test } from "vitest";

let sheaf: Sheaf;
let client: OpenAI;
beforeAll(async () => {
  sheaf = await startSheaf({ dialect: "openai" });
  client = new OpenAI({ baseURL: sheaf.baseURL, apiKey: sheaf.apiKey });
});
afterAll(() => sheaf.stop());

/** The program under test: submits one request as a batch. */
async function submit(question: string) {
  const line = {
    custom_id: "only",
    method: "POST",
    url: "/v1/chat/completions",
    body: { model: "deepseek-ai/DeepSeek-R1", messages: [{ role: "user", content: question }] },
  };
  const file = await client.files.create({ file: new File([JSON.stringify(line)], "one.jsonl"), purpose: "batch" });
  return client.batches.create({
    input_file_id: file.id,
    endpoint: "/v1/chat/completions",
    completion_window: "24h",
  });
}

test("a batch that nobody answers expires after a day, which takes no time here", async () => {
  sheaf.faults.set({ stuck_in: ["validating"] });
  const { id } = await submit("How many eggs are left?");
  await sheaf.clock.advance("23h");
  expect((await client.batches.retrieve(id)).status).toBe("validating");
  await sheaf.clock.advance("1h");
  expect((await client.batches.retrieve(id)).status).toBe("expired");
});

test("the answer is what the rules say", async () => {
  sheaf.faults.clear();
  sheaf.rules.set({ rules: [{ match: { custom_id: "only" }, reply: { text: "Nine." } }] });
  const { id } = await submit("How many eggs are left?");
  const read = async () => (await client.batches.retrieve(id)).status;
  await expect.poll(read, { timeout: 10_000 }).toBe("completed");
  const { output_file_id } = await client.batches.retrieve(id);
  const output = await (await client.files.content(output_file_id ?? "")).json();
  expect(output).toMatchObject({
    custom_id: "only",
    response: { body: { choices: [{ message: { content: "Nine." } }] } },
  });
});
