import { z } from "zod";
import { documentChoiceSchema, judgeChoiceSchema, lineVerdictSchema } from "#contract";
import { type Judgement, kindCountsSchema } from "./judgement.ts";

/** The first line of a file of verdicts: what they are of, and how they were come to. */
const verdictsHeaderSchema = z.object({
  /** 1: written by an earlier version, whose verdicts meant something else. */
  version: z.literal([1, 2]),
  choice: judgeChoiceSchema,
  document: documentChoiceSchema,
  strict: z.boolean().default(false),
  /** Lines of the batch that had an answer when it was started. */
  total: z.int().min(0),
});
export type VerdictsHeader = Readonly<z.infer<typeof verdictsHeaderSchema>>;

const headSchema = z.object({
  line: z.int().min(1),
  verdict: lineVerdictSchema,
  kinds: kindCountsSchema,
});

/**
 * The result comes last, after this: what the index needs of a line is found without reading the rest of it, which may
 * be long. No string before it can hold it, since a quotation mark in a string is escaped.
 */
const beforeResult = ',"result":';

/** One line of the file, with its line end. */
export function formatVerdictLine(line: number, { verdict, kinds, result }: Judgement): string {
  const head = JSON.stringify({ line, verdict, kinds });
  return `${head.slice(0, -1)}${beforeResult}${result}}\n`;
}

/** All of a line but its result, and where that is in the line. Null for a line that is none. */
export function readVerdictLine(bytes: Buffer) {
  const at = bytes.indexOf(beforeResult);
  if (at === -1 || bytes.at(-1) !== 0x7d) return null;
  const head = headSchema.safeParse(parseJson(`${bytes.toString("utf8", 0, at)}}`));
  if (!head.success) return null;
  const start = at + beforeResult.length;
  return { ...head.data, start, length: bytes.length - 1 - start };
}

export function readHeader(bytes: Buffer): VerdictsHeader | null {
  return verdictsHeaderSchema.safeParse(parseJson(bytes.toString())).data ?? null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
