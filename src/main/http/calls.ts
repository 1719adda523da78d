import type { Socket } from "node:net";
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { EngineCall, PassedReply } from "#main/base";
import { ServiceError } from "#main/base";
import { ConnectionReset, type RealtimeGate } from "#main/engines";
import type { Service } from "#main/service";
import { resetConnection } from "./connection-faults.ts";
import type { HttpApp } from "./http-app.ts";
import { longestBody } from "./request-log.ts";
import { sendJson } from "./wire.ts";

/** What a call is answered with: server-sent events as they are written, or a body (`json` where it is written already). */
export type CallReply =
  | { readonly events: AsyncIterable<string> }
  | PassedReply
  | {
      readonly statusCode: number;
      readonly body: unknown;
      readonly json?: string;
      readonly headers?: Readonly<Record<string, string>>;
    };

/** A direct call, but for what is asked. Its signal is aborted when the client has gone. */
export type DirectCall = Omit<EngineCall, "request">;

/** Asks an engine: the call is passed on with the request. */
type Ask = (call: DirectCall) => CallReply | Promise<CallReply>;

/**
 * Makes the routes of this app calls of an engine: within the limits of direct calls, and given up when the client goes.
 * @returns what each handler ends with, once its request is known to be right
 */
export function answerCalls(
  app: HttpApp,
  service: Service,
): (request: FastifyRequest, reply: FastifyReply, ask: Ask) => void {
  const { logger } = service;
  const admit = limitRate(app, service);
  const watchClient = watchClients();

  return (request, reply, ask) => {
    admit(request, reply);
    const signal = watchClient(request.raw.socket);
    try {
      const answer = ask({
        requestId: request.id,
        endpoint: request.url.split("?", 1)[0] ?? "",
        headers: request.headers,
        scope: request.scope.name,
        line: null,
        signal,
        onRule: (rule) => {
          request.rule = rule;
        },
      });
      if (answer instanceof Promise) answer.then(send, fail);
      else send(answer);
    } catch (error) {
      fail(error);
    }

    function send(given: CallReply): void {
      try {
        if ("bytes" in given) sendBytes(reply, given, onBreak);
        else if ("events" in given) sendEvents(reply, keepEvents(request, given.events), onBreak);
        else if (given.statusCode === 200) sendJson(reply, given.json ?? JSON.stringify(given.body));
        else
          reply
            .headers(given.headers ?? {})
            .code(given.statusCode)
            .send(given.body);
      } catch (error) {
        fail(error);
      }
    }

    function onBreak(error: unknown): void {
      if (!signal.aborted) logger.warn("stream broke off", { requestId: request.id, error: String(error) });
    }

    function fail(error: unknown): void {
      // Where the client has gone, no one is there to read an answer.
      if (signal.aborted) reply.hijack();
      else if (error instanceof ConnectionReset) resetConnection(reply);
      else reply.send(error);
    }
  };
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
function limitRate(app: HttpApp, { clock }: Service): (request: FastifyRequest, reply: FastifyReply) => void {
  /** Clients wait in the time of their machine. A clock that stands still is turned on by hand: its own time is all there is. */
  const toClientTime = (milliseconds: number) => Math.ceil(milliseconds / (clock.speed || 1));

  app.addHook("onSend", ({ scope }, reply, _payload, done) => {
    // A request without the right key has no scope.
    const gate: RealtimeGate | null = scope?.realtimeGate ?? null;
    if (gate === null) return done();
    const { limit, remaining, reset } = gate.allowance();
    reply.header("x-ratelimit-limit-requests", limit);
    reply.header("x-ratelimit-remaining-requests", remaining);
    reply.header("x-ratelimit-reset-requests", formatDuration(toClientTime(reset)));
    done();
  });

  return ({ scope: { realtimeGate: gate } }, reply) => {
    if (gate === null) return;
    const entry = gate.enter();
    if (!entry.admitted) {
      const seconds = Math.ceil(toClientTime(entry.retryAfter) / 1_000);
      reply.header("retry-after", seconds);
      const message = `${entry.message} Try again in ${seconds} s, or start the server with --no-rate-limit.`;
      throw new ServiceError("rate_limit_exceeded", message);
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

const eventHeaders = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache",
  // Proxies that collect an answer before they pass it on leave this one alone.
  "x-accel-buffering": "no",
};

/** When the events break off, so does the connection: the client sees an answer without an end. */
function sendEvents(reply: FastifyReply, events: AsyncIterable<string>, onBreak: (error: unknown) => void): void {
  reply.headers(eventHeaders).send(Readable.from(reportBreak(events, onBreak)));
}

function sendBytes(
  reply: FastifyReply,
  { statusCode, headers, bytes }: PassedReply,
  onBreak: (error: unknown) => void,
): void {
  const body = Readable.from(reportBreak(bytes, onBreak), { objectMode: false });
  reply.headers(headers).code(statusCode).send(body);
}

async function* reportBreak<T>(events: AsyncIterable<T>, onBreak: (error: unknown) => void): AsyncGenerator<T, void> {
  try {
    yield* events;
  } catch (error) {
    onBreak(error);
    throw error;
  }
}

/** Keeps what is sent for the log of requests, as far as that shows it. */
async function* keepEvents(request: FastifyRequest, events: AsyncIterable<string>): AsyncGenerator<string, void> {
  request.events = "";
  for await (const event of events) {
    if (request.events.length <= longestBody) request.events += event;
    yield event;
  }
}
