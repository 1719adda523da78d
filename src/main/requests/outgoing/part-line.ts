import { z } from "zod";
import { type ChatRequest, chatRequestSchema, type Problem } from "#contract";

/** Something in a request that the service has no counterpart for. It is reported before anything is sent, never dropped. */
export interface TranslationProblem {
  /** Path in the request, such as `body.temperature`. */
  readonly param: string;
  readonly message: string;
}

/** A request in the API of another service, or why it can't be written in that. */
export type Translation =
  | {
      readonly params: Readonly<Record<string, unknown>>;
      /** What is sent in another way than it was asked for; none by default. */
      readonly notes?: readonly TranslationProblem[];
    }
  | { readonly problems: readonly TranslationProblem[] };

/** A request of a part, as our own file has it. */
export interface PartLine {
  /** Of the input file, from 1. */
  readonly line: number;
  readonly customId: string;
  readonly request: ChatRequest;
}

const requestSchema = z.object({ custom_id: z.string(), body: chatRequestSchema });

/** A line of our own file, which has been checked. */
export function parsePartLine(text: string, line: number): PartLine {
  const { custom_id: customId, body: request } = requestSchema.parse(JSON.parse(text));
  return { line, customId, request };
}

type Encoded = { readonly text: string } | { readonly problems: readonly Pick<Problem, "param" | "message">[] };

/** What the service doesn't support in it. */
export function listProblems(encoded: Encoded, line: number): Problem[] {
  if ("text" in encoded) return [];
  return encoded.problems.map(({ param, message }) => {
    return { code: "invalid_request", message, param, line, severity: "error" };
  });
}
