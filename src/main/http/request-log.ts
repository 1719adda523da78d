import type { IncomingHttpHeaders } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type LoggedRequest, mockServerDefaults } from "#contract";
import type { AnsweringRule, Clock, EngineCall } from "#main/base";
import { parseJson } from "#main/storage";
import { createEntryStore } from "./entry-store.ts";
import { readLoggedCall } from "./logged-call.ts";
import { createMask, type Mask } from "./mask.ts";
import { findScopeName, readAskedUrl } from "./scopes.ts";

/** Of all scopes together: of the most scopes that there may be, the last 20 requests of each. */
const mostEntries = 20_000;
/** Of all entries without their bodies: three kilobytes for each. */
const mostOwnBytes = 60_000_000;
/** Of a body that is kept, in bytes. */
export const longestBody = 1_000_000;
/** Of the bodies on a page, in bytes: the server has more to do than to write one. */
const pageBytes = 4_000_000;

export interface RequestFilter {
  /** Of this scope alone; of all by default. */
  readonly scope?: string | undefined;
  /** What the path begins with. */
  readonly path?: string | undefined;
  readonly method?: string | undefined;
  /** `404`, or `4xx` for all of them. */
  readonly status?: string | undefined;
  readonly request_id?: string | undefined;
  /** Asked about the requests in the order in which they came, as rules see them. */
  readonly meets?: ((call: EngineCall) => boolean) | undefined;
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
  /**
   * Newest first, with every key masked; null where there is no request `after` which to begin. A page has fewer than `limit`
   * where its bodies are large. `unread` counts requests that no condition can find, since their body was dropped.
   */
  list(
    filter: RequestFilter,
    page: { limit: number; after?: string | undefined },
  ): { requests: LoggedRequest[]; hasMore: boolean; unread: number } | null;
  /**
   * The last `most` of those that ended after the first `count` ever, oldest first; with how many there were, and how often
   * they were cleared.
   */
  after(count: number, most: number): { requests: RequestLine[]; count: number; clearings: number };
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
  readonly number: number;
  readonly ownBytes: number;
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /** The path of the route that it came to. */
  readonly endpoint: string;
  readonly headers: IncomingHttpHeaders;
  /** Counts requests from 1, as they ended; infinite for one that has not. */
  ended: number;
  /** What is known of it before it ends; then nothing, so that its connection and its body can go. */
  open: OpenRequest | null;
  outcome: Outcome | null;
  dropBodies(): void;
}

interface OpenRequest {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly arrivedAt: number;
  readonly sentBefore: number;
  answer: Body;
}

/** What has become of a request. */
interface Outcome {
  readonly state: LoggedRequest["state"];
  readonly at: number;
  readonly rule: AnsweringRule | null;
  readonly status: number | null;
  readonly duration: number;
  readonly bytesSent: number;
  readonly answerHeaders: ReturnType<FastifyReply["getHeaders"]> | null;
  body: Body;
  answer: Body;
}

/** A body as text. */
interface Body {
  readonly text: string | null;
  readonly bytes: number;
  readonly isDropped: boolean;
}

const noBody: Body = { text: null, bytes: 0, isDropped: false };
const droppedBody: Body = { ...noBody, isDropped: true };

function toBody(text: string | null): Body {
  if (text === null || text === "") return noBody;
  const bytes = text.length > longestBody ? Number.POSITIVE_INFINITY : Buffer.byteLength(text);
  return bytes > longestBody ? droppedBody : { text, bytes, isDropped: false };
}

/**
 * @param readKeys what must never be shown, besides all that looks like a key
 * @param bodyBytes how many bytes of bodies are kept
 */
