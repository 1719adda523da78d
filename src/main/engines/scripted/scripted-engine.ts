import {
  type AssistantMessage,
  type ChatCompletion,
  type ChatRequest,
  type FinishReason,
  formatCount,
  readToolCall,
} from "#contract";
import { findError, isAnswered, parseBody } from "#main/answers";
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
  JsonObject,
  PassedReply,
  PassingOn,
} from "#main/base";
import { asObject, quote } from "#main/base";
import { countPromptTokens, countTokens } from "#main/requests";
import { detailUsage } from "../detail-usage.ts";
import { createEngineError, noEndpoint } from "../engine-error.ts";
import { composeThoughts } from "../mock/compose-completion.ts";
import { createRandom, deriveStarts } from "../random.ts";
import { streamReply, toChunks } from "../stream-reply.ts";
import { readThinkingBudget } from "../thinking-budget.ts";
import { readChunk, StreamError } from "../upstream/read-answer.ts";
import { toEvent } from "../upstream/server-events.ts";
import { mergeFields, setsFields } from "./merge-fields.ts";
import { fillReply } from "./reply-template.ts";
import type { NearestRule } from "./rule-book.ts";
import type { ErrorReply, Reply } from "./rule-schema.ts";
import type { ScopedRules } from "./scoped-rules.ts";

interface ScriptedEngineOptions {
  readonly rules: ScopedRules;
  /** Answers what no rule matches, and what a rule leaves to it. */
  readonly engine: Engine;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Whether answers of our own have all details of their token counts; not by default. */
  readonly isUsageDetailed?: () => boolean;
}

