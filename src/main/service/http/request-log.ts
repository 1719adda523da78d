import type { IncomingHttpHeaders } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { LoggedRequest } from "#contract";
import type { Clock } from "../ports.ts";

/** How many requests are kept. */
const capacity = 1_000;
/** The longest body that is kept, in bytes. */
const longestBody = 16_384;

interface RequestFilter {
  /** What the path begins with. */
  readonly path?: string | undefined;
  readonly method?: string | undefined;
  /** `404`, or `4xx` for all of them. */
  readonly status?: string | undefined;
  readonly request_id?: string | undefined;
}

/** The last requests. */
export interface RequestLog {
  add(request: FastifyRequest, reply: FastifyReply): void;
  /** Newest first, with every key masked; null where there is no request `after` which to begin. */
  list(
    filter: RequestFilter,
    page: { limit: number; after?: string | undefined },
  ): { requests: LoggedRequest[]; hasMore: boolean } | null;
  clear(): void;
}

/** As it came: it is put into words only when somebody looks. */
interface Entry {
  readonly id: string;
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly status: number;
  readonly duration: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

export function createRequestLog(clock: Clock, mask: Mask): RequestLog {
  /** A ring: the oldest gives way to the newest. */
  const ring: Entry[] = [];
  let next = 0;

  function newestFirst(): Entry[] {
    return [...ring.slice(next), ...ring.slice(0, next)].reverse();
  }

  return {
    add(request, reply) {
      const { id, method, url, headers } = request;
      const mark = url.indexOf("?");
      ring[next] = {
        id,
        at: clock.now(),
        method,
        path: mark === -1 ? url : url.slice(0, mark),
        query: mark === -1 ? "" : url.slice(mark + 1),
        status: reply.statusCode,
        duration: reply.elapsedTime,
        headers,
        body: Number(headers["content-length"] ?? Number.POSITIVE_INFINITY) <= longestBody ? request.body : null,
      };
      next = (next + 1) % capacity;
    },
    list(filter, { limit, after }) {
      const found = newestFirst().filter((entry) => matches(entry, filter));
      const start = after === undefined ? 0 : found.findIndex(({ id }) => id === after) + 1;
      if (after !== undefined && start === 0) return null;
      const page = found.slice(start, start + limit);
      return { requests: page.map((entry) => toLogged(entry, mask)), hasMore: start + limit < found.length };
    },
    clear() {
      ring.length = 0;
      next = 0;
    },
  };
}

function matches(entry: Entry, { path, method, status, request_id: id }: RequestFilter): boolean {
  return (
    (path === undefined || entry.path.startsWith(path)) &&
    (method === undefined || entry.method === method.toUpperCase()) &&
    (status === undefined || hasStatus(entry.status, status)) &&
    (id === undefined || entry.id === id)
  );
}

function hasStatus(status: number, wanted: string): boolean {
  return /xx$/i.test(wanted) ? Math.floor(status / 100) === Number(wanted[0]) : status === Number(wanted);
}

function toLogged(entry: Entry, mask: Mask): LoggedRequest {
  const headers = Object.entries(entry.headers).map(([name, value]) => [name, [value].flat().join(", ")]);
  return {
    id: entry.id,
    object: "request",
    answered_at: new Date(entry.at).toISOString(),
    method: entry.method,
    path: mask.text(entry.path),
    query: mask.text(entry.query),
    status: entry.status,
    duration_ms: Math.round(entry.duration * 1_000) / 1_000,
    headers: mask.headers(Object.fromEntries(headers)),
    body: mask.json(entry.body ?? null),
  };
}

const mask = "***";
const secretHeaders = new Set(["authorization", "proxy-authorization", "cookie", "x-api-key", "api-key"]);
const secretFields = /^(api[-_]?key|(access[-_]?|refresh[-_]?)?token|secret|password|authorization)$/i;
/** What keys of the compatible APIs look like. */
const keyLike = /\b(sk|mcp)-[\w-]{8,}/g;

/** Nothing that is deeper in JSON is shown: a body can be so deep that it can't be written. */
const deepest = 100;

/** Takes keys out of what is shown: those that are known, what looks like one, and what stands in a field for one. */
interface Mask {
  text(text: string): string;
  headers(headers: Readonly<Record<string, string>>): Record<string, string>;
  json(value: unknown): unknown;
}

export function createMask(readKeys: () => readonly string[]): Mask {
  function maskText(text: string): string {
    const known = readKeys().reduce((rest, key) => rest.replaceAll(key, mask), text);
    return known.replace(keyLike, mask);
  }
  function maskJson(value: unknown, name: string, depth: number): unknown {
    if (typeof value === "string") return secretFields.test(name) ? mask : maskText(value);
    if (typeof value !== "object" || value === null) return value;
    if (depth === deepest) return "…";
    if (Array.isArray(value)) return value.map((item) => maskJson(item, name, depth + 1));
    return Object.fromEntries(Object.entries(value).map(([field, item]) => [field, maskJson(item, field, depth + 1)]));
  }

  return {
    text: maskText,
    headers: (headers) =>
      Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, secretHeaders.has(name) ? mask : maskText(value)]),
      ),
    json: (value) => maskJson(value, "", 0),
  };
}
