import type { ChatRequest } from "#contract";
import { readUsage } from "#main/answers";
import type {
  Clock,
  EndpointCall,
  Engine,
  EngineAnswer,
  EngineCall,
  EngineError,
  EngineReply,
  EngineStream,
  Ids,
  JsonObject,
  PassedReply,
} from "#main/base";
import { createIdleLimit, hideSecret, type IdleLimit, limitWaits, type Route } from "#main/base";
import { countPromptTokens } from "#main/requests";
import { streamReply } from "../stream-reply.ts";
import { describeFailure, describeUntranslatable, hideKey, readError } from "./failures.ts";
import { type Admission, type Caps, createRateLimiter } from "./rate-limiter.ts";
import { type Additions, StreamError } from "./read-answer.ts";
import { readBody } from "./read-body.ts";
import { type Attempt, tryRepeatedly, withDeadline } from "./retry.ts";
import { readEvents } from "./server-events.ts";
import { createTransport, limitAnswer, readText, type UpstreamAnswer } from "./transport.ts";
import { chatCompletionsApi, type UpstreamApi } from "./upstream-api.ts";

export interface UpstreamOptions extends Caps {
  /** The base address that clients are given, such as `http://127.0.0.1:8000/v1`. */
  readonly url: URL;
  readonly key: string | null;
  /** The header that carries the key: `authorization` with `Bearer` by default. */
  readonly keyHeader?: string;
  readonly route?: Route;
  /** Chat completions by default. */
  readonly api?: UpstreamApi;
  /** The upstream's name for a model of ours; `*` for every model that has none of its own. */
  readonly models: ReadonlyMap<string, string>;
  /** Whether requests of any shape are passed on to their own endpoints; not by default. */
  readonly passesOn?: boolean;
  /** Requests at a time. */
  readonly concurrency: number;
  /** Milliseconds that one attempt may take; of a stream, the longest time without a piece. */
  readonly timeout: number;
  /** Attempts after the first. */
  readonly retries: number;
  /** The same for lines of batches; the same number by default. */
  readonly lineRetries?: number;
  readonly clock: Clock;
  readonly ids: Ids;
  /** In [0, 1), for the time between attempts. */
  readonly random?: () => number;
}

/** How long the rest of a stream may take after an error in it, in milliseconds. */
const restPatience = 1_000;

