import OpenAI from "openai";
import { createJob, type Question, runJob } from "./job.ts";
import { chatPath, writeQuestion } from "./rows/chat-rows.ts";
import { filesPath, uploadedBytes } from "./rows/upload-row.ts";
import type { Server } from "./servers.ts";

const fewLines = 10;

/** Runs a small batch on a server and answers the path of its status. */
export async function runSmallBatch({ url, apiKey }: Server, questions: readonly Question[]): Promise<string> {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 });
  await runJob(client, createJob(questions.slice(0, fewLines)), 5);
  const [batch] = (await client.batches.list({ limit: 1 })).data;
  return `/v1/batches/${batch?.id}`;
}

/** What a server answers to what the rows ask, for one that only repeats it. */
export async function collectAnswers(
  { url, apiKey }: Server,
  statusPath: string,
  questions: readonly Question[],
): Promise<Record<string, string>> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const status = await fetch(`${url}${statusPath}`, { headers });
  const completion = await fetch(`${url}${chatPath}`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: writeQuestion(questions[0]?.question ?? ""),
  });
  return {
    [statusPath]: await status.text(),
    [chatPath]: await completion.text(),
    [filesPath]: JSON.stringify({ id: "file-bare", object: "file", bytes: uploadedBytes, purpose: "batch" }),
  };
}
