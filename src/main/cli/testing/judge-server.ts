import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { z } from "zod";

/** What the server of a judge answers: the content of a message, or a status with a body. */
export type JudgeAnswer = string | { readonly status?: number; readonly body: unknown };

const requestSchema = z.looseObject({
  messages: z.array(z.looseObject({ role: z.string(), content: z.string() })),
});

/**
 * A local chat server that gives these answers in turn, the last one repeatedly.
 * @returns the flags that name it and a folder for its verdicts, and the requests it got
 */
export async function openJudgeServer(...answers: readonly JudgeAnswer[]) {
  const asked: z.infer<typeof requestSchema>[] = [];
  const server = createServer(async (request, response) => {
    const answer = answers[Math.min(asked.length, answers.length - 1)] ?? "";
    asked.push(requestSchema.parse(JSON.parse(await text(request))));
    const { status = 200, body } = typeof answer === "string" ? { body: completion(answer) } : answer;
    response.writeHead(status, { "content-type": "application/json" });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const { port } = z.object({ port: z.int() }).parse(server.address());
  const folder = await mkdtemp(join(tmpdir(), "sheaf-judge-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const upstream = ["--upstream-url", `http://127.0.0.1:${port}/v1`, "--upstream-retries", "0"];
  return { flags: [...upstream, "--data-dir", folder], asked };
}

/** A chat completion with no more than it must have. */
export function completion(content: string, more: Readonly<Record<string, unknown>> = {}) {
  return { choices: [{ message: { content }, ...more }] };
}
