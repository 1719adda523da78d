import { findEntry } from "#app-paths";
import type { ChatCompletion, ChatRequest, EmbeddingRequest, ModerationRequest } from "#contract";
import type {
  Clock,
  EndpointCall,
  EndpointReply,
  Engine,
  EngineCall,
  EngineError,
  EngineReply,
  EngineStream,
  Ids,
} from "#main/base";
import type { ModelCatalog } from "#main/requests";
import { detailUsage } from "../detail-usage.ts";
import { noEndpoint } from "../engine-error.ts";
import { deriveStarts, deriveStartsFrom, type Starts } from "../random.ts";
import { toChunks } from "../stream-reply.ts";
import { readThinkingBudget } from "../thinking-budget.ts";
import { nameCalls } from "./compose-calls.ts";
import { type Composition, composeCompletion, describeFailure, hasSchema } from "./compose-completion.ts";
import { composeEmbeddings } from "./compose-embedding.ts";
import { composeModeration } from "./compose-moderation.ts";
import { concurrencyOf, describePace, drawLatency, drawStreamPace, type Pace, paceChunks } from "./pace.ts";
import { createSchemaThread, type SchemaThread } from "./schema-thread.ts";

export interface MockEngineOptions {
  readonly pace: Pace;
  /** Another seed gives other answers; the same seed gives the same answer to the same request. */
  readonly seed: number;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Knows which models reason before they answer. */
  readonly catalog: Pick<ModelCatalog, "find">;
}

/**
 * An engine that needs no model: it answers every request in a few sentences that refer to its last user message, in JSON
 * by a schema, or with calls of tools, and with the token counts that such an answer has. Text, finish reason, usage and
 * latency follow from the seed and the request, and are the same for a stream.
 */
export function createMockEngine({ pace, seed, clock, ids, catalog }: MockEngineOptions): Engine {
  const fingerprint = `fp_mock_${seed}`;
  const answers = createAnswerCache<KnownAnswer>();
  const detailedAnswers = createAnswerCache<KnownAnswer>();
  const schemas = createSchemaThread(findEntry("schema-worker"));

  /**
   * Composes the answer to a call, or finds it in the cache: at once, unless the call brings JSON schemas. Lines of a batch differ from
   * one another: they are not cached.
   */
  function answer(call: EngineCall): Answer | EngineError | Promise<Answer | EngineError> {
    const { request, line, signal, isUsageDetailed: isDetailed = false } = call;
    const question = JSON.stringify(withoutStream(request));
    const cache = isDetailed ? detailedAnswers : answers;
    const known = line === null ? cache.get(question) : undefined;
    if (known !== undefined) return known;
    const starts = deriveStartsFrom(seed, question);
    const reasons = catalog.find(request.model)?.reasoning === true || readThinkingBudget(request) > 0;
    const finish = (composed: Composition | EngineError): Answer | EngineError => {
      if ("statusCode" in composed) return composed;
      const answered = { starts, ...composed, ...(isDetailed && { usage: detailUsage(composed.usage) }) };
      const write = () => ({ ...answered, written: writeAnswer(request, answered) });
      if (line === null) cache.add(question, starts.answer, write);
      return answered;
    };
    const start = starts.answer;
    return hasSchema(request)
      ? composeBySchema({ question, start, reasons }, request, signal).then(finish)
      : finish(composeCompletion(request, start, reasons, expectNoSchema));
  }

  async function composeBySchema(...call: Parameters<SchemaThread["answer"]>) {
    const composing = clock.track("an answer by a JSON schema");
    try {
      return await schemas.answer(...call);
    } finally {
      composing.end();
    }
  }

  /** All of a completion but its id and its time, as JSON without the brace before it. */
  function writeAnswer({ model }: ChatRequest, { choices, usage }: Answer): string {
    return JSON.stringify({ model, choices, usage, system_fingerprint: fingerprint }).slice(1);
  }

  function toCompletion({ model }: ChatRequest, { choices, usage }: Answer): ChatCompletion {
    const id = ids.create("completion");
    return {
      id,
      object: "chat.completion",
      created: Math.floor(clock.now() / 1_000),
      model,
      choices: nameCalls(choices, id),
      usage,
      system_fingerprint: fingerprint,
    };
  }

  function toReply(request: ChatRequest, answered: Answer | KnownAnswer): EngineReply {
    const body = toCompletion(request, answered);
    // Where calls of tools have been named anew, the text of the answer before is of no use.
    if (!("written" in answered) || body.choices !== answered.choices) return { statusCode: 200, body };
    const json = `{"id":"${body.id}","object":"chat.completion","created":${body.created},${answered.written}`;
    return { statusCode: 200, body, json };
  }

  /** At once, unless answers take their time. */
  function reply(answered: Answer | EngineError, { request, signal }: EngineCall): EngineReply | Promise<EngineReply> {
    if ("statusCode" in answered) return answered;
    const latency = drawLatency(pace, answered.starts.pace);
    return latency > 0
      ? clock.sleep(latency, signal).then(() => toReply(request, answered))
      : toReply(request, answered);
  }

  return {
    description: `mock, ${describePace(pace)}, seed ${seed}`,
    isMock: true,
    concurrency: concurrencyOf(pace),
    complete(call) {
      call.signal.throwIfAborted();
      try {
        const answered = answer(call);
        return answered instanceof Promise ? answered.then((each) => reply(each, call)) : reply(answered, call);
      } catch (error) {
        return describeFailure(error, call.request);
      }
    },
    async stream(call): Promise<EngineStream> {
      const { request, signal } = call;
      signal.throwIfAborted();
      try {
        const answered = await answer(call);
        if ("statusCode" in answered) return answered;
        const chunks = [...toChunks(toCompletion(request, answered), request)];
        const streamPace = drawStreamPace(pace, answered.starts.pace, chunks.length);
        return { statusCode: 200, chunks: paceChunks(chunks, streamPace, clock, signal) };
      } catch (error) {
        return describeFailure(error, request);
      }
    },
    answerEndpoint(call) {
      call.signal.throwIfAborted();
      const reply = composeReply(call);
      const latency = drawLatency(pace, deriveStarts(seed, call.body).pace);
      return latency > 0 ? clock.sleep(latency, call.signal).then(() => reply) : reply;
    },
    close: () => schemas.close(),
  };

  /** The body has passed the check of its endpoint, which is the same as the schema's. */
  function composeReply({ endpoint, body }: EndpointCall): EndpointReply {
    switch (endpoint) {
      case "/v1/embeddings":
        return { statusCode: 200, body: composeEmbeddings(body as EmbeddingRequest, seed) };
      case "/v1/moderations":
        return { statusCode: 200, body: composeModeration(body as ModerationRequest, seed, ids.create("moderation")) };
      default:
        return noEndpoint({ endpoint });
    }
  }
}

