import { z } from "zod";
import { chatRequestSchema, type Problem } from "#contract";
import type { BatchAdapter, PartLine } from "./batch-adapter.ts";

const requestSchema = z.object({ custom_id: z.string(), body: chatRequestSchema });

/** A line of our own file, which has been checked. */
export function parsePartLine(text: string, line: number): PartLine {
  const { custom_id: customId, body: request } = requestSchema.parse(JSON.parse(text));
  return { line, customId, request };
}

/** What the service can't do of it. */
export function listProblems(encoded: ReturnType<BatchAdapter["encode"]>, line: number): Problem[] {
  if ("text" in encoded) return [];
  return encoded.problems.map(({ param, message }) => ({
    code: "invalid_request",
    message,
    param,
    line,
    severity: "error",
  }));
}
