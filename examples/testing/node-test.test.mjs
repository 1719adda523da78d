// Testing a program against the mock server with node:test. Run it with: node --test examples/testing/
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import OpenAI from "openai";
import { startSheaf } from "sheaf/testing";

/** The program under test: asks until it gets an answer, three times at most. */
async function summarise(client, text) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { choices } = await client.chat.completions.create({
        model: "deepseek-ai/DeepSeek-R1",
        messages: [{ role: "user", content: `Summarise: ${text}` }],
      });
      return choices[0].message.content;
    } catch (error) {
      if (attempt === 3 || error.status !== 503) throw error;
    }
  }
}

let sheaf;
let client;
before(async () => {
  sheaf = await startSheaf();
  client = new OpenAI({ baseURL: sheaf.baseURL, apiKey: sheaf.apiKey, maxRetries: 0 });
});
after(() => sheaf.stop());

test("the answer is returned", async () => {
  await sheaf.rules.set({
    rules: [{ match: { last_user_message: { contains: "Summarise" } }, reply: { text: "Short." } }],
  });
  assert.equal(await summarise(client, "a long text"), "Short.");
});

test("it gives up after three attempts", async () => {
  sheaf.faults.set({ failure_rate: 1, statuses: [503] });
  const before = (await sheaf.requests()).length;
  await assert.rejects(summarise(client, "a long text"), { status: 503 });
  assert.equal((await sheaf.requests()).length - before, 3);
});
