import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import OpenAI from "openai";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { startSheaf } from "../testing/sheaf-process.ts";

const readySchema = z.object({ url: z.string(), apiKey: z.string() });
const apiKey = "sk-sheaf-soak";

async function start(...flags: string[]) {
  const child = startSheaf(["serve", "--json", "--port", "0", "--api-key", apiKey, ...flags]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  const { url } = readySchema.parse(JSON.parse(String(line)));
  return { child, client: new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 }) };
}

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