export function createRequestLog(
  clock: Clock,
  readKeys: () => readonly string[],
  bodyBytes = mockServerDefaults.logBodyBytes,
): RequestLog {
  const mask = createMask(readKeys);
  const listeners = new Set<() => void>();
  const store = createEntryStore<Entry>({ entries: mostEntries, ownBytes: mostOwnBytes, bodyBytes });
  let arrivals = 0;
  let count = 0;
  let clearings = 0;

  const newestFirst = (scope?: string) => store.list(scope).sort((a, b) => b.number - a.number);

  function notify(): void {
    for (const listener of [...listeners]) listener();
  }

  function end(entry: Entry, state: EndState): void {
    if (entry.open === null) return;
    const outcome = readOpen(entry.open, state, clock.now());
    entry.outcome = outcome;
    entry.open = null;
    count += 1;
    entry.ended = count;
    store.countBodies(entry, outcome.body.bytes + outcome.answer.bytes);
    notify();
  }

  return {
    add(request, reply) {
      arrivals += 1;
      const entry = createEntry(request, arrivals);
      const { bytesWritten } = request.raw.socket;
      entry.open = { request, reply, arrivedAt: clock.now(), sentBefore: bytesWritten, answer: noBody };
      store.add(entry);
      return {
        keepAnswer(payload) {
          if (entry.open !== null && typeof payload === "string") entry.open.answer = toBody(payload);
        },
        end: (state) => end(entry, state),
      };
    },
    list(filter, { limit, after }) {
      const matching = newestFirst(filter.scope).filter((entry) => matches(entry, filter));
      const unread = matching.filter((entry) => readOutcome(entry).body.isDropped).length;
      const found = selectCalls(matching, filter);
      const start = after === undefined ? 0 : found.findIndex(({ id }) => id === after) + 1;
      if (after !== undefined && start === 0) return null;
      const requests: LoggedRequest[] = [];
      let bytes = 0;
      for (const entry of found.slice(start, start + limit)) {
        const { body, answer } = readOutcome(entry);
        bytes += body.bytes + answer.bytes;
        if (bytes > pageBytes && requests.length > 0) break;
        requests.push(toLogged(entry, mask));
      }
      return { requests, hasMore: start + requests.length < found.length, unread };
    },
    after(earlier, most) {
      const fresh = store
        .list()
        .filter(({ ended }) => ended > earlier && ended <= count)
        .sort((a, b) => a.ended - b.ended);
      return { requests: fresh.slice(-most).map((entry) => toLine(entry, mask)), count, clearings };
    },
    find(id) {
      const entry = store.find(id);
      return entry && toLogged(entry, mask);
    },
    clear(scope) {
      store.clear(scope);
      clearings += 1;
      notify();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Apart from the log, so that an entry that is kept refers to nothing else of its request. */
function createEntry(request: FastifyRequest, number: number): Entry {
  const { id, method, headers } = request;
  const url = readAskedUrl(request);
  const mark = url.indexOf("?");
  return {
    scope: findScopeName(headers),
    ownBytes: url.length + request.raw.rawHeaders.reduce((sum, text) => sum + text.length, 0),
    number,
    id,
    method,
    path: mark === -1 ? url : url.slice(0, mark),
    query: mark === -1 ? "" : url.slice(mark + 1),
    endpoint: request.url.split("?", 1)[0] ?? "",
    headers,
    ended: Number.POSITIVE_INFINITY,
    open: null,
    outcome: null,
    dropBodies() {
      if (this.outcome === null) return;
      const { body, answer } = this.outcome;
      if (body.text !== null) this.outcome.body = droppedBody;
      if (answer.text !== null) this.outcome.answer = droppedBody;
    },
  };
}

function readOpen(
  { request, reply, sentBefore, answer }: OpenRequest,
  state: LoggedRequest["state"],
  at: number,
): Outcome {
  const { json, rule, events, raw } = request;
  const hasBegun = reply.raw.headersSent;
  return {
    state,
    at,
    rule,
    status: hasBegun ? reply.raw.statusCode : null,
    duration: reply.elapsedTime,
    bytesSent: raw.socket.bytesWritten - sentBefore,
    // What no parser of ours has read may be anything, such as the connection itself.
    body: toBody(json),
    answerHeaders: hasBegun ? reply.getHeaders() : null,
    answer: hasBegun ? (answer === noBody ? toBody(events) : answer) : noBody,
  };
}

function readOutcome({ open, outcome }: Entry): Outcome {
  if (outcome !== null) return outcome;
  if (open === null) throw new Error("An entry is open or has ended.");
  return readOpen(open, "in_progress", open.arrivedAt);
}

/** Of entries that stand newest first. Filters of calls count them as they came. */
function selectCalls(entries: readonly Entry[], { meets }: RequestFilter): readonly Entry[] {
  if (meets === undefined) return entries;
  return entries
    .filter((entry) => !readOutcome(entry).body.isDropped)
    .reverse()
    .filter((entry) => meets(toCall(entry)))
    .reverse();
}

function toCall(entry: Entry): EngineCall {
  const { id, endpoint, headers } = entry;
  const { text } = readOutcome(entry).body;
  return readLoggedCall({ id, endpoint, headers, body: text === null ? null : parseJson(text) });
}

function matches(entry: Entry, { path, method, status, request_id: id }: RequestFilter): boolean {
  return (
    (path === undefined || entry.path.startsWith(path)) &&
    (method === undefined || entry.method === method.toUpperCase()) &&
    (status === undefined || hasStatus(readOutcome(entry).status, status)) &&
    (id === undefined || entry.id === id)
  );
}

function hasStatus(status: number | null, wanted: string): boolean {
  if (status === null) return false;
  return /xx$/i.test(wanted) ? Math.floor(status / 100) === Number(wanted[0]) : status === Number(wanted);
}

function toLine(entry: Entry, mask: Mask): RequestLine {
  const { state, at, status, duration, bytesSent, rule } = readOutcome(entry);
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
  const { body, answer, answerHeaders } = readOutcome(entry);
  const showBody = ({ text }: Body) => (text === null ? null : mask.json(parseJson(text) ?? text));
  return {
    ...toLine(entry, mask),
    object: "request",
    scope: entry.scope,
    headers: mask.headers(toText(entry.headers)),
    body: showBody(body),
    body_dropped: body.isDropped || answer.isDropped,
    response: { headers: mask.headers(toText(answerHeaders ?? {})), body: showBody(answer) },
  };
}

function toText(headers: Readonly<Record<string, string | number | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(", ")]));
}
