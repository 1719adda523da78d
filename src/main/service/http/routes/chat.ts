import type { Socket } from "node:net";
import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { type ChatCompletionChunk, chatCompletionSchema, chatRequestSchema } from "#contract";
import { ServiceError } from "../../errors.ts";
import { createBodyCheck, createCheckRules } from "../../files/index.ts";
import type { EngineAnswer, EngineCall, EngineError, EngineReply, EngineStream, Logger } from "../../ports.ts";
import type { Service } from "../../service.ts";
import type { HttpApp } from "../http-app.ts";
import { answersOrEvents } from "../schemas.ts";
import { compileChatValidator } from "../validate.ts";
import { sendJson } from "../wire.ts";

/** The longest prompt that a model takes is well within. */
const bodyLimit = 10_000_000;

/** `POST /v1/chat/completions`: the answer as one JSON body, or piece by piece as server-sent events. */
export function addChatRoutes(app: HttpApp, service: Service): void {
  const { engine, logger, models, fileLimits } = service;
  const checkBody = createBodyCheck(createCheckRules(models, fileLimits));
  const schema = { body: chatRequestSchema, response: answersOrEvents(chatCompletionSchema) };

  app.register((chat: HttpApp, _options, registered) => {
    chat.setValidatorCompiler(compileChatValidator(checkBody));
    const admit = limitRate(chat, service);
    const watchClient = watchClients();
    chat.post("/v1/chat/completions", { bodyLimit, schema }, (httpRequest, reply) => {
      admit(reply);
      const { body: request, id: requestId, raw } = httpRequest;
      const signal = watchClient(raw.socket);
      const call: EngineCall = { request, requestId, line: null, signal };
      try {
        const answer = request.stream === true ? engine.stream(call) : engine.complete(call);
        if (answer instanceof Promise) answer.then(send, fail);
        else send(answer);
      } catch (error) {
        fail(error);
      }

      function send(given: EngineReply | EngineStream): void {
        try {
          if ("chunks" in given) sendEvents(reply, given.chunks, signal, logger);
          else if (isAnswer(given)) sendJson(reply, given.json ?? JSON.stringify(given.body));
          else sendError(given, reply);
        } catch (error) {
          fail(error);
        }
      }

      function fail(error: unknown): void {
        // Where the client has gone, no one is there to read an answer.
        if (signal.aborted) reply.hijack();
        else reply.send(error);
      }
    });
    registered();
  });
}

function isAnswer(reply: EngineReply): reply is EngineAnswer {
  return "choices" in reply.body;
}

function sendError({ statusCode, headers = {}, body }: EngineError, reply: FastifyReply): void {
  reply.headers(headers).code(statusCode).send(body);
}

/**
 * Signals that are aborted when a client goes, so that no one works on: one for each connection, which has one call under
 * way after the other.
 */
function watchClients(): (connection: Socket) => AbortSignal {
  const signals = new WeakMap<Socket, AbortSignal>();
  return (connection) => {
    const known = signals.get(connection);
    if (known !== undefined) return known;
    const gone = new AbortController();
    signals.set(connection, gone.signal);
    const onClose = () => gone.abort(new Error("The client has gone."));
    if (connection.destroyed) onClose();
    else connection.once("close", onClose);
    return gone.signal;
  };
}

/**
 * Applies the limits of direct calls to the routes of this app, and reports on every answer how much is left of them.
 * @returns what each handler calls once its request is known to be right: a wrong one counts for nothing. The place is
 * given back when the answer is out, or its client has gone.
 */
function limitRate(app: HttpApp, { realtimeGate: gate, clock }: Service): (reply: FastifyReply) => void {
  if (gate === null) return () => {};
  /** Clients wait in the time of their machine. A clock that stands still is turned on by hand: its own time is all there is. */
  const toClientTime = (milliseconds: number) => Math.ceil(milliseconds / (clock.speed || 1));

  app.addHook("onSend", (_request, reply, _payload, done) => {
    const { limit, remaining, reset } = gate.allowance();
    reply.header("x-ratelimit-limit-requests", limit);
    reply.header("x-ratelimit-remaining-requests", remaining);
    reply.header("x-ratelimit-reset-requests", formatDuration(toClientTime(reset)));
    done();
  });

  return (reply) => {
    const entry = gate.enter();
    if (!entry.admitted) {
      const seconds = Math.ceil(toClientTime(entry.retryAfter) / 1_000);
      reply.header("retry-after", seconds);
      throw new ServiceError("rate_limit_exceeded", `${entry.message} Try again in ${seconds} s.`);
    }
    if (reply.raw.closed) entry.leave();
    else reply.raw.once("close", entry.leave);
  };
}

/** As the compatible API writes it: `350ms`, `12.5s`, `1m0s`. */
function formatDuration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${milliseconds}ms`;
  const minutes = Math.floor(milliseconds / 60_000);
  const seconds = `${(milliseconds % 60_000) / 1_000}s`;
  return minutes === 0 ? seconds : `${minutes}m${seconds}`;
}

const headers = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache",
  // Proxies that collect an answer before they pass it on leave this one alone.
  "x-accel-buffering": "no",
};

/**
 * Sends chunks as server-sent events, the last of them `[DONE]`. When the chunks break off, so does the connection: the
 * client sees an answer without an end.
 */
function sendEvents(
  reply: FastifyReply,
  chunks: AsyncIterable<ChatCompletionChunk>,
  signal: AbortSignal,
  logger: Logger,
): FastifyReply {
  return reply.headers(headers).send(Readable.from(toEvents(reply.request.id, chunks, signal, logger)));
}

async function* toEvents(
  requestId: string,
  chunks: AsyncIterable<ChatCompletionChunk>,
  signal: AbortSignal,
  logger: Logger,
): AsyncGenerator<string, void> {
  try {
    for await (const chunk of chunks) yield `data: ${JSON.stringify(chunk)}\n\n`;
    yield "data: [DONE]\n\n";
  } catch (error) {
    if (!signal.aborted) logger.warn("stream broke off", { requestId, error: String(error) });
    throw error;
  }
}
