import { readFileSync } from "node:fs";
import { z } from "zod";

const questionSchema = z.object({ knowledge: z.string(), question: z.string(), right_answer: z.string() });
const itemSchema = questionSchema.extend({
  hallucinated_answer: z.string(),
  right_variants: z.array(z.string()).default([]),
  shortest_wrong: z.string().optional(),
});

/** A question about a short text, with the answer that the text has. */
export interface TextQuestion {
  readonly knowledge: string;
  readonly question: string;
  readonly right: string;
}

/** A question about a short text, with a wrong answer as well. */
export interface Item extends TextQuestion {
  readonly wrong: string;
  /** The right answer as somebody put it in other words; none in HaluEval. */
  readonly variants?: readonly string[];
  /** What is wrong in the wrong answer, as somebody cut it out; none in HaluEval. */
  readonly shortestWrong?: string | undefined;
}

/** Reads items in the form of HaluEval's question answering (MIT): one JSON object a line. */
export function readItems(path: string | URL): readonly Item[] {
  return readLines(path).map((line) => {
    const item = itemSchema.parse(line);
    return {
      ...toQuestion(item),
      wrong: item.hallucinated_answer,
      variants: item.right_variants,
      shortestWrong: item.shortest_wrong,
    };
  });
}

/** Reads the questions of such items, with or without wrong answers. */
export function readQuestions(path: string | URL): readonly TextQuestion[] {
  return readLines(path).map((line) => toQuestion(questionSchema.parse(line)));
}

function toQuestion({ knowledge, question, right_answer }: z.infer<typeof questionSchema>): TextQuestion {
  return { knowledge, question, right: right_answer };
}

function readLines(path: string | URL): readonly unknown[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line): unknown => JSON.parse(line));
}

/** The items that the rules were written with, and every eighth, which they were only measured on. */
export function splitItems(items: readonly Item[]): { readonly seen: readonly Item[]; readonly held: readonly Item[] } {
  return { seen: items.filter((_, index) => index % 8 !== 7), held: items.filter((_, index) => index % 8 === 7) };
}
