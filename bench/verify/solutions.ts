import { readFile } from "node:fs/promises";
import { z } from "zod";

/** A worked solution of GSM8K (MIT licence, in examples). */
export interface Solution {
  readonly id: string;
  readonly solution: string;
}

const solutionSchema = z.object({ id: z.string(), solution: z.string() });
const file = new URL("../../examples/gsm8k-1319.solutions.jsonl", import.meta.url);

/** The 1,319 worked solutions. */
export async function readSolutions(): Promise<readonly Solution[]> {
  const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
  return lines.map((line) => solutionSchema.parse(JSON.parse(line)));
}