/** An engine that answers by the rules of a call's scope: the first that matches decides what it gets. */
export function createScriptedEngine({
  rules,
  engine,
  clock,
  ids,
  isUsageDetailed = () => false,
}: ScriptedEngineOptions): Engine {
  const withDetails = (call: EngineCall): EngineCall => (isUsageDetailed() ? { ...call, isUsageDetailed: true } : call);

  /** Rules are asked as the call comes, before anything takes time: the order of the calls is the order of the counts. */
  function decide(
    call: EngineCall,
    fits: (reply: Reply) => boolean,
  ): Reply | EngineError | Promise<Reply | EngineError> {
    call.signal.throwIfAborted();
    const { name, book, rules: all } = rules.of(call.scope);
    const found = book.findReply(call, fits);
    if (found === null) return all.fallback === "mock" ? {} : noRuleMatches(call, name, book.findNearest(call));
    call.onRule?.(found.rule);
    return found.reply.template === true ? fillReply(found.reply, call, clock.now()) : found.reply;
  }

  /** Whether no call of the scope is answered by rules. */
  function isPassedOn(scope?: string): boolean {
    const { rules: all, book } = rules.of(scope);
    return book.size === 0 && all.fallback === "mock";
  }

  /** Rejects where the reply is a fault of the connection. A line of a batch has none: its reset is an answer, `wasReset`. */
  async function wait(reply: Reply, { signal, line }: Pick<EngineCall, "signal" | "line">): Promise<void> {
    const { delay_ms: delay = 0, fault } = reply;
    if (delay > 0) await clock.sleep(delay, signal);
    if (fault === "hang") await untilAborted(signal);
    if (fault === "reset" && line === null) throw new ConnectionReset();
  }

  /** What the reply itself says; null where it leaves the answer to the mock. */
  function write(reply: Reply, { request, isUsageDetailed: isDetailed = false }: EngineCall): EngineReply | null {
    if (reply.error !== undefined) return toError(reply.error);
    if (reply.completion !== undefined) return readCompletion(reply.completion, reply);
    const { text, stream, json, tool_calls: calls } = reply;
    if ([text, stream, json, calls].every((part) => part === undefined)) return null;
    const body = writeCompletion(reply, request, ids.create("completion"), Math.floor(clock.now() / 1_000));
    const counted = isDetailed ? { ...body, usage: detailUsage(body.usage) } : body;
    return { statusCode: 200, body: mergeFields(counted, reply) };
  }

  async function completeByRule(call: EngineCall): Promise<EngineReply> {
    const reply = await decide(call, isWhole);
    if ("statusCode" in reply) return reply;
    await wait(reply, call);
    if (reply.fault === "reset") return wasReset;
    if (reply.cut_after !== undefined && reply.error === undefined) return cutOff;
    // Who waits for the whole waits for all of its pieces.
    for (const { pause } of listPieces(reply)) if (pause > 0) await clock.sleep(pause, call.signal);
    return write(reply, call) ?? completeBehind(reply, call);
  }

  /** The engine's own answer, with what the rule sets of it. */
  async function completeBehind(reply: Reply, call: EngineCall): Promise<EngineReply> {
    const answer = await engine.complete(call);
    if (!setsFields(reply) || !isAnswered(answer)) return answer;
    return { statusCode: 200, body: mergeFields(answer.body, reply) };
  }

  async function answerByRule(call: EndpointCall): Promise<EndpointReply> {
    const reply = await decide(toEngineCall(call), isForAnyEndpoint);
    if ("statusCode" in reply) return reply;
    await wait(reply, call);
    if (reply.fault === "reset") return wasReset;
    return reply.error === undefined ? (engine.answerEndpoint?.(call) ?? noEndpoint(call)) : toError(reply.error);
  }

  return {
    get description() {
      if (isPassedOn()) return engine.description;
      const { name, book, rules: all } = rules.of();
      const rest = engine.isMock === true ? "the mock" : engine.description;
      return `scripted, ${formatCount(book.size, "rule")} of ${name}, else ${all.fallback === "mock" ? rest : "an error"}`;
    },
    get isMock() {
      return engine.isMock === true && isPassedOn();
    },
    get mayCost() {
      return engine.mayCost === true;
    },
    get concurrency() {
      return engine.concurrency;
    },
    complete(given) {
      const call = withDetails(given);
      return isPassedOn(call.scope) ? engine.complete(call) : completeByRule(call);
    },
    async stream(given) {
      const call = withDetails(given);
      const reply = await decide(call, isAny);
      if ("statusCode" in reply) return reply;
      await wait(reply, call);
      const answer = await startStream(reply, call);
      if (!("chunks" in answer)) return answer;
      const { pause_ms: pause = 0, cut_after: most } = reply;
      const paced = pause === 0 ? answer.chunks : pauseBetween(answer.chunks, () => clock.sleep(pause, call.signal));
      return { statusCode: 200, chunks: most === undefined ? paced : cutAfter(paced, most) };
    },
    get passingOn() {
      return createPassingOn(engine.passingOn);
    },
    answerEndpoint: (call) =>
      isPassedOn(call.scope) ? (engine.answerEndpoint?.(call) ?? noEndpoint(call)) : answerByRule(call),
    async close() {
      rules.close();
      await engine.close?.();
    },
  };

  /** What is recorded is answered as it was, everything else by what is behind the rules. */
  function createPassingOn(behind: PassingOn | undefined): PassingOn | undefined {
    if (behind === undefined && !rules.hasRecorded) return undefined;
    return {
      takes: (call) => rules.of(call.scope).book.isRecorded(call) || behind?.takes(call) === true,
      async answer(call) {
        const recorded = rules.of(call.scope).book.findRecorded(call);
        if (recorded !== null) {
          call.onRule?.(recorded.rule);
          await wait(recorded.reply, call);
          return readRecorded(recorded.reply);
        }
        const reply = isPassedOn(call.scope) ? {} : await decide(toEngineCall(call), isForAnyEndpoint);
        if ("statusCode" in reply) return reply;
        await wait(reply, call);
        if (reply.fault === "reset") return wasReset;
        return reply.error === undefined ? (behind?.answer(call) ?? noEndpoint(call)) : toError(reply.error);
      },
    };
  }

  async function startStream(reply: Reply, call: EngineCall): Promise<EngineStream> {
    if (reply.chunks !== undefined) return { statusCode: 200, chunks: readAll(reply.chunks) };
    const written = write(reply, call);
    if (written === null) {
      return setsFields(reply) ? streamReply(await completeBehind(reply, call), call.request) : engine.stream(call);
    }
    if (reply.stream === undefined || !isAnswered(written)) return streamReply(written, call.request);
    return { statusCode: 200, chunks: streamPieces(written.body, listPieces(reply), call) };
  }

  /** The pieces of a text, each after its pause. */
  async function* streamPieces(completion: JsonObject, pieces: readonly Piece[], { request, signal }: EngineCall) {
    const texts = pieces.map(({ text }) => text);
    let next = 0;
    for (const chunk of toChunks(completion, request, texts)) {
      const { delta, index } = chunk.choices[0] ?? {};
      const isPiece = index === 0 && delta?.role === undefined && typeof delta?.content === "string";
      const pause = isPiece ? (pieces[next++]?.pause ?? 0) : 0;
      if (pause > 0) await clock.sleep(pause, signal);
      signal.throwIfAborted();
      yield chunk;
    }
  }
}

