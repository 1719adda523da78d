import { readFile } from "node:fs/promises";
import { z } from "zod";

/** A worked solution of GSM8K (MIT licence, in examples). */
export interface Solution {
  readonly id: string;
  readonly solution: string;
}

const solutionSchema = z.object({ id: z.string(), solution: z.string() });
const file = new URL("../../../../../examples/gsm8k-1319.solutions.jsonl", import.meta.url);

/** Solutions that are wrong themselves, and what is wrong in them. docs/verify-accuracy.md shows the arithmetic. */
export const wrongSolutions: ReadonlySet<string> = new Set([
  "gsm8k-0502",
  "gsm8k-0599",
  "gsm8k-0803",
  "gsm8k-0932",
  "gsm8k-1025",
  "gsm8k-1039",
]);

/** The 1,319 worked solutions. */
export async function readSolutions(): Promise<readonly Solution[]> {
  const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
  return lines.map((line) => solutionSchema.parse(JSON.parse(line)));
}
