import type { IncomingHttpHeaders } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { LoggedRequest } from "#contract";
import type { AnsweringRule, Clock } from "#main/base";
import { parseJson } from "#main/storage";
import { createMask, type Mask } from "./mask.ts";
import { findScopeName, readAskedUrl } from "./scopes.ts";

/** How many requests are kept of each scope, and of all scopes together. */
const capacity = 1_000;
const mostKept = 10_000;
/** The longest body that is kept, in characters. */
export const longestBody = 16_384;

export interface RequestFilter {
  /** Of this scope alone; of all by default. */
  readonly scope?: string | undefined;
  /** What the path begins with. */
  readonly path?: string | undefined;
  readonly method?: string | undefined;
  /** `404`, or `4xx` for all of them. */
  readonly status?: string | undefined;
  readonly request_id?: string | undefined;
}

/** The log's entry of a request that is being answered. */
export interface OpenEntry {
  /** Remembers what the request is about to be answered with. */
  keepAnswer(payload: unknown): void;
  end(state: EndState): void;
}

export type EndState = Exclude<LoggedRequest["state"], "in_progress">;

/** The last requests. */
export interface RequestLog {
  /** Notes a request that has just come. */
  add(request: FastifyRequest, reply: FastifyReply): OpenEntry;
  /** Newest first, with every key masked; null where there is no request `after` which to begin. */
  list(
    filter: RequestFilter,
    page: { limit: number; after?: string | undefined },
  ): { requests: LoggedRequest[]; hasMore: boolean } | null;
  /**
   * Those that ended after the first `count` ever, oldest first, as far as they are kept; with how many there were, and how
   * often they were cleared.
   */
  after(count: number): { requests: RequestLine[]; count: number; clearings: number };
  find(id: string): LoggedRequest | undefined;
  /** Those of a scope, or all. */
  clear(scope?: string): void;
  /** Calls the listener when a request has ended, and when they are cleared. The answer stops it. */
  subscribe(listener: () => void): () => void;
}

/** A request in short: a row of a list. */
export type RequestLine = Pick<
  LoggedRequest,
  "id" | "method" | "path" | "query" | "state" | "status" | "duration_ms" | "bytes_sent" | "answered_at" | "rule"
>;

/** As it came: it is put into words only when someone looks. */
interface Entry {
  readonly scope: string;
  /** Counts requests from 1, as they came, from the start of the log. */
  readonly number: number;
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  /** Counts requests from 1, as they ended; infinite for one that has not. */
  ended: number;
  readOutcome(): Outcome;
}

/** What has become of a request. */
interface Outcome {
  readonly state: LoggedRequest["state"];
  readonly at: number;
  readonly rule: AnsweringRule | null;
  readonly status: number | null;
  readonly duration: number;
  readonly bytesSent: number;
  readonly body: unknown;
  readonly answerHeaders: ReturnType<FastifyReply["getHeaders"]> | null;
  readonly answer: string | null;
}

/** The oldest entry gives way to the newest. */
interface Ring {
  readonly entries: Entry[];
  next: number;
}

