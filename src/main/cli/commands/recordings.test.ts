import OpenAI from "openai";
import { afterEach, expect, test } from "vitest";
import { type RunningServer, runSheaf, startServer } from "../testing/sheaf-process.ts";
import { setUpFolder } from "../testing/temporary-folder.ts";

const inFolder = setUpFolder();
const servers: RunningServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())));

/** Asks a server in the scope of a test. */
async function start(args: string[], env: Record<string, string> = {}) {
  const server = await startServer(["--ephemeral", "--no-rate-limit", ...args], { env });
  servers.push(server);
  const { url, apiKey } = server;
  return {
    url,
    apiKey,
    async ask(scope: string, content: string): Promise<string | null | undefined> {
      const client = new OpenAI({ baseURL: `${url}/scope/${scope}/v1`, apiKey, maxRetries: 0 });
      const messages = [{ role: "user" as const, content }];
      return (await client.chat.completions.create({ model: "gpt-4o", messages })).choices[0]?.message.content;
    },
  };
}

test("recordings are named after tests, ask for what is missing only, and are replayed strictly", async () => {
  const folder = inFolder("recordings/");
  const upstream = await start(["--any-model"]);
  const record = [
    "--any-model",
    "--upstream-url",
    `${upstream.url}/v1`,
    "--upstream-key-env",
    "UP_KEY",
    "--record",
    folder,
  ];
  const recorder = await start([...record, "--record-missing"], { UP_KEY: upstream.apiKey });
  const said = [await recorder.ask("logs-in", "Who am I?"), await recorder.ask("pays", "What do I owe?")];
  expect(await recorder.ask("logs-in", "Who am I?")).toBe(said[0]);
  const counted = await fetch(`${upstream.url}/sheaf/requests`, {
    headers: { authorization: `Bearer ${upstream.apiKey}` },
  });
  expect((await counted.json()).data).toHaveLength(2);

  const replay = await start(["--rules", folder, "--replay", "strict"]);
  expect([await replay.ask("logs-in", "Who am I?"), await replay.ask("pays", "What do I owe?")]).toEqual(said);
  await expect(replay.ask("pays", "What do I pay?")).rejects.toMatchObject({
    status: 404,
    code: "no_rule_matches",
    message: expect.stringContaining(
      "The nearest is rule 1 ('What do I owe?'), but messages[0].content is 'What do I pay?', not 'What do I owe?'.",
    ),
  });
  await expect(replay.ask("other", "Who am I?")).rejects.toMatchObject({ status: 404 });
});

test.each([
  [["--replay", "loose"], "--replay expects strict, not 'loose'."],
  [["--replay", "strict"], "--replay is for --engine scripted, not mock."],
  [
    ["--upstream-url", "http://127.0.0.1:1/v1", "--record-missing"],
    "--record-missing needs --record FILE, which it adds to.",
  ],
])("%j is refused in a sentence", async (flags, message) => {
  expect(await runSheaf(["serve", "--ephemeral", ...flags])).toEqual({
    code: 2,
    stdout: "",
    stderr: `error: ${message}\n`,
  });
});