/** What a rule asks for: the connection is to be reset before the first byte of an answer. */
export class ConnectionReset extends Error {
  override readonly name = "ConnectionReset";

  constructor() {
    super("The connection is reset, as the rule asks for.");
  }
}

/** Rejects with the signal's reason. */
async function untilAborted(signal: AbortSignal): Promise<never> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  return await promise;
}

const isAny = ({ raw }: Reply) => raw === undefined;
const isWhole = ({ chunks, raw }: Reply) => chunks === undefined && raw === undefined;
/** An endpoint without chat completions takes errors and delays; all other replies are chat completions. */
const isForAnyEndpoint = ({ error, text, stream, json, tool_calls: calls, completion, chunks, raw }: Reply) =>
  error !== undefined || [text, stream, json, calls, completion, chunks, raw].every((part) => part === undefined);

/** What rules look at: the input of a request to another endpoint is the message of a user. */
export function toEngineCall({ body, ...call }: EndpointCall): EngineCall {
  const { model, input } = body;
  const texts = [input].flat().filter((part) => typeof part === "string");
  const messages = [{ role: "user" as const, content: texts.join("\n") }];
  return { ...call, request: { model: typeof model === "string" ? model : "", messages } };
}

/** The reply of a rule with a `completion`. If that is a text, clients get it unchanged, unless the rule also sets `usage` or `fields`. */
function readCompletion(completion: NonNullable<Reply["completion"]>, reply: Reply): EngineReply {
  if (typeof completion !== "string") return { statusCode: 200, body: mergeFields(completion, reply) };
  const body = asObject(parseBody(completion));
  return setsFields(reply)
    ? { statusCode: 200, body: mergeFields(body, reply) }
    : { statusCode: 200, body, json: completion };
}

/** The chunks of a rule. An error among them ends the stream, as it does where it comes from a server. */
async function* readAll(chunks: NonNullable<Reply["chunks"]>): AsyncGenerator<JsonObject, void> {
  const write = (chunk: JsonObject | string) => toEvent(typeof chunk === "string" ? chunk : JSON.stringify(chunk));
  for (const [at, chunk] of chunks.entries()) {
    const isPlain = typeof chunk !== "string" && findError(chunk) === null;
    const read = isPlain ? chunk : readChunk(write(chunk));
    if (read === null) return;
    if (read instanceof StreamError) throw new StreamError(read.message, read.body, chunks.slice(at).map(write));
    yield read;
  }
}

/** An answer as it was recorded. */
function readRecorded({ raw, error, cut_after: most }: Reply): PassedReply | EngineError {
  if (error !== undefined) return toError(error);
  const { status = 200, content_type: type, text = "", base64 } = raw ?? {};
  const bytes = base64 === undefined ? Buffer.from(text) : Buffer.from(base64, "base64");
  const pieces = most === undefined ? iterate([bytes]) : cutAfter(iterate([bytes]), most);
  return { statusCode: status, headers: type === undefined ? {} : { "content-type": type }, bytes: pieces };
}

/** Where nothing is streamed, an answer that breaks off is an error. */
const cutOff = createEngineError({
  status: 502,
  message: "The answer broke off, as its rule says (cut_after).",
  code: "stream_cut",
});

/** Of a line in a batch. */
const wasReset = createEngineError({
  status: 502,
  message: "The connection was reset, as the rule asks for (fault).",
  code: "connection_reset",
});

/** Most differences that a message lists. */
const listedDifferences = 5;

function noRuleMatches({ request, line }: EngineCall, name: string, nearest: NearestRule | null): EngineError {
  const which = line === null ? "" : ` with the custom_id '${line.customId}'`;
  const miss = `No rule of ${name} matches this request${which} for the model '${request.model}'.`;
  return createEngineError({
    status: 404,
    message: nearest === null ? miss : `${miss} ${describeNearest(nearest)}`,
    code: "no_rule_matches",
  });
}

