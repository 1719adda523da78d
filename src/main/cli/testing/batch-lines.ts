import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const questionSchema = z.object({ id: z.string(), question: z.string() });

/** A file of `examples/`, as a path. */
export const exampleFile = (name: string) => fileURLToPath(new URL(`../../../../examples/${name}`, import.meta.url));

/** The questions of GSM8K's test set as lines of a batch file. */
export function readBatchLines(count = 1_319): string[] {
  const lines = readFileSync(exampleFile("gsm8k-1319.jsonl"), "utf8").trimEnd().split("\n").slice(0, count);
  return lines.map((line) => {
    const { id, question } = questionSchema.parse(JSON.parse(line));
    return JSON.stringify({
      custom_id: id,
      method: "POST",
      url: "/v1/chat/completions",
      body: { model: "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo", messages: [{ role: "user", content: question }] },
    });
  });
}
