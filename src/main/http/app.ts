import type { Server } from "node:http";
import type { Socket } from "node:net";
import { type FastifyReply, type FastifyRequest, fastify } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import type { JudgeChoice } from "#contract";
import type { AdjustableClock, Machine } from "#main/base";
import type { Service } from "#main/service";
import { mostConnections } from "#main/storage";
import { createHostCheck, createKeyCheck } from "./auth.ts";
import { admitPages } from "./cors.ts";
import { followDialect } from "./dialect.ts";
import { reportDropped } from "./dropped.ts";
import { collectPaths, createClientErrorHandler, createErrorSender, describeMiss, findMeant } from "./errors.ts";
import type { HttpApp } from "./http-app.ts";
import { inflateBodies } from "./inflate.ts";
import { readJsonBodies } from "./json-bodies.ts";
import { createLingeringClose } from "./lingering-close.ts";
import { createRequestLog, type RequestLog } from "./request-log.ts";
import { addAnthropicRoutes } from "./routes/anthropic.ts";
import { addAnthropicBatchRoutes } from "./routes/anthropic-batches.ts";
import { addBatchRoutes } from "./routes/batches.ts";
import { addClockRoutes } from "./routes/clock.ts";
import { addDocsRoutes } from "./routes/docs.ts";
import { addEndpointRoutes, passUnknownEndpoints } from "./routes/endpoints.ts";
import { addFaultRoutes, injectFaults } from "./routes/faults.ts";
import { addFileRoutes } from "./routes/files.ts";
import { addGeminiRoutes } from "./routes/gemini.ts";
import { addGeminiBatchRoutes } from "./routes/gemini-batches.ts";
import { addGeminiFileRoutes, addGeminiUploadRoutes } from "./routes/gemini-files.ts";
import { addMcpEndpoint, addMcpManagementRoutes } from "./routes/mcp.ts";
import { addModelRoutes } from "./routes/models.ts";
import { addOAuthRefusals } from "./routes/no-oauth.ts";
import { addHealthRoute, addObserveRoutes, observeRequests } from "./routes/observe.ts";
import { addResetRoute } from "./routes/reset.ts";
import { addResponseRoutes } from "./routes/responses.ts";
import { addRuleRoutes } from "./routes/rules.ts";
import { createScopes, moveScopeToHeader } from "./scopes.ts";
import { compileValidator } from "./validate.ts";
import {
  answerAsVendor,
  dropLastSlash,
  isApiPath,
  joinModelName,
  moveGeminiPath,
  readAuthorization,
} from "./vendor.ts";
import type { WebhookSettings } from "./webhook-settings.ts";

export interface HttpAppOptions {
  readonly service: Service;
  /** The service's clock, where clients may turn it forward (`/sheaf/clock`). */
  readonly clock?: AdjustableClock;
  /** Every request but `GET /health` must carry it, or to the MCP endpoint its own token. A function where it may be replaced while the server runs; null where none is asked for. */
  readonly apiKey: string | (() => string) | null;
  /** Where the last requests are kept; in a log of its own by default. */
  readonly requestLog?: RequestLog;
  /** How many bytes of bodies a log of its own keeps. */
  readonly logBodyBytes?: number;
  /** Who judges responses for MCP clients; the rules by default. */
  readonly judge?: JudgeChoice;
  /** Names in addition to localhost under which clients on this machine may reach the server, such as the host it listens on. */
  readonly hosts?: readonly string[];
  /** Origins of pages that may call `/v1` and read its answers, `*` for all; none by default. */
  readonly cors?: readonly string[];
  /** Where the ends of batches are reported; nowhere by default. */
  readonly webhooks?: WebhookSettings | null;
}

/** How long a client may take over one request, the upload of a large file included. */
const requestTimeout = 15 * 60_000;

/**
 * The HTTP face of a service: all of `/v1` and `/health`. It does not listen yet.
 * @param prepare is called before its routes are added
 * @throws ServiceError when the judge can't be had
 */
