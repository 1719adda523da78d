import type { FastifyReply, FastifyRequest } from "fastify";
import type { HttpTarget } from "../engines/index.ts";
import type { EngineError } from "../ports.ts";
import type { Service } from "../types.ts";
import type { HttpApp } from "./app.ts";
import { cutOff, malform } from "./damage.ts";
import { drain } from "./send-error.ts";

/** What each route is about, for faults that act on some kinds of requests only. */
const targetByPrefix: readonly (readonly [prefix: string, target: HttpTarget])[] = [
  ["/v1/chat/", "chat"],
  ["/v1/files", "files"],
  ["/v1/batches", "batches"],
  ["/v1/models", "models"],
];

/** Lets faults act on the requests of this app: before their handler, and on what it answers. */
export function strikeRequests(app: HttpApp, { faults, clock }: Pick<Service, "faults" | "clock">): void {
  const damages = new WeakMap<FastifyRequest, "drop" | "malformed">();

  // It runs before every request: nothing is awaited while nothing is to go wrong.
  app.addHook("preHandler", (request, reply, done) => {
    const refusal = isUpload(request) ? faults.refuseUpload() : null;
    const target = findTarget(request);
    if (refusal !== null) refuse(request, reply, refusal);
    else if (target === null || !faults.actOn(target)) done();
    else strike(request, reply, target).then((isAnswered) => isAnswered || done(), done);
  });

  /** Lets a fault act before the handler. Says whether the request has been answered by that. */
  async function strike(request: FastifyRequest, reply: FastifyReply, target: HttpTarget): Promise<boolean> {
    const { latency_ms: latency } = faults.settings;
    const fault = faults.strikeRequest(target);
    if (latency > 0) await clock.sleep(latency, endOf(request)).catch(() => {});
    const failure = faults.replyTo(fault);
    if (failure !== null) refuse(request, reply, failure);
    else if (fault?.type === "drop" || fault?.type === "malformed") damages.set(request, fault.type);
    return failure !== null;
  }

  app.addHook("onSend", (request, reply, payload, done) => {
    const damage = damages.get(request);
    if (damage === undefined) done(null, payload);
    else if (damage === "drop") done(null, cutOff(reply, payload));
    else done(null, malform(reply, payload));
  });
}

function isUpload({ method, routeOptions }: FastifyRequest): boolean {
  return method === "POST" && routeOptions.url === "/v1/files";
}

function findTarget({ routeOptions: { url = "" } }: FastifyRequest): HttpTarget | null {
  return targetByPrefix.find(([prefix]) => url.startsWith(prefix))?.[1] ?? null;
}

/** Aborted when the client has gone. */
function endOf({ raw }: FastifyRequest): AbortSignal {
  const gone = new AbortController();
  raw.socket.once("close", () => gone.abort());
  return gone.signal;
}

function refuse(request: FastifyRequest, reply: FastifyReply, { statusCode, headers = {}, body }: EngineError): void {
  drain(request.raw);
  reply.code(statusCode).headers(headers).send(body);
}
