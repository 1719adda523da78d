import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import type { DoneFuncWithErrOrRes, FastifyReply, FastifyRequest, preHandlerHookHandler, RouteOptions } from "fastify";
import {
  addFaultsSchema,
  type CountedTarget,
  type FaultName,
  faultNames,
  faultSettingsSchema,
  faultsInForceSchema,
  type RequestedOutcome,
  requestedOutcomes,
} from "#contract";
import type { EngineError } from "#main/base";
import { nextTurn, quote, ServiceError } from "#main/base";
import type { Fault, HttpTarget } from "#main/engines";
import type { Service } from "#main/service";
import { createHangingRequests, resetConnection } from "../connection-faults.ts";
import { addBodiless, type HttpApp } from "../http-app.ts";
import { answers, failures } from "../schemas.ts";
import type { Scope } from "../scopes.ts";

/** `/sheaf/faults`: what is set to go wrong. PUT replaces all of it: what is absent is off. POST adds faults by count. */
export function addFaultRoutes(app: HttpApp, { rules }: Pick<Service, "rules">): void {
  const response = answers(faultsInForceSchema);

  function read({ name, faults }: Scope) {
    const ofRules = rules.of(name).counts.list();
    return { ...faults.settings, ...(ofRules.length > 0 && { rule_counts: ofRules }) };
  }

  app.get("/sheaf/faults", { schema: { response } }, ({ scope }, reply) => {
    reply.send(read(scope));
  });

  app.put("/sheaf/faults", { schema: { body: faultSettingsSchema, response } }, ({ scope, body }, reply) => {
    scope.faults.set(body);
    reply.send(read(scope));
  });

  app.post("/sheaf/faults", { schema: { body: addFaultsSchema, response } }, ({ scope, body }, reply) => {
    scope.faults.addCounts(body.counts);
    reply.send(read(scope));
  });

  addBodiless(app, (clearing) => {
    clearing.delete(
      "/sheaf/faults",
      { schema: { response: { 200: faultsInForceSchema, ...failures } } },
      ({ scope }, reply) => {
        scope.faults.clear();
        reply.send(read(scope));
      },
    );
  });
}

/** What each route is about, for faults that act on some kinds of requests only. */
const targetByPrefix: readonly (readonly [prefix: string, target: HttpTarget])[] = [
  ["/v1/chat/", "chat"],
  ["/v1/messages/batches", "batches"],
  ["/v1/completions", "chat"],
  ["/v1/responses", "chat"],
  ["/v1/embeddings", "chat"],
  ["/v1/moderations", "chat"],
  ["/v1/messages", "chat"],
  ["/v1beta/batches", "batches"],
  ["/upload/v1beta/", "files"],
  ["/download/v1beta/", "files"],
  ["/v1beta/files", "files"],
  ["/v1/files", "files"],
  ["/v1/batches", "batches"],
  ["/v1/models", "models"],
];

/** The targets of faults by count that a route has, besides its usual target. */
function findCountedTargets(
  { method, url }: Pick<RouteOptions, "method" | "url">,
  createsBatch: boolean,
): CountedTarget[] {
  if (createsBatch) return ["creates"];
  const methods = [method].flat();
  if (methods.includes("POST") && ["/v1/files", geminiUploads].includes(url)) return ["uploads"];
  if (!methods.includes("GET")) return [];
  if (/\/batches\/:\w+$/.test(url)) return ["polls"];
  return url.startsWith("/download/") || /\/(content|results)$/.test(url) ? ["downloads"] : [];
}

const geminiUploads = "/upload/v1beta/files";

/** The bytes of an upload that has begun are no upload of their own. */
function continuesUpload({ headers, url }: FastifyRequest): boolean {
  return url.startsWith(geminiUploads) && headers["x-goog-upload-command"] !== "start";
}

/** Lets faults act on the requests of this app: before their handler, and on what it answers. */
export function injectFaults(app: HttpApp, { clock, rules }: Pick<Service, "clock" | "rules">): void {
  const corruptions = new WeakMap<FastifyRequest, "drop" | "malformed">();
  const hang = createHangingRequests(app);

  // The hooks run with every request: which faults may act on it is known from its route, and nothing is awaited while
  // nothing is to go wrong.
  app.addHook("onRoute", (route) => {
    const target = findTarget(route.url);
    if (target === null) return;
    const createsBatch = route.config?.createsBatch === true;
    const ownTargets = findCountedTargets(route, createsBatch);
    const isUpload = ownTargets.includes("uploads");
    const preHandler: preHandlerHookHandler = (request, reply, done) => {
      const { faults, name } = request.scope;
      const outcome = readOutcome(request.headers, createsBatch);
      if (isRequestedOutcome(outcome)) request.outcome = outcome;
      else if (outcome !== null) {
        if (!act(request, reply, faults.faultNamed(outcome), outcomeReason)) done();
        return;
      }
      const targets = continuesUpload(request) ? [target] : [target, ...ownTargets];
      const counted = faults.countedFault(targets) ?? rules.of(name).counts.next(targets);
      if (counted !== null) {
        if (!act(request, reply, counted.fault, counted.reason)) done();
        return;
      }
      const refusal = isUpload ? faults.refuseUpload() : null;
      if (refusal !== null) refuse(reply, refusal);
      else if (!faults.actOn(target)) done();
      else injectFault(request, reply, target).then((isAnswered) => isAnswered || done(), done);
    };
    route.preHandler = [preHandler, ...[route.preHandler ?? []].flat()];
    route.onSend = [corrupt, ...[route.onSend ?? []].flat()];
  });

  /** Lets a fault act before the handler. Returns whether the request has been answered by that. */
  async function injectFault(request: FastifyRequest, reply: FastifyReply, target: HttpTarget): Promise<boolean> {
    const { faults } = request.scope;
    const { latency_ms: latency } = faults.settings;
    const fault = faults.faultOfNext(target);
    if (latency > 0) await clock.sleep(latency, endOf(request)).catch(() => {});
    return act(request, reply, fault);
  }

  /** Returns whether the request needs no answer any more. */
  function act(request: FastifyRequest, reply: FastifyReply, fault: Fault, reason?: string): boolean {
    const failure = request.scope.faults.replyTo(fault, reason);
    if (failure !== null) refuse(reply, failure);
    else if (fault?.type === "hang") hang(reply);
    else if (fault?.type === "reset") resetConnection(reply);
    else {
      if (fault?.type === "drop" || fault?.type === "malformed") corruptions.set(request, fault.type);
      return false;
    }
    return true;
  }

  function refuse(reply: FastifyReply, { statusCode, headers = {}, body }: EngineError): void {
    app.lingering.afterAnswer(reply);
    reply.code(statusCode).headers(headers).send(body);
  }

  function corrupt(request: FastifyRequest, reply: FastifyReply, payload: unknown, done: DoneFuncWithErrOrRes): void {
    const kind = corruptions.get(request);
    if (kind === undefined) done();
    else if (kind === "drop") done(null, cutOff(reply, payload));
    else done(null, malform(reply, payload));
  }
}

