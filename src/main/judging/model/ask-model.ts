import type { ChatMessage, ResponseFormat, TokenLogprob, VerifyResult } from "#contract";
import { isAnswered, type ReadChoice, readAnswerText, readCompletion } from "#main/answers";
import type { Clock, Engine, Ids } from "#main/base";

/** What a model that judges or grades is asked with. */
export interface ModelDeps {
  readonly engine: Engine;
  readonly model: string;
  readonly ids: Ids;
  readonly clock: Clock;
  /** Longest that one call may take once it is sent, in milliseconds of the clock. */
  readonly timeout: number;
  /** The system message that the model was trained with, word for word, in place of the preset's. */
  readonly system?: string;
  /** Optional parameters that the server was found to refuse: it is asked without them from then on. */
  readonly refused: Set<OptionalParameter>;
}

/** What makes an answer easier to read, and is left out where a server can't have it. */
const optionalParameters = ["response_format", "logprobs", "temperature"] as const;
export type OptionalParameter = (typeof optionalParameters)[number];

/** What a model answered to one request after its reasoning, or why it did not, as a clause. */
export type ModelReply = { readonly usage: VerifyResult["usage"] } & (
  | { readonly content: string; readonly logprobs: readonly TokenLogprob[] | null }
  | { readonly problem: string }
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

/** What servers answer to a request with a parameter that they don't have. */
const refusals: ReadonlySet<number> = new Set([400, 422]);

/**
 * Asks a model, at temperature 0. A server that refuses a request is asked again without the parameters that it may not have.
 * Rejects only when the signal is aborted; whatever else fails is a `problem`.
 */
export async function askModel(
  parts: ModelDeps,
  request: ModelRequest,
  signal: AbortSignal | undefined,
): Promise<ModelReply> {
  const omitted = new Set(parts.refused);
  for (;;) {
    const reply = await askOnce(parts, request, omitted, signal);
    if (!("refusal" in reply)) {
      if (!("problem" in reply)) for (const parameter of omitted) parts.refused.add(parameter);
      return reply;
    }
    const sent = optionalParameters.filter((name) => !omitted.has(name) && isAsked(request, name));
    const next = sent.find((name) => reply.refusal.includes(name)) ?? sent[0];
    if (next === undefined || /context.?length|too (?:long|many tokens)/i.test(reply.refusal)) return reply;
    omitted.add(next);
  }
}

function isAsked({ format, topLogprobs }: ModelRequest, parameter: OptionalParameter): boolean {
  if (parameter === "response_format") return format !== undefined;
  return parameter === "temperature" || topLogprobs !== undefined;
}

/** A reply, or a problem with what the server has against the request. */
type Attempt =
  | ModelReply
  | { readonly problem: string; readonly refusal: string; readonly usage: VerifyResult["usage"] };

async function askOnce(
  { engine, model, ids, clock, timeout }: ModelDeps,
  { messages, format, topLogprobs }: ModelRequest,
  omitted: ReadonlySet<OptionalParameter>,
  signal: AbortSignal | undefined,
): Promise<Attempt> {
  signal?.throwIfAborted();
  const deadline = new AbortController();
  const startDeadline = () => clock.after(timeout, () => deadline.abort());
  let cancelDeadline = startDeadline();
  try {
    const reply = await engine.complete({
      request: {
        model,
        messages: [...messages],
        ...(!omitted.has("temperature") && { temperature: 0 }),
        ...(format !== undefined && !omitted.has("response_format") && { response_format: format }),
        ...(topLogprobs !== undefined && !omitted.has("logprobs") && { logprobs: true, top_logprobs: topLogprobs }),
      },
      requestId: ids.create("request"),
      line: null,
      signal: signal === undefined ? deadline.signal : AbortSignal.any([signal, deadline.signal]),
      // What a service asks to wait is no time that the model takes.
      onSent(isSent) {
        cancelDeadline();
        cancelDeadline = isSent ? startDeadline() : () => {};
      },
    });
    if (!isAnswered(reply)) {
      const { statusCode, body } = reply;
      const problem = `the model answered with status ${statusCode}`;
      const refusal = `${body.error.param ?? ""} ${body.error.message}`;
      return refusals.has(statusCode) ? { problem, refusal, usage: noUsage } : { problem, usage: noUsage };
    }
    const { usage: counted, choices } = readCompletion(reply.body);
    const { prompt_tokens, completion_tokens, total_tokens } = counted ?? noUsage;
    const usage = { prompt_tokens, completion_tokens, total_tokens };
    const [choice] = choices;
    if (isRefused(choice)) return { problem: "the model refused to answer", usage };
    if (choice?.finish_reason === "length") return { problem: "the model's answer was cut off", usage };
    const logprobs = choice?.logprobs?.content ?? null;
    const content = readAnswerText(choice?.message.content ?? "").text;
    return { content, logprobs: logprobs && withoutReasoning(logprobs), usage };
  } catch (error) {
    signal?.throwIfAborted();
    if (!deadline.signal.aborted) throw error;
    const seconds = (timeout / 1_000).toLocaleString("en");
    return { problem: `the model did not answer within ${seconds} seconds`, usage: noUsage };
  } finally {
    cancelDeadline();
  }
}

function isRefused(choice: ReadChoice | undefined): boolean {
  return choice?.finish_reason === "content_filter" || Boolean(choice?.message.refusal);
}

/** The tokens after the model's reasoning. */
function withoutReasoning(tokens: readonly TokenLogprob[]): readonly TokenLogprob[] {
  const { start } = readAnswerText(tokens.map(({ token }) => token).join(""));
  let end = 0;
  return tokens.filter(({ token }) => {
    end += token.length;
    return end > start;
  });
}
