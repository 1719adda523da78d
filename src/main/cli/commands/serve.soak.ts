import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import OpenAI from "openai";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { createRandom, readSeed } from "../../../../scripts/soak/random.ts";
import { readBatchLines } from "../testing/batch-lines.ts";
import { exitOf, startSheaf } from "../testing/sheaf-process.ts";
import { setUpFolder } from "../testing/temporary-folder.ts";

const inFolder = setUpFolder();
const readySchema = z.object({ url: z.string(), apiKey: z.string() });
const apiKey = "sk-sheaf-soak";

async function start(...flags: string[]) {
  const { child, line } = await startHost("serve", "--api-key", apiKey, ...flags);
  const { url } = readySchema.parse(JSON.parse(line));
  return { child, client: new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 }) };
}

/** Starts a command on a free port, and awaits its first line. */
async function startHost(command: "serve" | "web", ...flags: string[]) {
  const child = startSheaf([command, "--json", "--port", "0", ...flags]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  return { child, line: String(line) };
}

const kills = 120;
const seed = readSeed();

test(`a server, and the app in the browser, killed ${kills} times while a batch runs, answer each line exactly once (SHEAF_SEED=${seed})`, async () => {
  const random = createRandom(seed);
  const flags = ["--data-dir", inFolder("data"), "--pace", "300"];
  const first = await start(...flags);
  const lines = readBatchLines();
  const { files, batches } = first.client;
  const input = await files.create({ file: new File([lines.join("\n")], "all.jsonl"), purpose: "batch" });
  const { id } = await batches.create({
    input_file_id: input.id,
    endpoint: "/v1/chat/completions",
    completion_window: "24h",
  });
  let { child } = first;
  for (let count = 0; count < kills; count += 1) {
    await wait(random.below(600));
    child.kill("SIGKILL");
    await exitOf(child);
    ({ child } = await startHost(random.oneOf(["serve", "serve", "web"] as const), ...flags));
  }
  child.kill("SIGKILL");
  await exitOf(child);
  const server = await start(...flags);
  let batch = await server.client.batches.retrieve(id);
  while (batch.status !== "completed") {
    await wait(100);
    batch = await server.client.batches.retrieve(id);
  }
  const output = await (await server.client.files.content(batch.output_file_id ?? "")).text();
  const answered = output
    .trimEnd()
    .split("\n")
    .map((line) => z.object({ custom_id: z.string() }).parse(JSON.parse(line)).custom_id);
  expect(answered.sort()).toEqual(lines.map((_, index) => `gsm8k-${String(index + 1).padStart(4, "0")}`));
});

test("a server that has answered 40,000 calls is not much larger than after 10,000", async ({ skip }) => {
  skip(process.platform !== "linux", "the size of a process is read in /proc");
  const { child, client } = await start("--ephemeral", "--no-rate-limit");
  const model = "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo";
  const ask = async (count: number) => {
    const one = () => client.chat.completions.create({ model, messages: [{ role: "user", content: "Why?" }] });
    for (let asked = 0; asked < count; asked += 50) await Promise.all(Array.from({ length: 50 }, one));
  };
  const readMegabytes = () =>
    Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) / 1_000;
  await ask(10_000);
  const before = readMegabytes();
  await ask(30_000);
  expect(readMegabytes()).toBeLessThan(before + 100);
});
