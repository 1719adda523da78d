import { EventEmitter, once } from "node:events";
import { z } from "zod";
import { countClaims, type McpAnswer, mcpAnswerSchema, type VerifyResult } from "#contract";
import type { Verifier } from "#main/judging";
import type { VerifyOptions } from "../../judging/verify/types.ts";

/** A judge that takes as long as a test wants. */
interface ManualVerifier extends Verifier {
  /** Resolves with the next call that comes in. */
  next(): Promise<ManualCall>;
}

interface ManualCall {
  readonly signal: AbortSignal;
  progress(done: number, total: number): void;
  finish(explanation: string): void;
}

export function createManualVerifier(): ManualVerifier {
  const calls = new EventEmitter<{ call: [ManualCall] }>();
  return {
    judge: "model",
    async next() {
      const [call] = await once(calls, "call");
      return call;
    },
    verify: ({ prompt, response }, { signal, onProgress }: VerifyOptions = {}) =>
      new Promise((resolve, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason));
        const result: VerifyResult = {
          prompt,
          response,
          is_hallucination: false,
          explanation: "",
          claims: [],
          counts: countClaims([]),
          search_results: [],
          usage: { completion_tokens: 0, prompt_tokens: 0, total_tokens: 0 },
        };
        calls.emit("call", {
          signal: signal ?? new AbortController().signal,
          progress: (done, total) => onProgress?.(done, total),
          finish: (explanation) => resolve({ ...result, explanation }),
        });
      }),
  };
}

/** The headers that every call needs in addition to the token. */
export const mcpHeaders = { "content-type": "application/json", accept: "application/json, text/event-stream" };

/** The call that the interface document shows. */
export function callVerify(given: object = {}, { id = 1, _meta }: { id?: number; _meta?: object } = {}) {
  const texts = { prompt: "What is 2 + 2?", response: "2 + 2 = 5." };
  const params = { name: "verify", arguments: { ...texts, ...given }, ...(_meta && { _meta }) };
  return { jsonrpc: "2.0", method: "tools/call", params, id };
}

/** What revision 2026-07-28 asks of every request: who speaks, in the message and in the headers. */
export function inCurrentRevision({ method, params, ...message }: { method: string; params?: object }) {
  const version = "2026-07-28";
  const given = z.object({ name: z.string().optional(), _meta: z.looseObject({}).optional() }).parse(params ?? {});
  const _meta = {
    ...given._meta,
    "io.modelcontextprotocol/protocolVersion": version,
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const headers = {
    ...mcpHeaders,
    "mcp-protocol-version": version,
    "mcp-method": method,
    ...(given.name !== undefined && { "mcp-name": given.name }),
  };
  return { headers, body: { ...message, method, params: { ...params, _meta } } };
}

/** The answer of a response in JSON. */
export async function readAnswer(response: Response): Promise<McpAnswer> {
  return mcpAnswerSchema.parse(await response.json());
}

/** The messages of a response that is a stream, to its end. */
export async function readEvents(response: Response): Promise<unknown[]> {
  const lines = (await response.text()).split("\n").filter((line) => line.startsWith("data: "));
  return lines.map((line) => JSON.parse(line.slice("data: ".length)));
}
