import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { FastifyRequest } from "fastify";
import { formatCount, type RequestedOutcome } from "#contract";
import { type AnsweringRule, createQueue, defaultScope, quote, ServiceError, type Vendor, vendors } from "#main/base";
import type { Owner } from "#main/batches";
import type { Faults, RealtimeGate } from "#main/engines";
import type { Service } from "#main/service";
import type { BatchRecord, FileRecord } from "#main/storage";
import { type Creations, createCreations } from "./creations.ts";
import { createThreads, type Threads } from "./threads.ts";
import { vendorOf } from "./vendor.ts";

/** What requests of one scope see and change. The clock, the tier, the engine and MCP are those of all scopes. */
export interface Scope {
  readonly name: string;
  /** Whose files and batches a request is about: those of its vendor's clients in this scope. */
  readonly owner: Owner;
  readonly faults: Faults;
  /** Null where direct calls are not limited. */
  readonly realtimeGate: RealtimeGate | null;
  readonly creations: Creations;
  readonly threads: Threads;
}

/** Scopes keep apart what tests that run side by side do with one server. */
export interface Scopes {
  /** The scope that a request names, made when it is first named. Throws a ServiceError for a wrong name, and for one too many. */
  open(request: Pick<FastifyRequest, "url" | "headers">): Scope;
  /** The names of all that there are. */
  list(): string[];
  /**
   * Has them as they were when they were first named: their batches are stopped, and removed with all their files. Fails
   * with a 409 ServiceError, and changes nothing, where the service keeps such data beyond its end.
   */
  reset(names: readonly string[]): Promise<void>;
}

type ScopeByVendor = Readonly<Record<Vendor, Scope>>;

declare module "fastify" {
  interface FastifyContextConfig {
    /** Set for a route that creates a batch, which `x-sheaf-outcome` may be about. */
    createsBatch?: true;
  }
  interface FastifyRequest {
    /** Set once the key of the request has been checked. */
    scope: Scope;
    /** The rule that answered it; null for the engine's own answer. */
    rule: AnsweringRule | null;
    /** How the batch that it creates is to end; null for as it comes. */
    outcome: RequestedOutcome | null;
    /** What it was sent as server-sent events so far, a little beyond what the log shows. */
    events: string;
  }
}

const scopeHeader = "x-sheaf-scope";
const scopePrefix = "/scope/";
const mostScopes = 1_000;
const scopeName = /^[\w.-]{1,64}$/;

/** @param clearRequests clears the log of a scope's requests */
export function createScopes(service: Service, clearRequests: (scope: string) => void): Scopes {
  const threads = createThreads();
  const scopes = new Map([[defaultScope, create(defaultScope)]]);
  /** Two resets at once must not remove the same. */
  const inTurn = createQueue();

  function create(name: string): ScopeByVendor {
    const shared = {
      name,
      faults: service.scopedFaults.of(name),
      realtimeGate: service.createRealtimeGate(),
      creations: createCreations(service.clock),
      threads: threads.of(name),
    };
    const ownedBy = (vendor: Vendor): Scope => ({ ...shared, owner: { scope: name, vendor } });
    return Object.fromEntries(vendors.map((vendor) => [vendor, ownedBy(vendor)])) as Record<Vendor, Scope>;
  }

  function add(name: string): ScopeByVendor {
    if (!scopeName.test(name)) {
      const message = `Invalid scope: ${quote(name)}. A name has 1 to 64 letters, digits and any of '_', '.', '-'.`;
      throw new ServiceError("invalid_value", message, scopeHeader);
    }
    if (scopes.size >= mostScopes) {
      const message = `There are ${formatCount(mostScopes, "scope")}, the most that there may be. POST /sheaf/reset removes one that is no longer needed.`;
      throw new ServiceError("invalid_value", message, scopeHeader);
    }
    const scope = create(name);
    scopes.set(name, scope);
    return scope;
  }

  /** Of all vendors. */
  function listData(name: string): { batches: readonly BatchRecord[]; files: readonly FileRecord[] } {
    const isOwn = ({ connection, scope }: BatchRecord | FileRecord) => connection === null && scope === name;
    const { batches } = service.batches.list({ limit: Number.POSITIVE_INFINITY, trials: true });
    const deleted = service.batches.listDeleted().flatMap(({ batch, retries }) => [...retries, batch]);
    return { batches: [...batches, ...deleted].filter(isOwn), files: service.files.list().filter(isOwn) };
  }

  function requireEphemeral(name: string): void {
    if (service.isEphemeral) return;
    const { batches, files } = listData(name);
    if (batches.length + files.length === 0) return;
    const message = `The scope ${quote(name)} has files or batches, and this server keeps them. Start it with --ephemeral to reset them.`;
    throw new ServiceError("data_is_kept", message);
  }

  async function empty(name: string): Promise<void> {
    for (const { id } of listData(name).batches) await service.batches.discard(id);
    for (const { id } of listData(name).files) await service.files.remove(id);
    service.scopedFaults.reset(name);
    service.rules.reset(name);
    service.responses.clear(name);
    threads.clear(name);
    clearRequests(name);
    scopes.delete(name);
    if (name === defaultScope) scopes.set(name, create(name));
  }

  return {
    open(request) {
      const name = readScopeName(request.headers);
      return (scopes.get(name) ?? add(name))[vendorOf(request)];
    },
    list: () => [...scopes.keys()].sort(),
    reset: (names) =>
      inTurn(async () => {
        for (const name of names) requireEphemeral(name);
        for (const name of names) await empty(name);
      }),
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

/** Where `/scope/NAME` ends in an address: 0 without it, -1 where nothing follows it. */
function findScopeEnd(url: string): number {
  return url.startsWith(scopePrefix) ? url.indexOf("/", scopePrefix.length) : 0;
}

/** The address under which the client of a request reaches the server, with its scope where that is part of it. */
export function readBaseAddress({ headers, originalUrl, socket }: FastifyRequest): string {
  const end = Math.max(0, findScopeEnd(originalUrl));
  return `http://${headers.host ?? `localhost:${socket.localPort}`}${originalUrl.slice(0, end)}`;
}

/** The path that a client asked for, with its query, before any of it was moved; without `/scope/NAME`. */
export function readAskedUrl({ originalUrl }: Pick<FastifyRequest, "originalUrl">): string {
  const end = findScopeEnd(originalUrl);
  return end === -1 ? originalUrl : originalUrl.slice(end);
}

/**
 * The address of a request without its `/scope/NAME`, which goes to the header: a client that can't set headers gives its
 * scope in the base address.
 */
export function moveScopeToHeader({ url = "/", headers }: IncomingMessage): string {
  const end = findScopeEnd(url);
  if (end <= 0) return url;
  headers[scopeHeader] = url.slice(scopePrefix.length, end);
  return url.slice(end);
}
