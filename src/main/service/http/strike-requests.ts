import type { DoneFuncWithErrOrRes, FastifyReply, FastifyRequest, preHandlerHookHandler } from "fastify";
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

  // The hooks run with every request: which faults may act on it is known from its route, and nothing is awaited while
  // nothing is to go wrong.
  app.addHook("onRoute", (route) => {
    const target = findTarget(route.url);
    if (target === null) return;
    const isUpload = route.method === "POST" && route.url === "/v1/files";
    const preHandler: preHandlerHookHandler = (request, reply, done) => {
      const refusal = isUpload ? faults.refuseUpload() : null;
      if (refusal !== null) refuse(request, reply, refusal);
      else if (!faults.actOn(target)) done();
      else strike(request, reply, target).then((isAnswered) => isAnswered || done(), done);
    };
    route.preHandler = [preHandler, ...[route.preHandler ?? []].flat()];
    route.onSend = [damage, ...[route.onSend ?? []].flat()];
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

  function damage(request: FastifyRequest, reply: FastifyReply, payload: unknown, done: DoneFuncWithErrOrRes): void {
    const kind = damages.get(request);
    if (kind === undefined) done();
    else if (kind === "drop") done(null, cutOff(reply, payload));
    else done(null, malform(reply, payload));
  }
}

function findTarget(url: string): HttpTarget | null {
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
