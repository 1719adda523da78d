import type { EngineError } from "../../ports.ts";
import { createEngineError } from "../engine-error.ts";

/** The answer of a request that fails because it was told to. Its message says so; the rest is as a real one has it. */
export function toFaultReply(status: number, message: string, retryAfter?: number): EngineError {
  const code = status === 429 ? "rate_limit_exceeded" : "injected_fault";
  return createEngineError({ status, message, code, retryAfter });
}