function expectNoSchema(): never {
  throw new Error("A request with a JSON schema is answered in a thread of its own.");
}

interface Answer extends Composition {
  readonly starts: Starts;
}

/** An answer that was asked for again. */
interface KnownAnswer extends Answer {
  readonly written: string;
}

/** Whether an answer is streamed does not change what it says. */
function withoutStream(request: ChatRequest): unknown {
  if (request.stream === undefined && request.stream_options === undefined) return request;
  const { stream: _, stream_options: __, ...question } = request;
  return question;
}

/** Answers that were given before, by the text of their questions; the oldest give way to new ones. */
interface AnswerCache<T> {
  get(question: string): T | undefined;
  /** Stores the answer if the question was asked before. `digest` is a number that follows from the question. */
  add(question: string, digest: number, answer: () => T): void;
}

const mostAnswers = 200;
const longestQuestion = 4_000;
/** A power of two. */
const mostDigests = 4_096;

/**
 * Tests ask the same again and again: what follows from the question alone need not be worked out each time. Most
 * questions are asked only once, though: an answer is stored when its question comes the second time.
 */
function createAnswerCache<T>(): AnswerCache<T> {
  const answers = new Map<string, T>();
  /** Digests of questions that were asked, each in a slot that follows from it. */
  const digests = new Uint32Array(mostDigests);
  return {
    get: (question) => answers.get(question),
    add(question, digest, answer) {
      if (question.length > longestQuestion) return;
      const slot = digest & (mostDigests - 1);
      if (digests[slot] !== digest >>> 0) {
        digests[slot] = digest;
        return;
      }
      const [oldest] = answers.keys();
      if (answers.size === mostAnswers && oldest !== undefined) answers.delete(oldest);
      answers.set(question, answer());
    },
  };
}
