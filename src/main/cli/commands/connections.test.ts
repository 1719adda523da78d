import { readFile, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { type OpenaiService, startOpenaiService } from "../../connections/testing/openai-service.ts";
import { type StandIn, startStandIn } from "../../connections/testing/stand-in.ts";
import { findSecrets } from "../testing/find-secrets.ts";
import { runSheaf } from "../testing/sheaf-process.ts";
import { setUpFolder } from "../testing/temporary-folder.ts";

const key = "sk-0123456789abcdefghijklmnop";
const inFolder = setUpFolder();
let chat: StandIn;
let remote: OpenaiService;
/** How often the chat server was asked. */
let asked = 0;
beforeAll(async () => {
  chat = await startStandIn(({ path }) => {
    if (path !== "/v1/chat/completions") return { body: { data: [] } };
    asked += 1;
    const message = { role: "assistant", content: "Yes." };
    const usage = { prompt_tokens: 1_000_000, completion_tokens: 0, total_tokens: 1_000_000 };
    const choices = [{ index: 0, message, finish_reason: "stop" }];
    return { body: { id: "c", object: "chat.completion", created: 1, model: "gpt-4o-mini", choices, usage } };
  });
  remote = await startOpenaiService("openai", key);
});
afterAll(async () => {
  await Promise.all([chat.close(), remote.close()]);
});

const env = { MY_KEY: key, SHEAF_SECRETS: "memory" };
const sheaf = async (...args: string[]) => {
  const done = await runSheaf([...args, "--data-dir", inFolder("data")], { env });
  expect(findSecrets(done.stdout + done.stderr, { key })).toEqual([]);
  return done;
};

async function writeBatch(count: number): Promise<string> {
  const lines = Array.from({ length: count }, (_, at) => {
    const body = { model: "gpt-4o-mini", messages: [{ role: "user", content: `question ${at}` }] };
    return JSON.stringify({ custom_id: `q-${at}`, method: "POST", url: "/v1/chat/completions", body });
  });
  await writeFile(inFolder("batch.jsonl"), lines.join("\n"));
  return inFolder("batch.jsonl");
}

test("a connection is added, listed without its key, tested and removed", async () => {
  expect((await sheaf("connections", "list")).stderr).toContain("There is no connection yet");
  const added = await sheaf(
    "connections",
    "add",
    "Mine",
    "--adapter",
    "openai-batch",
    "--url",
    remote.url,
    "--key-env",
    "MY_KEY",
  );
  expect(added).toMatchObject({ code: 0, stderr: expect.stringContaining("Mine is added.") });
  expect((await sheaf("connections", "list")).stdout).toBe(`Mine\topenai-batch\t${remote.url}\tkey stored\n`);
  expect(await sheaf("connections", "test", "Mine")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("✓ batches"),
  });
  expect(await readFile(inFolder("data/connections.json"), "utf8")).not.toContain(key);
  expect((await sheaf("connections", "remove", "Mine")).code).toBe(0);
  expect(await sheaf("connections", "test", "Mine")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("There is none yet."),
  });
});

test("wrong flags are refused in one sentence", async () => {
  const cases = [
    [["add", "A"], "Give --preset, or --adapter and --url."],
    [["add", "A", "--preset", "nobody"], "--preset expects one of ollama,"],
    [["add", "A", "--adapter", "chat"], "This needs an address"],
    [["add", "A", "--preset", "openai"], "OpenAI needs a key"],
    [["add", "A", "--adapter", "chat", "--url", "ftp://a"], "--url expects an address"],
  ] as const;
  for (const [args, sentence] of cases) {
    expect(await sheaf("connections", ...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) });
  }
});

const resultSchema = z.looseObject({
  total: z.int(),
  completed: z.int(),
  never_ran: z.int(),
  cost: z.number().nullable(),
});

test("a file is answered on a connection, and the same command asks nothing again", async () => {
  await sheaf("connections", "add", "Chat", "--adapter", "chat", "--url", `${chat.url}/v1`);
  const file = await writeBatch(5);
  const run = async (...more: string[]) => {
    const { code, stdout } = await sheaf(
      "run",
      file,
      "-o",
      inFolder("out.jsonl"),
      "--connection",
      "Chat",
      "--json",
      ...more,
    );
    return { code, result: resultSchema.parse(JSON.parse(stdout)) };
  };
  const first = await run();
  // Nobody says what this server costs: a model's name alone is no price.
  expect(first).toMatchObject({
    code: 0,
    result: { total: 5, completed: 5, never_ran: 0, connection: "Chat", cost: null },
  });
  expect((await readFile(inFolder("out.jsonl"), "utf8")).trimEnd().split("\n")).toHaveLength(5);
  expect((await run()).result).toMatchObject({ id: first.result.id, completed: 5 });
  expect(asked).toBe(5);
  await run("--fresh");
  expect(asked).toBe(10);
  const nobody = await sheaf("run", file, "-o", inFolder("out.jsonl"), "--connection", "Nobody");
  expect(nobody).toMatchObject({ code: 2, stderr: expect.stringContaining("There are: Chat.") });
});
