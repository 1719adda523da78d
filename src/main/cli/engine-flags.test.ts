import { readFile, writeFile } from "node:fs/promises";
import OpenAI from "openai";
import { afterEach, expect, test } from "vitest";
import { exampleFile, readBatchLines } from "./testing/batch-lines.ts";
import { type RunningServer, runSheaf, startServer } from "./testing/sheaf-process.ts";
import { setUpFolder } from "./testing/temporary-folder.ts";

const inFolder = setUpFolder();
const servers: RunningServer[] = [];

async function start(args: readonly string[], env: Record<string, string> = {}) {
  const server = await startServer(["--ephemeral", ...args], { env });
  servers.push(server);
  const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: server.apiKey, maxRetries: 0 });
  const ask = async (content: string) => {
    const model = "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo";
    const { choices } = await client.chat.completions.create({ model, messages: [{ role: "user", content }] });
    return choices[0]?.message.content;
  };
  return { ...server, client, ask };
}

afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())));

test.each([
  [["--engine", "scripted"], "--engine scripted needs --rules FILE."],
  [["--engine", "upstream"], "--engine upstream needs --upstream-url URL."],
  [["--engine", "mock", "--rules", "a.yaml"], "--rules is for --engine scripted, not mock."],
  [["--record", "a.jsonl"], "--record is for --engine upstream, not mock."],
  [
    ["--upstream-url", "localhost:8000"],
    "--upstream-url expects an address such as http://127.0.0.1:8000/v1, without a user or password in it",
  ],
  [
    ["--upstream-url", "http://a/v1", "--upstream-model", "llama"],
    "--upstream-model expects NAME=UPSTREAM_NAME, or *=UPSTREAM_NAME for all, not 'llama'.",
  ],
  [
    ["--upstream-url", "http://a/v1", "--upstream-key-env", "NOT_THERE"],
    "--upstream-key-env: the environment has no NOT_THERE.",
  ],
  [["--failure-rate", "5%"], "--failure-rate expects a share from 0 to 1, such as 0.05, not '5%'."],
  [
    ["--failure-rate", "0.6", "--drop-rate", ".6"],
    "--failure-rate, --rate-limit-rate, --drop-rate and --malformed-rate add up to more than 1.",
  ],
  [
    ["--failure-statuses", "500,200"],
    "--failure-statuses expects statuses from 400 to 599, such as 500,503, not '500,200'.",
  ],
  [["--stuck-in", "running"], "--stuck-in expects some of validating,cancelling, not 'running'."],
])("serve %j is refused with one clear line and exit code 2", async (args, message) => {
  const { code, stdout, stderr } = await runSheaf(["serve", "--ephemeral", "--port", "0", ...args]);
  expect(stderr).toContain(`error: ${message}`);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
});

test("neither a password in an address nor a key that cannot be used is repeated", async () => {
  const address = await runSheaf(["serve", "--upstream-url", "http://me:hidden-password@example.com/v1"]);
  const env = { THEIR_KEY: "two\twords hidden-password" };
  const key = await runSheaf(["serve", "--upstream-url", "http://a/v1", "--upstream-key-env", "THEIR_KEY"], { env });
  for (const { code, stderr } of [address, key]) {
    expect(code).toBe(2);
    expect(stderr).not.toContain("hidden-password");
  }
});

test("a key is taken without what is copied with it, and a character that can't be sent is named", async () => {
  const upstream = ["serve", "--ephemeral", "--port", "0", "--upstream-url", "http://a/v1", "--upstream-key-env", "K"];
  const cases = [
    ["sk-hidden\u200bkey", "the key in K has an invisible character (U+200B) at position 10."],
    ["sk-hidden\nkey", "the key in K has a line end at position 10."],
    ["Bearer ", "the environment has no K."],
  ] as const;
  for (const [K, message] of cases) {
    const { code, stderr } = await runSheaf(upstream, { env: { K } });
    expect(stderr).toContain(`error: --upstream-key-env: ${message}`);
    expect(stderr).not.toContain("hidden");
    expect(code).toBe(2);
  }
  const own = await runSheaf(["serve", "--ephemeral", "--port", "0"], { env: { SHEAF_API_KEY: "sk-hidden\u200bkey" } });
  expect(own).toMatchObject({ code: 2, stderr: expect.stringContaining("SHEAF_API_KEY has an invisible character") });
});

test("rules with mistakes are reported all at once, with file and line, and nothing starts", async () => {
  const path = inFolder("rules.yaml");
  await writeFile(path, "rules:\n  - reply: { txt: a }\n  - match: { call: 0 }\n    reply: { text: a }\n");
  const { code, stderr } = await runSheaf(["serve", "--ephemeral", "--rules", path]);
  expect(code).toBe(2);
  expect(stderr.split("\n")).toEqual([
    "error: the rules can't be used:",
    `${path}:2: rules[0].reply has the unknown key 'txt'`,
    `${path}:3: rules[1].match.call is wrong: expected number to be >=1`,
    "",
  ]);
  expect((await runSheaf(["serve", "--rules", inFolder("none.yaml")])).stderr).toContain("there is no such file");
});

test("--rules answers by the rules of the example", async () => {
  const { ask } = await start(["--rules", exampleFile("rules/support-desk.yaml")]);
  expect(await ask("Hello there")).toBe("Hello. What can I do for you?");
  expect(await ask("Where is my invoice?")).toBe('{"category":"billing","urgent":false}');
});

test("faults of the flags are in force from the start, and can be switched off", async () => {
  const { url, apiKey, ask } = await start([
    "--failure-rate",
    "1",
    "--failure-statuses",
    "503",
    "--fault-targets",
    "chat",
  ]);
  await expect(ask("Hello")).rejects.toMatchObject({ status: 503 });
  await fetch(`${url}/sheaf/faults`, { method: "DELETE", headers: { authorization: `Bearer ${apiKey}` } });
  expect(await ask("Hello")).toBeTypeOf("string");
});

test("an upstream answers under its own model names with its own key, and the recording says it again", async () => {
  const path = inFolder("said.jsonl");
  const upstream = await start([]);
  const front = await start(
    [
      ...["--upstream-url", `${upstream.url}/v1`, "--upstream-key-env", "THEIR_KEY", "--record", path],
      ...["--upstream-model", "*=deepseek-ai/DeepSeek-R1", "--upstream-retries", "0"],
    ],
    { THEIR_KEY: upstream.apiKey },
  );
  const answer = await front.ask("What is 2 + 2?");
  expect(answer).toContain("2 + 2");
  const again = await start(["--rules", path]);
  expect(await again.ask("What is 2 + 2?")).toBe(answer);
  expect(await readFile(path, "utf8")).toContain('"model":"deepseek-ai/DeepSeek-R1"');
  expect(await readFile(path, "utf8")).not.toContain(upstream.apiKey);
});

test("sheaf run sends a whole batch to an upstream", async () => {
  const upstream = await start([]);
  await writeFile(inFolder("batch.jsonl"), readBatchLines(50).join("\n"));
  const { code, stdout } = await runSheaf(
    [
      ...["run", inFolder("batch.jsonl"), "-o", inFolder("out.jsonl"), "--json"],
      ...["--upstream-url", `${upstream.url}/v1`, "--upstream-key-env", "THEIR_KEY"],
    ],
    { env: { THEIR_KEY: upstream.apiKey } },
  );
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ total: 50, completed: 50, failed: 0 });
});
