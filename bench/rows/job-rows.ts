import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import OpenAI from "openai";
import { checkOutput, type Job, runJob } from "../job.ts";
import type { Contestant, Row } from "../measure.ts";
import type { Server } from "../servers.ts";
import { timeWork } from "../time-requests.ts";

/** How often clients look whether a batch is done: as fast as makes sense, and as a patient test would, in milliseconds. */
const usualIntervals = [5, 50];

/** A batch from the first byte uploaded to the last one downloaded, and what that costs at the least. */
export function createJobRows(job: Job, servers: readonly Server[], pollIntervals = usualIntervals): Row[] {
  return pollIntervals.map((pollEvery) => ({
    title: `Batch of ${job.customIds.size.toLocaleString("en")} lines, from upload to downloaded output, polled every ${pollEvery} ms`,
    asRate: false,
    contestants: [createFloor(job), ...servers.map((server) => createClient(server, job, pollEvery))],
  }));
}

function createClient(server: Server, job: Job, pollEvery: number): Contestant {
  const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: server.apiKey, maxRetries: 0 });
  return {
    name: server.name,
    async run() {
      let output = "";
      const sample = await timeWork(server, async () => {
        output = await runJob(client, job, pollEvery);
      });
      checkOutput(output, job);
      return sample;
    },
  };
}

/** Reads the lines, parses them and writes as many, in this very process. */
function createFloor(job: Job): Contestant {
  return {
    name: "floor: read, parse, write",
    async run() {
      const folder = await mkdtemp(join(tmpdir(), "sheaf-bench-"));
      const [input, output] = [join(folder, "input.jsonl"), join(folder, "output.jsonl")];
      await writeFile(input, job.content);
      const start = performance.now();
      await answerLines(input, output);
      const answers = await readFile(output, "utf8");
      const time = performance.now() - start;
      checkOutput(answers, job);
      await rm(folder, { recursive: true });
      return { time, cpu: null };
    },
  };
}

async function answerLines(input: string, output: string): Promise<void> {
  const lines = (await readFile(input, "utf8")).trimEnd().split("\n");
  const answers = lines.map((line) => {
    const request: { custom_id: string; body: { messages: { content: string }[] } } = JSON.parse(line);
    const message = { role: "assistant", content: request.body.messages[0]?.content };
    const body = { object: "chat.completion", choices: [{ index: 0, message, finish_reason: "stop" }] };
    return `${JSON.stringify({ custom_id: request.custom_id, response: { status_code: 200, body }, error: null })}\n`;
  });
  await writeFile(output, answers.join(""));
}
