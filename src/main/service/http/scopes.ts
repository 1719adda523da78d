import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { formatCount } from "#contract";
import { type Batches, limitToScope } from "../batches/index.ts";
import type { Faults } from "../engines/index.ts";
import { ServiceError } from "../errors.ts";
import type { Files } from "../files/index.ts";
import { defaultScope } from "../ports.ts";
import { quote } from "../quote.ts";
import type { RealtimeGate } from "../realtime-gate.ts";
import type { Service } from "../service.ts";

/** What requests of one scope see and change. The clock, the tier, the engine and MCP are those of all scopes. */
export interface Scope {
  readonly name: string;
  readonly files: Files;
  readonly batches: Batches;
  readonly faults: Faults;
  /** Null where direct calls are not limited. */
  readonly realtimeGate: RealtimeGate | null;
}

/** Scopes keep apart what tests that run side by side do with one server. */
export interface Scopes {
  /** The scope that a request names, made when it is first named. Throws a ServiceError for a wrong name, and for one too many. */
  open(headers: IncomingHttpHeaders): Scope;
}

declare module "fastify" {
  interface FastifyRequest {
    /** Set once the key of the request has been checked. */
    scope: Scope;
  }
}

const scopeHeader = "x-sheaf-scope";
const scopePrefix = "/scope/";
const mostScopes = 1_000;
const scopeName = /^[\w.-]{1,64}$/;

export function createScopes(service: Service): Scopes {
  const scopes = new Map<string, Scope>();

  function create(name: string): Scope {
    if (!scopeName.test(name)) {
      const message = `Invalid scope: ${quote(name)}. A name has 1 to 64 letters, digits and any of '_', '.', '-'.`;
      throw new ServiceError("invalid_value", message, scopeHeader);
    }
    if (scopes.size >= mostScopes) {
      const message = `There are ${formatCount(mostScopes, "scope")}, the most that there may be: ${quote(name)} can't be added.`;
      throw new ServiceError("invalid_value", message, scopeHeader);
    }
    const scope: Scope = {
      name,
      ...limitToScope(service, name),
      faults: service.scopedFaults.of(name),
      realtimeGate: service.createRealtimeGate(),
    };
    scopes.set(name, scope);
    return scope;
  }
  create(defaultScope);

  return {
    open(headers) {
      const name = readScopeName(headers);
      return scopes.get(name) ?? create(name);
    },
  };
}

/** The name that a request gives, which may be wrong. */
function readScopeName({ [scopeHeader]: name }: IncomingHttpHeaders): string {
  return typeof name === "string" ? name : defaultScope;
}

/** The scope of any request, also of one that was refused. */
export function findScopeName(headers: IncomingHttpHeaders): string {
  const name = readScopeName(headers);
  return name === defaultScope || scopeName.test(name) ? name : defaultScope;
}

/**
 * The address of a request without its `/scope/NAME`, which goes to the header: a client that can't set headers gives its
 * scope in the base address.
 */
export function moveScopeToHeader({ url = "/", headers }: IncomingMessage): string {
  if (!url.startsWith(scopePrefix)) return url;
  const end = url.indexOf("/", scopePrefix.length);
  if (end === -1) return url;
  headers[scopeHeader] = url.slice(scopePrefix.length, end);
  return url.slice(end);
}
