import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type FastifyReply, type FastifyRequest, fastify } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import type { JudgeChoice } from "#contract";
import type { AdjustableClock, Machine } from "#main/base";
import type { Service } from "#main/service";
import { mostConnections } from "#main/storage";
import { createHostCheck, createKeyCheck, type HostCheck } from "./auth.ts";
import { admitPages } from "./cors.ts";
import { followDialect } from "./dialect.ts";
import { reportDropped } from "./dropped.ts";
import {
  createClientErrorHandler,
  createErrorSender,
  createKnownPaths,
  describeMiss,
  findMeant,
  type KnownPaths,
} from "./errors.ts";
import { type AddRoutes, addCoreRoutes, lateGroups, type RouteParts } from "./groups/index.ts";
import type { HttpApp, PrepareApp } from "./http-app.ts";
import { inflateBodies } from "./inflate.ts";
import { readJsonBodies } from "./json-bodies.ts";
import { createLateApps } from "./late-apps.ts";
import { createLingeringClose, type LingeringClose } from "./lingering-close.ts";
import { loadOnce } from "./load-once.ts";
import { createMetrics } from "./metrics.ts";
import { createRequestLog, type RequestLog } from "./request-log.ts";
import { passUnknownEndpoints } from "./routes/endpoints.ts";
import { observeRequests } from "./routes/observe.ts";
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
 * The HTTP face of a service: all of `/v1` and `/health`. It does not listen yet. The routes of `lateGroups` are added to further
 * apps with the first request to them.
 * @param prepare is called with each app before its routes are added
 * @throws ServiceError when the judge can't be had
 */
export function createHttpApp(options: HttpAppOptions, prepare: PrepareApp = () => {}): HttpApp {
  const { service, apiKey, requestLog, logBodyBytes, hosts = [], cors = [], webhooks = null } = options;
  const { judge = { judge: "rules", model: null, preset: "general" } } = options;
  const readKey = typeof apiKey === "string" ? () => apiKey : apiKey;
  const checkKey = readKey === null ? () => undefined : createKeyCheck(readKey);
  const readSecrets = () => [...(readKey === null ? [] : [readKey()]), ...(webhooks === null ? [] : [webhooks.secret])];
  const log = requestLog ?? createRequestLog(service.clock, readSecrets, logBodyBytes);
  const scopes = createScopes(service, log.clear);
  const dialect = followDialect(service.readDialect);
  const common: CommonParts = {
    service,
    clock: options.clock,
    dialect,
    scopes,
    log,
    metrics: createMetrics(service.batches),
    verifier: service.verifierFor(judge),
    hosts,
    cors,
    needsKey: readKey !== null,
    knownPaths: createKnownPaths(),
    lingering: createLingeringClose(service.machine),
    checkHost: createHostCheck(hosts),
    checkKey: (request) => checkKey(readAuthorization(request), request.socket),
    admit(request) {
      common.checkKey(request);
      request.scope = scopes.open(request);
    },
    readDescription: async () => (await loadDescription())(),
    openAll: () => late.openAll(),
    loadFailures: new WeakMap(),
  };

  /** Of another app, so that no start waits for it. */
  const loadDescription = loadOnce(async () => {
    const { describeApi } = await import("./openapi/describe-api.ts");
    const loaded = await Promise.all(lateGroups.map((group) => group.load()));
    let read = () => "";
    const described = createApp(common, [addCoreRoutes, ...loaded], (app) => {
      read = describeApi(app, dialect);
    });
    await described.ready();
    // It answers nothing: this ends the subscriptions of its routes.
    await described.close();
    return read;
  });

  const app = createApp(common, [addCoreRoutes], prepare);
  const late = createLateApps((add) => createApp(common, [add], prepare));
  closeIdleConnections(app, service.machine);
  app.addHook("preClose", async () => {
    common.lingering.stop();
    await late.close();
  });

  function dispatch(request: IncomingMessage, response: ServerResponse): void {
    const { url } = request;
    const meant = joinModelName(moveGeminiPath(request, dropLastSlash(moveScopeToHeader(request))));
    Object.assign(request, { url: meant, originalUrl: url });
    const answer = (asked: HttpApp) => asked.routing(request, response);
    const found = late.appFor(meant) ?? app;
    if (found instanceof Promise)
      found.then(answer, (error) => {
        common.loadFailures.set(request, error);
        answer(app);
      });
    else answer(found);
  }
  app.server.maxConnections = mostConnections;
  app.server.removeAllListeners("request").on("request", dispatch);
  // An `expect` header that is not understood may be passed over; node itself would answer it without a body.
  app.server.on("checkExpectation", dispatch);
  return app;
}