const outcomeHeader = "x-sheaf-outcome";
const outcomeReason = `the header ${outcomeHeader}`;

/** What a request asks to go wrong with itself. Throws a ServiceError for what is not known, or can't be at this route. */
function readOutcome(
  { [outcomeHeader]: outcome }: IncomingHttpHeaders,
  createsBatch: boolean,
): FaultName | RequestedOutcome | null {
  if (outcome === undefined) return null;
  const known = createsBatch ? [...faultNames, ...requestedOutcomes] : faultNames;
  const found = known.find((name) => name === outcome);
  if (found !== undefined) return found;
  const message = `Invalid value for '${outcomeHeader}': ${quote(String(outcome))}. Supported values here are: ${known.map((name) => `'${name}'`).join(", ")}.`;
  throw new ServiceError("invalid_value", message, outcomeHeader);
}

function isRequestedOutcome(outcome: FaultName | RequestedOutcome | null): outcome is RequestedOutcome {
  return requestedOutcomes.some((name) => name === outcome);
}

/** What Gemini's calls of a model are about; `models` for what is none. */
function findCallTarget(url: string): HttpTarget {
  if (/:(stream)?[gG]enerateContent$|:countTokens$|:(e|batchE)mbedContents?$/.test(url)) return "chat";
  return url.endsWith(":batchGenerateContent") ? "batches" : "models";
}

function findTarget(url: string): HttpTarget | null {
  if (url.startsWith("/v1beta/models")) return findCallTarget(url);
  return targetByPrefix.find(([prefix]) => url.startsWith(prefix))?.[1] ?? null;
}

/** Aborted when the client has gone. */
function endOf({ raw }: FastifyRequest): AbortSignal {
  const gone = new AbortController();
  raw.socket.once("close", () => gone.abort());
  return gone.signal;
}

/** How many pieces of a streamed answer get through whole before it is corrupted. */
const wholePieces = 3;

/** The answer up to its middle, or the first pieces of a stream. Then the connection is closed, without an end. */
function cutOff(reply: FastifyReply, payload: unknown): Readable {
  if (payload instanceof Readable) return Readable.from(breakOff(takeStart(payload)));
  const body = toBuffer(payload);
  reply.header("content-length", Math.max(body.length, 1));
  return Readable.from(breakOff([halve(body)]));
}

/** Half of the JSON in complete HTTP; in a stream, half an event in the middle, and the end. */
function malform(reply: FastifyReply, payload: unknown): Readable | Buffer {
  if (payload instanceof Readable) {
    reply.removeHeader("content-length");
    const isEvents = String(reply.getHeader("content-type")).startsWith("text/event-stream");
    return Readable.from(isEvents ? append(takeStart(payload), "\n\n") : takeStart(payload));
  }
  const half = halve(toBuffer(payload));
  reply.header("content-length", half.length);
  return half;
}

type Pieces = AsyncIterable<Buffer> | Iterable<Buffer>;

async function* breakOff(pieces: Pieces): AsyncGenerator<Buffer, void> {
  yield* pieces;
  // What was written leaves the process first.
  await nextTurn();
  throw new Error("The connection is dropped, as the faults ask for.");
}

async function* append(pieces: Pieces, end: string): AsyncGenerator<Buffer, void> {
  yield* pieces;
  yield Buffer.from(end);
}

/** The first pieces, and half of the one after them; of an answer with fewer, half of its last. */
async function* takeStart(stream: Readable): AsyncGenerator<Buffer, void> {
  let last: Buffer = Buffer.alloc(0);
  let count = 0;
  for await (const piece of stream) {
    if (count > 0) yield last;
    last = toBuffer(piece);
    count += 1;
    if (count > wholePieces) break;
  }
  yield halve(last);
}

function halve(body: Buffer): Buffer {
  return body.subarray(0, Math.ceil(body.length / 2));
}

function toBuffer(payload: unknown): Buffer {
  if (payload === undefined || payload === null) return Buffer.alloc(0);
  return Buffer.isBuffer(payload) ? payload : Buffer.from(String(payload));
}
