import type { ChatMessage, Claim, ResponseFormat, TokenLogprob, Verdict, VerifyInput, VerifyResult } from "#contract";
import type { Clock, Engine, Ids } from "../../ports.ts";
import type { VerifyOptions } from "../types.ts";

/** What a model is asked with. */
export interface ModelParts {
  readonly engine: Engine;
  readonly model: string;
  readonly ids: Ids;
  readonly clock: Clock;
  /** Longest that one call may take, in milliseconds of the clock. */
  readonly timeout: number;
  /** The system message that the model was trained with, word for word, in place of the preset's. */
  readonly system?: string;
}

/** What a preset judges: claims of one response. Their findings by rules are hints. */
export interface Job {
  readonly input: VerifyInput;
  readonly claims: readonly Claim[];
  readonly options: VerifyOptions;
}

/** What came of a job: each claim judged, or why none is, as a clause. Tokens count either way. */
export type ModelJudgement = { readonly usage: VerifyResult["usage"] } & (
  | { readonly claims: readonly Claim[] }
  | { readonly problem: string }
);

/** One way of asking a model and of reading its answers. */
export type Preset = (parts: ModelParts, job: Job) => Promise<ModelJudgement>;

/** What a model said to one request, or why it said nothing. */
export type ModelReply = { readonly usage: VerifyResult["usage"] } & (
  | { readonly content: string; readonly logprobs: readonly TokenLogprob[] | null }
  | { readonly problem: string; readonly statusCode: number | null }
);

/** Of a request, what presets differ in. */
export interface ModelRequest {
  readonly messages: readonly ChatMessage[];
  readonly format?: ResponseFormat;
  /** So many alternatives to each token of the answer, with how likely they were. */
  readonly topLogprobs?: number;
}

/** Tokens where no answer says how many they were. */
export const noUsage: VerifyResult["usage"] = { completion_tokens: 0, prompt_tokens: 0, total_tokens: 0 };

/** Why a job came to nothing whose answers could not be understood. */
export const unreadable = "the model's answer could not be read";

export function addUsage(a: VerifyResult["usage"], b: VerifyResult["usage"]): VerifyResult["usage"] {
  return {
    completion_tokens: a.completion_tokens + b.completion_tokens,
    prompt_tokens: a.prompt_tokens + b.prompt_tokens,
    total_tokens: a.total_tokens + b.total_tokens,
  };
}

/** Asks a model once, at temperature 0. Rejects only when the signal is aborted; whatever else fails is a `problem`. */
export async function askModel(
  { engine, model, ids, clock, timeout }: ModelParts,
  { messages, format, topLogprobs }: ModelRequest,
  signal: AbortSignal | undefined,
): Promise<ModelReply> {
  signal?.throwIfAborted();
  const deadline = new AbortController();
  const cancelDeadline = clock.after(timeout, () => deadline.abort());
  try {
    const reply = await engine.complete({
      request: {
        model,
        messages: [...messages],
        temperature: 0,
        ...(format !== undefined && { response_format: format }),
        ...(topLogprobs !== undefined && { logprobs: true, top_logprobs: topLogprobs }),
      },
      requestId: ids.create("request"),
      line: null,
      signal: signal === undefined ? deadline.signal : AbortSignal.any([signal, deadline.signal]),
    });
    if (!("choices" in reply.body)) {
      const { statusCode } = reply;
      return { problem: `the model answered with status ${statusCode}`, statusCode, usage: noUsage };
    }
    const { prompt_tokens, completion_tokens, total_tokens } = reply.body.usage;
    const usage = { prompt_tokens, completion_tokens, total_tokens };
    const [choice] = reply.body.choices;
    if (typeof choice?.message.refusal === "string" || choice?.finish_reason === "content_filter") {
      return { problem: "the model refused to answer", statusCode: null, usage };
    }
    if (choice?.finish_reason === "length") {
      return { problem: "the model's answer was cut off", statusCode: null, usage };
    }
    return { content: choice?.message.content ?? "", logprobs: choice?.logprobs?.content ?? null, usage };
  } catch (error) {
    signal?.throwIfAborted();
    if (!deadline.signal.aborted) throw error;
    const seconds = (timeout / 1_000).toLocaleString("en");
    return { problem: `the model did not answer within ${seconds} seconds`, statusCode: null, usage: noUsage };
  } finally {
    cancelDeadline();
  }
}

/** What a model says after its thoughts. */
export function withoutThoughts(content: string): string {
  const end = content.lastIndexOf("</think>");
  return end === -1 ? content : content.slice(end + "</think>".length);
}

/** A claim with one verdict of a model about the whole of it. */
export function toClaim({ span }: Claim, verdict: Verdict, reason: string): Claim {
  return { span, verdict, judge: "model", findings: [{ kind: null, verdict, span, reason, evidence: [] }] };
}