interface CommonParts extends RouteParts {
  readonly cors: readonly string[];
  readonly needsKey: boolean;
  readonly knownPaths: KnownPaths;
  readonly lingering: LingeringClose;
  readonly checkHost: HostCheck;
  checkKey(request: FastifyRequest): void;
  /** Adds the routes of all groups that are not there yet. */
  openAll(): Promise<void>;
  /** Why routes could not be added, by the request that asked for one of them. */
  readonly loadFailures: WeakMap<IncomingMessage, unknown>;
}

/** An app with some of the routes. Only that of the core has a server that listens. */
function createApp(parts: CommonParts, groups: readonly AddRoutes[], prepare: PrepareApp): HttpApp {
  const { service, lingering, knownPaths, hosts, cors, needsKey, checkHost, checkKey, admit } = parts;
  const { openAll, loadFailures } = parts;
  const sendError = createErrorSender(service);
  const createRequestId = () => service.ids.create("request");

  const app: HttpApp = fastify({
    genReqId: createRequestId,
    requestTimeout,
    return503OnClosing: false,
    http: { requireHostHeader: false },
    // What is wrong with the address itself is found before any hook runs, and on a request without our decorations.
    frameworkErrors(error, request, reply) {
      Object.assign(request, { json: null, rule: null, events: "", entry: null, isCounted: false });
      observe(request, reply);
      sendError(error, request, reply);
    },
    clientErrorHandler: createClientErrorHandler(createRequestId, lingering),
  }).withTypeProvider<ZodTypeProvider>();
  app.decorate("lingering", lingering);
  app.setValidatorCompiler(compileValidator);
  // Responses are described for readers; what is sent is made by wire.ts, and the tests check it against the contract.
  app.setSerializerCompiler(() => JSON.stringify);
  app.setErrorHandler(sendError);
  readJsonBodies(app);
  reportDropped(app);
  app.decorateRequest("scope");
  app.decorateRequest("rule", null);
  app.decorateRequest("events", "");
  app.decorateRequest("outcome", null);
  knownPaths.collect(app);
  const observe = observeRequests(app, parts);
  answerAsVendor(app);

  app.addHook("onRequest", (request, reply, done) => {
    reply.header("x-request-id", request.id);
    checkHost(request.raw.headers.host, request.raw.socket.localAddress);
    done();
  });
  admitPages(app, { origins: cors, hosts, needsKey });
  app.addHook("onRequest", (request, reply, done) => {
    if (!request.is404) return done();
    refuse(request, reply).then(() => done(), done);
  });
  inflateBodies(app);

  /** Before the body is read, whatever it is; but for what may be passed on. */
  async function refuse(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const [path = ""] = request.url.split("?");
    if (isApiPath(path)) checkKey(request);
    if (loadFailures.has(request.raw)) throw loadFailures.get(request.raw);
    await openAll();
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
  prepare(app);
  for (const add of groups) add(app, parts);
  return app;
}

/** Closes the connections that no one waits on, while the app closes: a client that keeps its own open would hold it up for a minute. */
function closeIdleConnections(app: HttpApp, machine: Machine): void {
  const { server } = app;
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
  let stop = () => {};
  app.addHook("preClose", (done) => {
    stop = machine.every(20, closeIdle);
    done();
  });
  app.addHook("onClose", (_app, closed) => {
    stop();
    closed();
  });
}
