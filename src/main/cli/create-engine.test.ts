import { writeFile } from "node:fs/promises";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { runSheaf, startServer } from "./testing/sheaf-process.ts";
import { setUpFolder } from "./testing/temporary-folder.ts";

const inFolder = setUpFolder();

test("--models replaces the list of the server; a model that reasons does so in the mock", async () => {
  const file = inFolder("models.yaml");
  await writeFile(file, "- acme/small\n- id: acme/thinker\n  aliases: [thinker]\n  reasoning: true\n");
  const server = await startServer(["--ephemeral", "--models", file]);
  try {
    const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: server.apiKey, maxRetries: 0 });
    expect((await client.models.list()).data.map(({ id }) => id)).toEqual(["acme/small", "acme/thinker"]);
    const ask = (model: string) =>
      client.chat.completions.create({ model, messages: [{ role: "user", content: "How long is a leap year?" }] });
    expect((await ask("acme/small")).choices[0]?.message).not.toHaveProperty("reasoning_content");
    expect((await ask("thinker")).choices[0]?.message).toHaveProperty("reasoning_content");
    await expect(ask("deepseek-ai/DeepSeek-R1")).rejects.toMatchObject({ code: "model_not_found" });
  } finally {
    await server.stop();
  }
});

test("validate checks the model of each line against the list", async () => {
  const [models, batch] = [inFolder("models.json"), inFolder("batch.jsonl")];
  await writeFile(models, '["acme/small"]');
  const line = (id: string, model: string) =>
    JSON.stringify({
      custom_id: id,
      method: "POST",
      url: "/v1/chat/completions",
      body: { model, messages: [{ role: "user", content: "Hello" }] },
    });
  await writeFile(batch, `${line("a", "acme/small")}\n${line("b", "deepseek-ai/DeepSeek-R1")}\n`);
  const { code, stdout } = await runSheaf(["validate", batch, "--models", models]);
  expect({ code, problems: stdout.trimEnd().split("\n") }).toEqual({
    code: 2,
    problems: [expect.stringContaining(`${batch}:2: model_not_found:`)],
  });
});

test("a list with mistakes is refused with all of them, each with its line", async () => {
  const file = inFolder("models.yaml");
  await writeFile(file, "- id: 7\n- id: a\n  color: red\n");
  const { code, stdout, stderr } = await runSheaf(["serve", "--ephemeral", "--port", "0", "--models", file]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(`${file}:1: [0].id must be a text, not the number 7`);
  expect(stderr).toContain(`${file}:3: [1] has the unknown key 'color'`);
  expect((await runSheaf(["serve", "--ephemeral", "--models", inFolder("none.yaml")])).stderr).toContain(
    "there is no such file or folder",
  );
});
