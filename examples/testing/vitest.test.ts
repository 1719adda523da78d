// Testing a program against the mock server with vitest: each test has its own scope in one server.
import OpenAI from "openai";
import { test } from "sheaf/vitest";
import { expect } from "vitest";

test("the answer is what a rule says", async ({ sheaf }) => {
  const client = new OpenAI({ baseURL: sheaf.baseURL, apiKey: sheaf.apiKey });
  await sheaf.rules.set({ rules: [{ match: { last_user_message: "Hello" }, reply: { text: "Hi." } }] });
  const { choices } = await client.chat.completions.create({
    model: "gpt-4o",
    messages: [{ role: "user", content: "Hello" }],
  });
  expect(choices[0]?.message.content).toBe("Hi.");
  expect(await sheaf.requests({ path: "/v1/chat" })).toHaveLength(1);
});

test("a batch that nobody answers expires after a day, which takes no time here", async ({ sheaf }) => {
  const client = new OpenAI({ baseURL: sheaf.baseURL, apiKey: sheaf.apiKey });
  await sheaf.faults.set({ stuck_in: ["validating"] });
  const body = { model: "gpt-4o", messages: [{ role: "user", content: "How many eggs are left?" }] };
  const line = JSON.stringify({ custom_id: "only", method: "POST", url: "/v1/chat/completions", body });
  const { id: input_file_id } = await client.files.create({ file: new File([line], "one.jsonl"), purpose: "batch" });
  const window = { endpoint: "/v1/chat/completions", completion_window: "24h" } as const;
  const { id } = await client.batches.create({ input_file_id, ...window });
  await sheaf.clock.advance("23h");
  expect((await client.batches.retrieve(id)).status).toBe("validating");
  await sheaf.clock.advance("1h");
  expect((await client.batches.retrieve(id)).status).toBe("expired");
});

test("no test sees what another asked", async ({ sheaf }) => {
  expect(await sheaf.requests()).toEqual([]);
});
