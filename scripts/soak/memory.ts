import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import OpenAI from "openai";
import { createJob, model, readQuestions, runJob } from "../../bench/job.ts";
import { startOnFolder } from "../../bench/servers.ts";

/** How long each part takes, in milliseconds. */
export interface MemoryTimes {
  readonly warmUp: number;
  readonly load: number;
  readonly idle: number;
}

/** The memory of a service's process, in MB: after the warm-up, at the end of the load, and when it has been idle. */
export interface ServiceMemory {
  readonly warm: number;
  readonly loaded: number;
  readonly idle: number;
  readonly chats: number;
  readonly batches: number;
}

const [chatsAtATime, batchLines, pollEvery] = [8, 500, 50];

/** Loads a service with chats and batches at the same time, as fast as it answers, and reads its memory. */
export async function measureServiceMemory({ warmUp, load, idle }: MemoryTimes): Promise<ServiceMemory> {
  const dataDir = await mkdtemp(join(tmpdir(), "sheaf-memory-"));
  const service = await startOnFolder(dataDir, "second");
  const client = new OpenAI({ baseURL: `${service.url}/v1`, apiKey: service.apiKey, maxRetries: 0 });
  const questions = await readQuestions();
  const job = createJob(questions.slice(0, batchLines));
  const counts = { chats: 0, batches: 0 };

  async function ask(end: number): Promise<void> {
    while (performance.now() < end) {
      counts.chats += 1;
      const { question = "" } = questions[counts.chats % questions.length] ?? {};
      await client.chat.completions.create({
        model,
        messages: [{ role: "user", content: `${counts.chats}. ${question}` }],
      });
    }
  }
  async function runBatches(end: number): Promise<void> {
    while (performance.now() < end) {
      counts.batches += 1;
      await runJob(client, job, pollEvery);
    }
  }
  async function loadFor(milliseconds: number): Promise<number> {
    const end = performance.now() + milliseconds;
    await Promise.all([...Array.from({ length: chatsAtATime }, () => ask(end)), runBatches(end)]);
    return (await service.observe()).memory;
  }
  try {
    const warm = await loadFor(warmUp);
    const loaded = await loadFor(load);
    await wait(idle);
    return { warm, loaded, idle: (await service.observe()).memory, ...counts };
  } finally {
    await service.stop();
    await rm(dataDir, { recursive: true });
  }
}
