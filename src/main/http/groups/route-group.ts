import type { FastifyRequest } from "fastify";
import type { AdjustableClock } from "#main/base";
import type { Verifier } from "#main/judging";
import type { Service } from "#main/service";
import type { Dialect } from "../dialect.ts";
import { addApart, type HttpApp } from "../http-app.ts";
import type { Metrics } from "../metrics.ts";
import type { RequestLog } from "../request-log.ts";
import { injectFaults } from "../routes/faults.ts";
import type { Scopes } from "../scopes.ts";

/** What the routes of a server share, whichever app they are in. */
export interface RouteParts {
  readonly service: Service;
  readonly clock: AdjustableClock | undefined;
  readonly dialect: Dialect;
  readonly scopes: Scopes;
  readonly log: RequestLog;
  readonly metrics: Metrics;
  readonly verifier: Verifier;
  readonly hosts: readonly string[];
  /** Checks the key of a request and opens its scope. */
  admit(request: FastifyRequest): void;
  readDescription(): Promise<string>;
}

/** Adds the routes of a group to an app that has no others. */
export type AddRoutes = (app: HttpApp, parts: RouteParts) => void;

/** Adds routes that need the key, and on which faults may act. */
export function addKeyedRoutes(app: HttpApp, { service, admit }: RouteParts, add: (keyed: HttpApp) => void): void {
  addApart(app, (keyed) => {
    keyed.addHook("onRequest", (request, _reply, done) => {
      admit(request);
      done();
    });
    injectFaults(keyed, service);
    add(keyed);
  });
}
