import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";

const repository = new URL("../../../../", import.meta.url);
const questionSchema = z.object({ question: z.string() });

/** The GSM8K test questions: all 1,319 where they lie beside the repository, else the 200 of the example. */
export function readGsm8kQuestions(): string[] {
  const whole = new URL("../shared/data/gsm8k/test.jsonl", repository);
  const file = existsSync(whole) ? whole : new URL("examples/gsm8k-200.jsonl", repository);
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return lines.map((line) => questionSchema.parse(JSON.parse(line)).question);
}

/** One line of a batch input file. `changes` replaces fields of the line, `body` fields of its body. */
export function requestLine(
  customId: string,
  question: string,
  { body = {}, ...changes }: { body?: Record<string, unknown>; [field: string]: unknown } = {},
): string {
  return JSON.stringify({
    custom_id: customId,
    method: "POST",
    url: "/v1/chat/completions",
    body: {
      model: "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo",
      messages: [{ role: "user", content: question }],
      ...body,
    },
    ...changes,
  });
}

export function toJsonl(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

/** A valid input file of `count` requests, `q-1` … */
export function fileOf(count: number): string {
  return toJsonl(Array.from({ length: count }, (_, at) => requestLine(`q-${at + 1}`, `Question ${at + 1}?`)));
}
