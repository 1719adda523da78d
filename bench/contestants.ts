import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import OpenAI from "openai";
import { z } from "zod";
import { type Job, runJob } from "./job.ts";

/** Something that turns the job's input into an output file. */
export interface Contestant {
  readonly name: string;
  /** Does the job once; a client looks every so many milliseconds whether it is done. */
  run(pollEvery: number): Promise<string>;
  stop(): Promise<void>;
}

const readySchema = z.object({ url: z.url(), apiKey: z.string() });

/** What the job costs at the least: read the lines, parse them, write as many, in this very process. */
export async function createFloor(job: Job): Promise<Contestant> {
  const folder = await mkdtemp(join(tmpdir(), "sheaf-bench-"));
  const input = join(folder, "input.jsonl");
  const output = join(folder, "output.jsonl");
  await writeFile(input, job.content);
  return {
    name: "floor: read, parse, write",
    async run() {
      const lines = (await readFile(input, "utf8")).trimEnd().split("\n");
      const answers = lines.map((line) => {
        const request: { custom_id: string; body: { messages: { content: string }[] } } = JSON.parse(line);
        const message = { role: "assistant", content: request.body.messages[0]?.content };
        const body = { object: "chat.completion", choices: [{ index: 0, message, finish_reason: "stop" }] };
        return `${JSON.stringify({ custom_id: request.custom_id, response: { status_code: 200, body }, error: null })}\n`;
      });
      await writeFile(output, answers.join(""));
      return await readFile(output, "utf8");
    },
    stop: () => rm(folder, { recursive: true }),
  };
}

export function startSheaf(job: Job): Promise<Contestant> {
  const flags = ["serve", "--json", "--port", "0", "--ephemeral", "--pace", "instant"];
  return startServer("sheaf serve --pace instant", "../src/main/headless.ts", flags, job);
}

export function startAimock(job: Job): Promise<Contestant> {
  return startServer("@copilotkit/aimock", "./aimock-server.ts", [], job);
}

/** A server in a process of its own, whose first line of output says where it is. */
async function startServer(name: string, script: string, flags: readonly string[], job: Job): Promise<Contestant> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, [path, ...flags], { stdio: ["ignore", "pipe", "inherit"] });
  const { url, apiKey } = await readReady(child);
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 });
  return {
    name,
    run: (pollEvery) => runJob(client, job, pollEvery),
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

async function readReady(child: ChildProcess): Promise<z.infer<typeof readySchema>> {
  if (child.stdout === null) throw new Error("The server has no output to read.");
  for await (const line of createInterface({ input: child.stdout })) return readySchema.parse(JSON.parse(line));
  throw new Error("The server ended before it was ready.");
}