export function createHttpApp(options: HttpAppOptions, prepare: (app: HttpApp) => void = () => {}): HttpApp {
  const { service, clock, apiKey, requestLog, logBodyBytes, hosts = [], cors = [], webhooks = null } = options;
  const { judge = { judge: "rules", model: null, preset: "general" } } = options;
  const dialect = followDialect(service.readDialect);
  const readKey = typeof apiKey === "string" ? () => apiKey : apiKey;
  const checkKey = readKey === null ? () => undefined : createKeyCheck(readKey);
  const checkHost = createHostCheck(hosts);
  const verifier = service.verifierFor(judge);
  const sendError = createErrorSender(service);
  const readSecrets = () => [...(readKey === null ? [] : [readKey()]), ...(webhooks === null ? [] : [webhooks.secret])];
  const log = requestLog ?? createRequestLog(service.clock, readSecrets, logBodyBytes);
  const scopes = createScopes(service, log.clear);
  const lingering = createLingeringClose(service.machine);
  const createRequestId = () => service.ids.create("request");

  const app: HttpApp = fastify({
    genReqId: createRequestId,
    rewriteUrl: (request) => joinModelName(moveGeminiPath(request, dropLastSlash(moveScopeToHeader(request)))),
    requestTimeout,
    return503OnClosing: false,
    http: { requireHostHeader: false },
    // What is wrong with the address itself is found before any hook runs, and on a request without our decorations.
    frameworkErrors(error, request, reply) {
      Object.assign(request, { json: null, rule: null, events: "", entry: null, isCounted: false });
      observed.observe(request, reply);
      sendError(error, request, reply);
    },
    clientErrorHandler: createClientErrorHandler(createRequestId, lingering),
  }).withTypeProvider<ZodTypeProvider>();
  app.decorate("lingering", lingering);
  app.server.maxConnections = mostConnections;
  app.setValidatorCompiler(compileValidator);
  // Responses are described for readers; what is sent is made by wire.ts, and the tests check it against the contract.
  app.setSerializerCompiler(() => JSON.stringify);
  app.setErrorHandler(sendError);
  readJsonBodies(app);
  reportDropped(app);
  // An `expect` header that is not understood may be passed over; node itself would answer it without a body.
  app.server.on("checkExpectation", (request, response) => app.routing(request, response));
  app.decorateRequest("scope");
  app.decorateRequest("rule", null);
  app.decorateRequest("events", "");
  app.decorateRequest("outcome", null);
  const knownPaths = collectPaths(app);
  const observed = observeRequests(app, service, log);
  answerAsVendor(app);

  app.addHook("onRequest", (request, reply, done) => {
    reply.header("x-request-id", request.id);
    checkHost(request.raw.headers.host, request.raw.socket.localAddress);
    done();
  });
  admitPages(app, { origins: cors, hosts, needsKey: readKey !== null });
  app.addHook("onRequest", (request, reply, done) => {
    if (request.is404) refuse(request, reply);
    done();
  });
  inflateBodies(app);

  function admit(request: FastifyRequest): void {
    checkKey(readAuthorization(request), request.socket);
    request.scope = scopes.open(request);
  }

  /** Before the body is read, whatever it is; but for what may be passed on. */
  function refuse(request: FastifyRequest, reply: FastifyReply): void {
    const [path = ""] = request.url.split("?");
    if (isApiPath(path)) checkKey(readAuthorization(request), request.socket);
    const methods = knownPaths.methodsAt(path);
    if (methods.length === 0 && mayPassOn(request.method, path)) {
      admit(request);
      return;
    }
    if (methods.length > 0) reply.header("allow", methods.join(", "));
    const meant = methods.length === 0 ? findMeant(path, (one) => knownPaths.methodsAt(one).length > 0) : null;
    throw describeMiss(request, methods, meant);
  }

  const mayPassOn = passUnknownEndpoints(app, service);
  const closeIdleConnections = watchIdleConnections(app.server, service.machine);
  app.addHook("preClose", (done) => {
    closeIdleConnections();
    lingering.stop();
    done();
  });

  prepare(app);
  let describing: Promise<() => string> | undefined;
  /** Made when it is first asked for, of another app, so that no start waits for it. */
  async function readDescription(): Promise<string> {
    describing ??= describeRoutes();
    return (await describing)();
  }
  async function describeRoutes(): Promise<() => string> {
    const { describeApi } = await import("./openapi/describe-api.ts");
    let read = () => "";
    const described = createHttpApp(options, (other) => {
      read = describeApi(other, dialect);
    });
    await described.ready();
    return read;
  }
  app.register((open: HttpApp, _options, registered) => {
    addHealthRoute(open, service);
    addDocsRoutes(open, readDescription);
    registered();
  });
  app.register((refusing: HttpApp, _options, registered) => {
    addOAuthRefusals(refusing);
    registered();
  });
  app.register((v1: HttpApp, _options, registered) => {
    v1.addHook("onRequest", (request, _reply, done) => {
      admit(request);
      done();
    });
    injectFaults(v1, service);
    addObserveRoutes(v1, observed);
    addFaultRoutes(v1, service);
    addRuleRoutes(v1, service);
    addResetRoute(v1, scopes);
    if (clock !== undefined) addClockRoutes(v1, clock);
    addFileRoutes(v1, service, dialect);
    addBatchRoutes(v1, service, dialect);
    addModelRoutes(v1, service);
    addEndpointRoutes(v1, service);
    addResponseRoutes(v1, service);
    addAnthropicRoutes(v1, service);
    addAnthropicBatchRoutes(v1, service);
    addGeminiRoutes(v1, service);
    addGeminiFileRoutes(v1, service);
    addGeminiBatchRoutes(v1, service);
    addMcpManagementRoutes(v1, service);
    registered();
  });
  app.register((uploads: HttpApp, _options, registered) => {
    addGeminiUploadRoutes(uploads, service, admit);
    registered();
  });
  app.register((endpoint: HttpApp, _options, registered) => {
    addMcpEndpoint(endpoint, service, { verifier, hosts });
    registered();
  });
  return app;
}

/**
 * Watches the connections of a server for those that no one waits on. The answer closes them from when it is called until
 * the server has closed: a client that keeps its own open would hold it up for a minute.
 */
function watchIdleConnections(server: Server, machine: Machine): () => void {
  const connections = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });

  function closeIdle(): void {
    server.closeIdleConnections();
    // Clients open connections ahead of need, and node does not count as idle what has never brought a request.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
  }
  return () => {
    if (!server.listening) return;
    server.once("close", machine.every(20, closeIdle));
  };
}
