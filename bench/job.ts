import { readFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import type OpenAI from "openai";
import { z } from "zod";

const questions = new URL("../examples/gsm8k-1319.jsonl", import.meta.url);
const questionSchema = z.object({ id: z.string(), question: z.string() });
const outputSchema = z.object({ custom_id: z.string(), response: z.object({ status_code: z.literal(200) }) });

export const model = "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo";

/** One of the questions of GSM8K's test set. */
export type Question = z.infer<typeof questionSchema>;

export async function readQuestions(): Promise<Question[]> {
  const lines = (await readFile(questions, "utf8")).trimEnd().split("\n");
  return lines.map((line) => questionSchema.parse(JSON.parse(line)));
}

/** A batch of one request for each question. */
export interface Job {
  readonly content: string;
  readonly customIds: ReadonlySet<string>;
}

export function createJob(rows: readonly Question[]): Job {
  const requests = rows.map(({ id, question }) => ({
    custom_id: id,
    method: "POST",
    url: "/v1/chat/completions",
    body: { model, messages: [{ role: "user", content: question }] },
  }));
  return {
    content: requests.map((request) => `${JSON.stringify(request)}\n`).join(""),
    customIds: new Set(rows.map(({ id }) => id)),
  };
}

/**
 * The whole job as a client does it: upload, create, poll until it has ended, download. Answers the output file.
 * @param pollEvery milliseconds that the client waits before each look at the batch
 */
export async function runJob(client: OpenAI, job: Job, pollEvery: number): Promise<string> {
  const file = await client.files.create({ file: new File([job.content], "batch.jsonl"), purpose: "batch" });
  let batch = await client.batches.create({
    input_file_id: file.id,
    endpoint: "/v1/chat/completions",
    completion_window: "24h",
  });
  while (batch.status !== "completed") {
    if (["failed", "expired", "cancelled"].includes(batch.status))
      throw new Error(`The batch ended as ${batch.status}.`);
    await wait(pollEvery);
    batch = await client.batches.retrieve(batch.id);
  }
  const output = await client.files.content(batch.output_file_id ?? "");
  return await output.text();
}

/** Fails unless the output has an answer for each request, and each exactly once: no one wins by leaving work out. */
export function checkOutput(output: string, job: Job): void {
  const lines = output.trimEnd().split("\n");
  const answered = new Set(lines.map((line) => outputSchema.parse(JSON.parse(line)).custom_id));
  const complete =
    lines.length === job.customIds.size && answered.isSubsetOf(job.customIds) && answered.size === lines.length;
  if (!complete)
    throw new Error(`Of ${job.customIds.size} requests, ${answered.size} were answered in ${lines.length} lines.`);
}
