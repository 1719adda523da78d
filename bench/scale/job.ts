import { once } from "node:events";
import { createReadStream, createWriteStream, openAsBlob } from "node:fs";
import { finished } from "node:stream/promises";
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { createJob, readQuestions } from "../job.ts";
import type { Server } from "../servers.ts";

const blockLines = 1_000;
const batchSchema = z.object({
  id: z.string(),
  status: z.string(),
  output_file_id: z.string().nullable(),
  request_counts: z.object({ completed: z.int(), failed: z.int() }),
});
export type Batch = z.infer<typeof batchSchema>;

/** Writes an input file with the questions of GSM8K's test set over and over, each under an id of its own. */
export async function writeInput(path: string, lines: number): Promise<void> {
  const questions = await readQuestions();
  const file = createWriteStream(path);
  for (let from = 1; from <= lines; from += blockLines) {
    const rows = Array.from({ length: Math.min(blockLines, lines - from + 1) }, (_, at) => {
      const { question } = questions[(from + at) % questions.length] ?? { question: "" };
      return { id: `line-${from + at}`, question };
    });
    if (!file.write(createJob(rows).content)) await once(file, "drain");
  }
  file.end();
  await finished(file);
}

async function send({ url, apiKey }: Server, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${apiKey}`, ...init.headers };
  const response = await fetch(`${url}${path}`, { ...init, headers });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response;
}

/** Uploads an input file, and creates a batch of it. */
export async function createBatch(server: Server, inputPath: string): Promise<Batch> {
  const body = new FormData();
  body.set("purpose", "batch");
  body.set("file", await openAsBlob(inputPath), "batch.jsonl");
  const uploaded = await send(server, "/v1/files", { method: "POST", body });
  const { id } = z.object({ id: z.string() }).parse(await uploaded.json());
  const wanted = { input_file_id: id, endpoint: "/v1/chat/completions", completion_window: "24h" };
  const headers = { "content-type": "application/json" };
  const created = await send(server, "/v1/batches", { method: "POST", headers, body: JSON.stringify(wanted) });
  return batchSchema.parse(await created.json());
}

/** Looks at a batch every so many milliseconds until it is as wanted. */
export async function pollBatch(
  server: Server,
  id: string,
  every: number,
  isDone: (batch: Batch) => boolean,
): Promise<Batch> {
  for (;;) {
    const batch = batchSchema.parse(await (await send(server, `/v1/batches/${id}`)).json());
    if (isDone(batch)) return batch;
    if (["failed", "expired", "cancelled", "completed"].includes(batch.status)) {
      throw new Error(`The batch ended as ${batch.status}.`);
    }
    await wait(every);
  }
}

export async function download(server: Server, fileId: string | null): Promise<Buffer> {
  return Buffer.from(await (await send(server, `/v1/files/${fileId}/content`)).arrayBuffer());
}

/** Reads the lines, parses them and writes as many, a block at a time: the least that a batch can cost. Answers with the output. */
export async function runFloor(input: string, output: string): Promise<Buffer> {
  const file = createWriteStream(output);
  let rest = "";
  for await (const chunk of createReadStream(input, { encoding: "utf8", highWaterMark: 1_000_000 })) {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    if (!file.write(lines.map(answerLine).join(""))) await once(file, "drain");
  }
  file.end();
  await finished(file);
  const chunks: Buffer[] = [];
  for await (const chunk of createReadStream(output, { highWaterMark: 1_000_000 })) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function answerLine(line: string): string {
  const request: { custom_id: string; body: { messages: { content: string }[] } } = JSON.parse(line);
  const message = { role: "assistant", content: request.body.messages[0]?.content };
  const body = { object: "chat.completion", choices: [{ index: 0, message, finish_reason: "stop" }] };
  return `${JSON.stringify({ custom_id: request.custom_id, response: { status_code: 200, body }, error: null })}\n`;
}

/** Fails unless there is an answer for each line, and each exactly once. */
export function checkAnswers(output: Buffer, lines: number): void {
  const seen = new Uint8Array(lines + 1);
  let count = 0;
  for (let start = 0; start < output.length; ) {
    const end = output.indexOf(0x0a, start);
    const [, line] =
      /"custom_id":"line-(\d+)"/.exec(output.toString("latin1", start, Math.min(end, start + 200))) ?? [];
    seen[Number(line)] = 1;
    count += 1;
    start = end + 1;
  }
  const answered = seen.reduce((sum, one) => sum + one, 0);
  if (count !== lines || answered !== lines)
    throw new Error(`Of ${lines} lines ${answered} were answered in ${count}.`);
}
