import { z } from "zod";
import { chatRequestSchema, type Problem } from "#contract";
import type { PartLine } from "../adapters/batch-adapter.ts";

const requestSchema = z.object({ custom_id: z.string(), body: chatRequestSchema });

/** A line of our own file, which has been checked. */
export function parsePartLine(text: string, line: number): PartLine {
  const { custom_id: customId, body: request } = requestSchema.parse(JSON.parse(text));
  return { line, customId, request };
}

type Encoded = { readonly text: string } | { readonly problems: readonly Pick<Problem, "param" | "message">[] };

/** What the service can't do of it. */
export function listProblems(encoded: Encoded, line: number): Problem[] {
  if ("text" in encoded) return [];
  return encoded.problems.map(({ param, message }) => {
    return { code: "invalid_request", message, param, line, severity: "error" };
  });
}
