// Testing a program against the mock server with vitest: each test has a scope of its own in one server.
import OpenAI from "openai";
import { type SheafScope, test } from "sheaf/vitest";
import { expect } from "vitest";

const connect = ({ baseURL, apiKey }: SheafScope) => new OpenAI({ baseURL, apiKey });

/** The program under test: submits one request as a batch. */
async function submit(client: OpenAI, question: string) {
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

test("a batch that nobody answers expires after a day, which takes no time here", async ({ sheaf }) => {
  const client = connect(sheaf);
  await sheaf.faults.set({ stuck_in: ["validating"] });
  const { id } = await submit(client, "How many eggs are left?");
  await sheaf.clock.advance("23h");
  expect((await client.batches.retrieve(id)).status).toBe("validating");
  await sheaf.clock.advance("1h");
  expect((await client.batches.retrieve(id)).status).toBe("expired");
});

test("the answer is what the rules say", async ({ sheaf }) => {
  const client = connect(sheaf);
  await sheaf.rules.set({ rules: [{ match: { custom_id: "only" }, reply: { text: "Nine." } }] });
  const { id } = await submit(client, "How many eggs are left?");
  await expect.poll(async () => (await client.batches.retrieve(id)).status).toBe("completed");
  const { output_file_id } = await client.batches.retrieve(id);
  const output = await (await client.files.content(output_file_id ?? "")).json();
  expect(output).toMatchObject({
    custom_id: "only",
    response: { body: { choices: [{ message: { content: "Nine." } }] } },
  });
});

test("no test sees what another asked", async ({ sheaf }) => {
  expect(await sheaf.requests()).toEqual([]);
});
