import { readFileSync } from "node:fs";
import { z } from "zod";

const itemSchema = z.object({
  knowledge: z.string(),
  question: z.string(),
  right_answer: z.string(),
  hallucinated_answer: z.string(),
});

/** A question about a short text, with an answer that the text has and one that it doesn't. */
export interface Item {
  readonly knowledge: string;
  readonly question: string;
  readonly right: string;
  readonly wrong: string;
}

/** Reads items in the form of HaluEval's question answering (MIT): one JSON object a line. */
export function readItems(path: string | URL): readonly Item[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const { knowledge, question, right_answer, hallucinated_answer } = itemSchema.parse(JSON.parse(line));
      return { knowledge, question, right: right_answer, wrong: hallucinated_answer };
    });
}

/** The items that the rules were written with, and every fourth, which they were only measured on. */
export function splitItems(items: readonly Item[]): { readonly seen: readonly Item[]; readonly held: readonly Item[] } {
  return { seen: items.filter((_, index) => index % 4 !== 3), held: items.filter((_, index) => index % 4 === 3) };
}