/** An engine that asks a server elsewhere. */
export function createUpstreamEngine(options: UpstreamOptions): Engine {
  const { url, key, api = chatCompletionsApi, models, timeout, retries, clock, ids, random = Math.random } = options;
  const transport = createTransport({ ...options, headers: api.headers ?? {} });
  const limiter = createRateLimiter(options, clock);
  const estimate = createTokenEstimate();

  function write({ request, line }: EngineCall, streamed: boolean): ReturnType<UpstreamApi["write"]> {
    const model = models.get(request.model) ?? models.get("*") ?? request.model;
    return api.write({ ...request, model }, { line, streamed });
  }

  const makeAdditions = (request: ChatRequest): Additions => ({
    id: ids.create("completion"),
    created: Math.floor(clock.now() / 1_000),
    request,
  });

  function admit({ request, signal }: EngineCall): Promise<Admission> {
    const isCounted = options.tokensPerMinute !== null;
    return limiter.admit(
      isCounted ? estimate.expect(request, countPromptTokens(request.messages, request.model)) : 0,
      signal,
    );
  }

  /** One request, when the caps let it. Rejects only when the call is aborted; every other failure is an outcome. */
  async function attempt<T>(
    call: EngineCall,
    streamed: boolean,
    read: (answer: UpstreamAnswer, admission: Admission) => Promise<Attempt<T>>,
    signal: AbortSignal,
    admission: Admission,
  ): Promise<Attempt<T>> {
    const written = write(call, streamed);
    if ("problems" in written) return describeUntranslatable(written.problems);
    const accept = streamed ? "text/event-stream" : "application/json";
    try {
      const answer = await transport.post(written.path, JSON.stringify(written.body), accept, signal);
      if (answer.status >= 200 && answer.status < 300) return await read(answer, admission);
      return readError(answer.status, answer.headers, await readText(answer.body), clock.now());
    } catch (error) {
      call.signal.throwIfAborted();
      return describeFailure(error, url, timeout);
    }
  }

  async function readWhole(
    { headers, body }: UpstreamAnswer,
    request: ChatRequest,
    admission: Admission,
  ): Promise<Attempt<EngineAnswer>> {
    const read = await readBody(await readText(body), headers, api, makeAdditions(request));
    if (!("body" in read)) return read;
    const usage = readUsage(read.body.usage);
    if (usage !== null) {
      estimate.learn(usage.completion_tokens);
      admission.settle(usage.total_tokens);
    }
    return { answer: read };
  }

  async function startStream(
    answer: UpstreamAnswer,
    request: ChatRequest,
    admission: Admission,
    limit: IdleLimit,
  ): Promise<Attempt<EngineStream>> {
    if (answer.headers["content-type"]?.startsWith("text/event-stream")) {
      const additions = { ...makeAdditions(request), onStreamError: () => limit.endWithin(restPatience) };
      const chunks = api.readStream(readEvents(limitWaits(answer.body, limit)), additions);
      return { answer: { statusCode: 200, chunks: followStream(chunks, admission, key) } };
    }
    // A server that does not stream answers as a whole.
    const whole = await readWhole({ ...answer, body: limitWaits(answer.body, limit) }, request, admission);
    return "answer" in whole ? { answer: streamReply(whole.answer, request) } : whole;
  }

  /** The base address has the `/v1` that is at the beginning of an endpoint. */
  async function passOn(call: EndpointCall): Promise<PassedReply | EngineError> {
    const { endpoint, body, signal } = call;
    const { model } = body;
    const renamed =
      typeof model === "string" ? { ...body, model: models.get(model) ?? models.get("*") ?? model } : body;
    const path = endpoint.replace(/^\/v1(?=\/)/, "");
    const outcome = await tryRepeatedly(retryOptions, call, async (): Promise<Attempt<PassedReply>> => {
      await limiter.admit(0, signal);
      try {
        const answer = await transport.post(path, JSON.stringify(renamed), "*/*", signal);
        if (answer.status >= 400) {
          return readError(answer.status, answer.headers, await readText(answer.body), clock.now());
        }
        const type = answer.headers["content-type"];
        const headers: Record<string, string> = type === undefined ? {} : { "content-type": type };
        return { answer: { statusCode: answer.status, headers, bytes: limitAnswer(answer.body) } };
      } catch (error) {
        signal.throwIfAborted();
        return describeFailure(error, url, timeout);
      }
    });
    return "answer" in outcome ? outcome.answer : hideKey(outcome, key);
  }

  const retryOptions = { retries, lineRetries: options.lineRetries ?? retries, limiter, clock, random };

  return {
    description: `upstream ${url.origin}${url.pathname}, ${options.concurrency} at a time`,
    mayCost: true,
    concurrency: options.concurrency,
    async complete(call): Promise<EngineReply> {
      const read = (answer: UpstreamAnswer, admission: Admission) => readWhole(answer, call.request, admission);
      const outcome = await tryRepeatedly(retryOptions, call, async () => {
        call.onSent?.(false);
        const admission = await admit(call);
        call.onSent?.(true);
        const attempted = await withDeadline({ signal: call.signal, milliseconds: timeout, clock }, (signal) =>
          attempt(call, false, read, signal, admission),
        );
        call.onSent?.(false);
        return attempted;
      });
      return "answer" in outcome ? outcome.answer : hideKey(outcome, key);
    },
    async stream(call): Promise<EngineStream> {
      const outcome = await tryRepeatedly(retryOptions, call, async () => {
        const admission = await admit(call);
        const limit = createIdleLimit(timeout, clock);
        const read = (answer: UpstreamAnswer) => startStream(answer, call.request, admission, limit);
        limit.begin();
        try {
          return await attempt(call, true, read, AbortSignal.any([call.signal, limit.signal]), admission);
        } finally {
          limit.end();
        }
      });
      return "answer" in outcome ? outcome.answer : hideKey(outcome, key);
    },
    ...(options.passesOn === true && { passingOn: { takes: () => true, answer: passOn } }),
    close: () => transport.close(),
  };
}

/**
 * The same chunks, which stay as they came; the tokens that they name are what the call took. An error that ends them is
 * without the key, which servers repeat in errors.
 */
async function* followStream(
  chunks: AsyncIterable<JsonObject>,
  admission: Admission,
  key: string | null,
): AsyncGenerator<JsonObject, void> {
  try {
    for await (const chunk of chunks) {
      const usage = readUsage(chunk.usage);
      if (usage !== null) admission.settle(usage.total_tokens);
      yield chunk;
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const events = error instanceof StreamError ? error.events : [];
    const hidden = events.map((event) => hideSecret(event, key));
    const message = hideSecret(error.message, key);
    if (message === error.message && hidden.every((event, at) => event === events[at])) throw error;
    throw new StreamError(message, null, hidden);
  }
}

/** Tokens of an answer, before any has been seen. */
const firstGuess = 256;
/** How much the newest answer counts for. */
const weightOfNewest = 0.1;

/** Guesses how many tokens a request will cost, from what answers had so far. */
interface TokenEstimate {
  expect(request: ChatRequest, promptTokens: number): number;
  learn(completionTokens: number): void;
}

function createTokenEstimate(): TokenEstimate {
  let usual: number | null = null;
  return {
    expect({ n, max_completion_tokens: limit, max_tokens: oldLimit }, promptTokens) {
      const most = limit ?? oldLimit ?? Number.POSITIVE_INFINITY;
      return promptTokens + (n ?? 1) * Math.min(most, Math.ceil(usual ?? firstGuess));
    },
    learn(completionTokens) {
      usual = usual === null ? completionTokens : usual + (completionTokens - usual) * weightOfNewest;
    },
  };
}