/** @param readKeys what must never be shown, besides all that looks like a key */
export function createRequestLog(clock: Clock, readKeys: () => readonly string[]): RequestLog {
  const mask = createMask(readKeys);
  const listeners = new Set<() => void>();
  let arrivals = 0;
  let count = 0;
  let clearings = 0;
  /** By scope, the one whose last request is the oldest first. */
  const rings = new Map<string, Ring>();
  let kept = 0;

  function store(entry: Entry): void {
    const ring = rings.get(entry.scope) ?? { entries: [], next: 0 };
    rings.delete(entry.scope);
    rings.set(entry.scope, ring);
    if (ring.next === ring.entries.length) kept += 1;
    ring.entries[ring.next] = entry;
    ring.next = (ring.next + 1) % capacity;
    const [oldest] = rings.keys();
    if (kept > mostKept && oldest !== undefined) drop(oldest);
  }

  function drop(scope: string): void {
    kept -= rings.get(scope)?.entries.length ?? 0;
    rings.delete(scope);
  }

  function newestFirst(scope?: string): Entry[] {
    const wanted = scope === undefined ? [...rings.values()] : [rings.get(scope) ?? { entries: [] }];
    return wanted.flatMap(({ entries }) => entries).sort((a, b) => b.number - a.number);
  }

  function notify(): void {
    for (const listener of [...listeners]) listener();
  }

  return {
    add(request, reply) {
      const { id, method, headers } = request;
      const url = readAskedUrl(request);
      const { socket } = request.raw;
      const arrivedAt = clock.now();
      const sentBefore = socket.bytesWritten;
      let kept: string | null = null;
      arrivals += 1;
      const mark = url.indexOf("?");
      const entry: Entry = {
        scope: findScopeName(headers),
        number: arrivals,
        id,
        method,
        path: mark === -1 ? url : url.slice(0, mark),
        query: mark === -1 ? "" : url.slice(mark + 1),
        headers,
        ended: Number.POSITIVE_INFINITY,
        readOutcome: () => readOutcome("in_progress", arrivedAt),
      };
      store(entry);

      function readOutcome(state: LoggedRequest["state"], at: number): Outcome {
        const { json, rule, events } = request;
        const hasBegun = reply.raw.headersSent;
        return {
          state,
          at,
          rule,
          status: hasBegun ? reply.raw.statusCode : null,
          duration: reply.elapsedTime,
          bytesSent: socket.bytesWritten - sentBefore,
          // What no parser of ours has read may be anything, such as the connection itself.
          body: json !== null && json.length <= longestBody ? json.value : null,
          answerHeaders: hasBegun ? reply.getHeaders() : null,
          answer: hasBegun ? (kept ?? (events.length <= longestBody ? events || null : null)) : null,
        };
      }

      return {
        keepAnswer(payload) {
          if (typeof payload === "string" && payload.length <= longestBody) kept = payload;
        },
        end(state) {
          const outcome = readOutcome(state, clock.now());
          entry.readOutcome = () => outcome;
          count += 1;
          entry.ended = count;
          notify();
        },
      };
    },
    list(filter, { limit, after }) {
      const found = newestFirst(filter.scope).filter((entry) => matches(entry, filter));
      const start = after === undefined ? 0 : found.findIndex(({ id }) => id === after) + 1;
      if (after !== undefined && start === 0) return null;
      const page = found.slice(start, start + limit);
      return { requests: page.map((entry) => toLogged(entry, mask)), hasMore: start + limit < found.length };
    },
    after(earlier) {
      const fresh = newestFirst()
        .filter(({ ended }) => ended > earlier && ended <= count)
        .sort((a, b) => a.ended - b.ended);
      return { requests: fresh.map((entry) => toLine(entry, mask)), count, clearings };
    },
    find(id) {
      const entry = newestFirst().find((one) => one.id === id);
      return entry && toLogged(entry, mask);
    },
    clear(scope) {
      for (const name of scope === undefined ? [...rings.keys()] : [scope]) drop(name);
      clearings += 1;
      notify();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function matches(entry: Entry, { path, method, status, request_id: id }: RequestFilter): boolean {
  return (
    (path === undefined || entry.path.startsWith(path)) &&
    (method === undefined || entry.method === method.toUpperCase()) &&
    (status === undefined || hasStatus(entry.readOutcome().status, status)) &&
    (id === undefined || entry.id === id)
  );
}

function hasStatus(status: number | null, wanted: string): boolean {
  if (status === null) return false;
  return /xx$/i.test(wanted) ? Math.floor(status / 100) === Number(wanted[0]) : status === Number(wanted);
}

function toLine(entry: Entry, mask: Mask): RequestLine {
  const { state, at, status, duration, bytesSent, rule } = entry.readOutcome();
  return {
    id: entry.id,
    state,
    answered_at: new Date(at).toISOString(),
    method: entry.method,
    path: mask.text(entry.path),
    query: mask.query(entry.query),
    status,
    duration_ms: Math.round(duration * 1_000) / 1_000,
    bytes_sent: bytesSent,
    rule: rule && { ...rule, name: rule.name && mask.text(rule.name) },
  };
}

function toLogged(entry: Entry, mask: Mask): LoggedRequest {
  const { body, answer, answerHeaders } = entry.readOutcome();
  return {
    ...toLine(entry, mask),
    object: "request",
    scope: entry.scope,
    headers: mask.headers(toText(entry.headers)),
    body: mask.json(body ?? null),
    response: {
      headers: mask.headers(toText(answerHeaders ?? {})),
      body: answer === null ? null : mask.json(parseJson(answer) ?? answer),
    },
  };
}

function toText(headers: Readonly<Record<string, string | number | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(", ")]));
}
