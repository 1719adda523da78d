import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import type { Service } from "../types.ts";
import { createKeyCheck } from "./auth.ts";
import { createClientErrorHandler } from "./client-error.ts";
import { type DialectName, dialects } from "./dialect.ts";
import { errorHeaders, toErrorBody, toFaultBody, toServiceError } from "./errors.ts";
import { createHostCheck } from "./hosts.ts";
import { collectPaths, describeMiss } from "./not-found.ts";
import { addBatchRoutes } from "./routes/batches.ts";
import { addFileRoutes } from "./routes/files.ts";
import { addHealthRoute } from "./routes/health.ts";
import { addModelRoutes } from "./routes/models.ts";
import { compileValidator } from "./validate.ts";

export interface HttpAppOptions {
  readonly service: Service;
  /** Every request but `GET /health` must carry it. */
  readonly apiKey: string;
  /** How records look on the wire; `service` unless told otherwise. */
  readonly dialect?: DialectName;
  /** Names beside localhost under which clients on this machine may reach the server, such as the host it listens on. */
  readonly hosts?: readonly string[];
}

export type HttpApp = FastifyInstance<Server, IncomingMessage, ServerResponse, FastifyBaseLogger, ZodTypeProvider>;

/** How long a client may take over one request, the upload of a large file included. */
const requestTimeout = 15 * 60_000;
/** How long the rest of a body is taken after its request has been refused, so that the client gets to read the answer. */
const drainTimeout = 5_000;

/** The HTTP face of a service: all of `/v1` and `/health`. It does not listen yet. */
export function createHttpApp({
  service,
  apiKey,
  dialect: dialectName = "service",
  hosts = [],
}: HttpAppOptions): HttpApp {
  const dialect = dialects[dialectName];
  const checkKey = createKeyCheck(apiKey);
  const checkHost = createHostCheck(hosts);
  const createRequestId = () => service.ids.create("request");

  const app: HttpApp = fastify({
    genReqId: createRequestId,
    requestTimeout,
    return503OnClosing: false,
    http: { requireHostHeader: false },
    frameworkErrors: sendError,
    clientErrorHandler: createClientErrorHandler(createRequestId),
  }).withTypeProvider<ZodTypeProvider>();
  app.setValidatorCompiler(compileValidator);
  // Responses are described for readers; what is sent is made by wire.ts, and the tests check it against the contract.
  app.setSerializerCompiler(() => JSON.stringify);
  app.setErrorHandler(sendError);
  // An `expect` header that is not understood may be passed over; node itself would answer it without a body.
  app.server.on("checkExpectation", (request, response) => app.routing(request, response));
  const knownPaths = collectPaths(app);

  function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    reply.header("x-request-id", request.id);
    drain(request.raw);
    const known = toServiceError(error);
    if (known !== null) {
      reply.code(known.status).headers(errorHeaders(known)).send(toErrorBody(known));
      return;
    }
    const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
    service.logger.error("request failed", { requestId: request.id, method: request.method, error: details });
    reply.code(500).send(toFaultBody(request.id));
  }

  app.addHook("onRequest", (request, reply, done) => {
    reply.header("x-request-id", request.id);
    checkHost(request.raw.headers.host, request.raw.socket.localAddress);
    if (request.is404) refuse(request, reply);
    done();
  });

  /** Before the body is read, whatever it is. */
  function refuse(request: FastifyRequest, reply: FastifyReply): never {
    const [path = ""] = request.url.split("?");
    if (path.startsWith("/v1/")) checkKey(request.headers.authorization);
    const methods = knownPaths.methodsAt(path);
    if (methods.length > 0) reply.header("allow", methods.join(", "));
    throw describeMiss(request.method, path, methods);
  }

  addHealthRoute(app);
  app.register((v1: HttpApp, _options, registered) => {
    v1.addHook("onRequest", (request, _reply, done) => {
      checkKey(request.headers.authorization);
      done();
    });
    addFileRoutes(v1, service, dialect);
    addBatchRoutes(v1, service, dialect);
    addModelRoutes(v1, service);
    registered();
  });
  return app;
}

/** Takes what is left of a body that nobody reads, for a while. */
function drain(request: IncomingMessage): void {
  const { headers } = request;
  const hasBody = headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
  if (!hasBody || request.complete || request.destroyed) return;
  request.unpipe();
  request.resume();
  const timer = setTimeout(() => request.destroy(), drainTimeout);
  request.once("close", () => clearTimeout(timer));
}