function describeNearest({ rule: { index, name }, differences }: NearestRule): string {
  const which = `rule ${index + 1}${name === null || name === "" ? "" : ` (${quote(name)})`}`;
  const more = differences.length - listedDifferences;
  const rest = more > 0 ? `; and ${formatCount(more, "more difference")}` : "";
  return `The nearest is ${which}, but ${differences.slice(0, listedDifferences).join("; ")}${rest}.`;
}

interface Piece {
  readonly text: string;
  /** Before it, in milliseconds. */
  readonly pause: number;
}

function listPieces({ stream = [] }: Reply): Piece[] {
  return stream.map((piece) =>
    typeof piece === "string" ? { text: piece, pause: 0 } : { text: piece.text, pause: piece.pause_ms },
  );
}

async function* pauseBetween<T>(items: AsyncIterable<T>, pause: () => Promise<void>): AsyncGenerator<T, void> {
  let isFirst = true;
  for await (const item of items) {
    if (!isFirst) await pause();
    isFirst = false;
    yield item;
  }
}

function toError({ message, retry_after: retryAfter, ...error }: ErrorReply): EngineError {
  const words = message ?? `The request failed with status ${error.status}, as its rule says.`;
  return createEngineError({ ...error, message: words, retryAfter });
}

async function* cutAfter<T>(chunks: AsyncIterable<T>, most: number): AsyncGenerator<T, void> {
  let left = most;
  for await (const chunk of chunks) {
    if (left === 0) break;
    left -= 1;
    yield chunk;
  }
  throw new Error("The stream is cut, as its rule says.");
}

async function* iterate<T>(items: Iterable<T>): AsyncGenerator<T, void> {
  yield* items;
}

/** The chat completion that a reply's text, JSON or calls of tools make; every choice of the request has the same. */
function writeCompletion(reply: Reply, request: ChatRequest, id: string, created: number): ChatCompletion {
  const message = writeMessage(reply, request, id);
  const finish_reason: FinishReason = reply.finish_reason ?? (message.tool_calls === undefined ? "stop" : "tool_calls");
  const count = request.n ?? 1;
  const promptTokens = countPromptTokens(request.messages, request.model);
  const completionTokens = count * countMessageTokens(message);
  const reasoningTokens = count * countTokens(message.reasoning_content ?? "");
  return {
    id,
    object: "chat.completion",
    created,
    model: request.model,
    choices: Array.from({ length: count }, (_, index) => ({ index, message, logprobs: null, finish_reason })),
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
      ...(reasoningTokens > 0 && { completion_tokens_details: { reasoning_tokens: reasoningTokens } }),
    },
  };
}

/** Who asks for thoughts gets some, also where the rule has none. */
function writeMessage(reply: Reply, request: ChatRequest, id: string): AssistantMessage {
  const { text, json, tool_calls: calls } = reply;
  const composed = () => composeThoughts(request, createRandom(deriveStarts(1, request.messages).answer));
  const reasoning = reply.reasoning ?? (readThinkingBudget(request) > 0 ? composed() : undefined);
  const thought = reasoning === undefined ? {} : { reasoning_content: reasoning };
  if (calls === undefined) {
    const whole =
      text ??
      listPieces(reply)
        .map((piece) => piece.text)
        .join("");
    const content = json === undefined ? whole : JSON.stringify(json);
    return { role: "assistant", content, refusal: null, ...thought };
  }
  return {
    role: "assistant",
    content: null,
    refusal: null,
    ...thought,
    tool_calls: calls.map((call, index) => ({
      id: call.id ?? `call_${id.replace(/^chatcmpl-/, "")}_${index}`,
      type: "function",
      function: {
        name: call.name,
        arguments: typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments),
      },
    })),
  };
}

function countMessageTokens({
  content,
  reasoning_content: reasoning,
  tool_calls: calls = [],
}: AssistantMessage): number {
  const texts = [content, reasoning, ...calls.flatMap((call) => [readToolCall(call).name, readToolCall(call).input])];
  return texts.reduce((total, text) => total + countTokens(text ?? ""), 0);
}
