import { randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import type { z } from "zod";
import type { Preset } from "#contract";
import { createIdleLimit, createOutgoing, hideSecret, limitWaits, type Machine, type Route } from "#main/base";
import { decompress, readText, readWait, writeKey } from "#main/engines";
import { parseJson, readBytes, streamLines } from "#main/storage";
import { ConnectionError, describeErrorStatus, describeNetworkError, type MissingKey } from "./connection-error.ts";

/** A server and how it is called. */
export interface ServerAddress {
  /** The connection's name, for messages. */
  readonly name: string;
  /** The base address; a path may be in it. */
  readonly url: URL;
  readonly key: string | null;
  /** Why there is no key, where there is none. */
  readonly missingKey?: MissingKey | null;
  readonly keyHeader: Preset["keyHeader"];
  /** Headers that the service requires on every request, such as its API's version. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly route?: Route;
  /** By whose wall clock a moment in an answer is understood, and whose time is waited. */
  readonly machine: Pick<Machine, "wall" | "after">;
  /** Milliseconds without a byte, sent or received, after which a request has failed. */
  readonly timeout: number;
}

interface Call {
  readonly method?: "GET" | "POST" | "PUT" | "DELETE";
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  readonly form?: FileForm;
  /** Sent as it is. */
  readonly body?: AsyncIterable<Uint8Array>;
  /** Called with how many bytes of the form's file or of the body have been sent. */
  readonly onSent?: (bytes: number) => void;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

interface Answer extends Pick<Dispatcher.ResponseData, "statusCode" | "headers"> {
  /** Decompressed. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** A form with a file of this machine, which is read as it is sent. */
interface FileForm {
  readonly path: string;
  readonly filename: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Calls one server. Every failure is a ConnectionError, but for the signal's reason. */
export interface HttpClient {
  /** The JSON of an answer, parsed by the schema: one that does not fit is no answer of this API. */
  json<T>(path: string, schema: z.ZodType<T>, call?: Call): Promise<T>;
  /**
   * The same for a POST that makes something. An answer 303 means that it was made: its place is read if it has this server's
   * origin. Every failure of that read is the redirect's, so that nobody takes it for a refusal.
   */
  create<T>(path: string, schema: z.ZodType<T>, call: Call): Promise<T>;
  /** The same as `json`, and by how many milliseconds the `Date` of the answer is ahead of our clock; null where there is none. */
  dated<T>(path: string, schema: z.ZodType<T>, call: Call): Promise<{ value: T; clockOffset: number | null }>;
  /** One header of an answer. */
  header(path: string, name: string, call: Call): Promise<string>;
  /** The same as `json` at an address that the service named. The key is not sent there. */
  jsonAt<T>(location: string, schema: z.ZodType<T>, call: Call): Promise<T>;
  /** The lines of an answer as they come, whatever is in them; null for one of more than 64 MB. */
  lines(path: string, call?: Call): AsyncGenerator<string | null, void>;
  /**
   * Uploads a file to a service that answers with a redirect to the place of the upload, and with the file's id in a header.
   * The key is not sent there.
   */
  uploadByRedirect(path: string, file: string, idHeader: string, call: Call): Promise<string>;
  close(): Promise<void>;
}

/** A client that reuses its connections. It follows no redirect to another origin: the key is for this server alone. */
export function createHttpClient({
  name,
  url,
  key,
  missingKey,
  keyHeader,
  headers,
  route,
  machine,
  timeout,
}: ServerAddress): HttpClient {
  const outgoing = createOutgoing({ route });

  const ownHeaders = () => ({ "user-agent": "sheaf", ...headers, ...writeKey(key, keyHeader) });

  async function send(path: string, accept: string, call: Call) {
    return await sendTo(new URL(`${url.href.replace(/\/+$/, "")}${path}`), accept, call, ownHeaders());
  }

  async function sendTo(
    target: URL,
    accept: string,
    call: Call,
    headers: Readonly<Record<string, string>>,
  ): Promise<Answer> {
    for (const [parameter, value] of Object.entries(call.query ?? {})) target.searchParams.set(parameter, value);
    const limit = createIdleLimit(timeout, machine);
    let isAnswered = false;
    const onSent = (bytes: number) => {
      if (!isAnswered) limit.begin();
      call.onSent?.(bytes);
    };
    const form = call.form === undefined ? null : await openForm(call.form, onSent);
    limit.begin();
    const answering = outgoing.request(target, {
      method: call.method ?? "GET",
      headers: {
        accept,
        ...headers,
        ...(call.json === undefined ? {} : { "content-type": "application/json" }),
        ...form?.headers,
        ...call.headers,
      },
      body:
        call.json !== undefined
          ? JSON.stringify(call.json)
          : (form?.body ?? (call.body ? count(call.body, onSent) : null)),
      signal: call.signal === undefined ? limit.signal : AbortSignal.any([call.signal, limit.signal]),
    });
    const {
      statusCode,
      headers: answered,
      body,
    } = await answering.finally(() => {
      isAnswered = true;
      limit.end();
    });
    const readable = decompress(body, [answered["content-encoding"]].flat()[0]);
    return { statusCode, headers: answered, body: limitWaits(readable, limit) };
  }

  async function ask(path: string, accept: string, call: Call): Promise<Answer["body"]> {
    return await requireSuccess(await send(path, accept, call));
  }

  async function requireSuccess({ statusCode, headers, body }: Answer): Promise<Answer["body"]> {
    if (statusCode >= 200 && statusCode < 300) return body;
    const location = [headers.location].flat()[0];
    if (statusCode >= 300 && statusCode < 400 && location !== undefined) {
      await readText(body);
      throw redirected(location, statusCode);
    }
    const text = await readText(body);
    const retryAfter = readWait(statusCode, headers, text, machine.wall());
    throw describeErrorStatus(statusCode, hideKey(text), name, retryAfter, missingKey);
  }

  const redirected = (location: string, status: number) =>
    new ConnectionError("not_the_api", name, { reason: `it redirects to ${describeTarget(location, url)}`, status });

  /** What a redirect after a POST leads to. */
  async function readMade<T>(location: string, schema: z.ZodType<T>, { signal }: Call): Promise<T> {
    const target = URL.parse(location, url);
    if (target?.origin !== url.origin) throw redirected(location, 303);
    try {
      const call = signal === undefined ? {} : { signal };
      const answer = await sendTo(target, "application/json", call, ownHeaders());
      return await readJson(await requireSuccess(answer), schema);
    } catch {
      signal?.throwIfAborted();
      throw redirected(location, 303);
    }
  }

  /** Services repeat keys that they refuse. */
  const hideKey = (body: string) => hideSecret(body, key);

  async function orConnectionError<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      signal?.throwIfAborted();
      throw error instanceof ConnectionError ? error : describeNetworkError(error, name);
    }
  }

  async function readJson<T>(answer: Answer["body"], schema: z.ZodType<T>): Promise<T> {
    const body = await readText(answer);
    const { data, error } = schema.safeParse(parseJson(body));
    if (error === undefined) return data;
    throw new ConnectionError("not_the_api", name, { details: hideKey(body.slice(0, 4_000)) });
  }

  return {
    json: (path, schema, call = {}) =>
      orConnectionError(call.signal, async () => await readJson(await ask(path, "application/json", call), schema)),
    create: (path, schema, call) =>
      orConnectionError(call.signal, async () => {
        const answer = await send(path, "application/json", { ...call, method: "POST" });
        const location = [answer.headers.location].flat()[0];
        if (answer.statusCode !== 303 || location === undefined)
          return await readJson(await requireSuccess(answer), schema);
        await readText(answer.body);
        return await readMade(location, schema, call);
      }),
    dated: (path, schema, call) =>
      orConnectionError(call.signal, async () => {
        const answer = await send(path, "application/json", call);
        const offset = Date.parse([answer.headers.date].flat()[0] ?? "") - machine.wall();
        const value = await readJson(await requireSuccess(answer), schema);
        return { value, clockOffset: Number.isFinite(offset) ? offset : null };
      }),
    jsonAt: (location, schema, call) =>
      orConnectionError(call.signal, async () => {
        const answer = await sendTo(new URL(location), "application/json", call, {});
        return await readJson(await requireSuccess(answer), schema);
      }),
    header: (path, header, call) =>
      orConnectionError(call.signal, async () => {
        const answer = await send(path, "*/*", call);
        const value = [answer.headers[header]].flat()[0];
        await readText(await requireSuccess(answer));
        if (value === undefined) throw new ConnectionError("not_the_api", name);
        return value;
      }),
    uploadByRedirect: (path, file, idHeader, call) =>
      orConnectionError(call.signal, async () => {
        const answer = await send(path, "*/*", { ...call, method: "POST" });
        const location = [answer.headers.location].flat()[0];
        const id = [answer.headers[idHeader]].flat()[0];
        if (answer.statusCode !== 302 || location === undefined || !id) {
          await readText(await requireSuccess(answer));
          throw new ConnectionError("not_the_api", name);
        }
        await readText(answer.body);
        const { size } = await stat(file);
        const headers = { "content-type": "application/octet-stream", "content-length": String(size) };
        const body = readBytes(file);
        const put = await sendTo(
          new URL(location, url),
          "*/*",
          { ...call, query: {}, method: "PUT", body, headers },
          {},
        );
        await readText(await requireSuccess(put));
        return id;
      }),
    async *lines(path, call = {}) {
      const body = await orConnectionError(call.signal, () => ask(path, "*/*", call));
      const lines = streamLines(body);
      for (;;) {
        const next = await orConnectionError(call.signal, () => lines.next());
        if (next.done) return;
        yield next.value;
      }
    },
    close: outgoing.close,
  };
}

/** The target of a redirect without its query, which may contain secrets. */
function describeTarget(location: string, base: URL): string {
  const target = URL.parse(location, base);
  return target === null ? "another address" : `${target.origin}${target.pathname}`;
}

/** The body is written here and not by a FormData, which reports no progress. */
async function openForm({ path, filename, fields }: FileForm, onSent: (bytes: number) => void) {
  const boundary = `sheaf-${randomUUID()}`;
  const begin = (disposition: string) => `--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n`;
  const quotable = (text: string) => encodeURIComponent(text).replaceAll("%20", " ");
  const head = [
    ...Object.entries(fields).map(([field, value]) => `${begin(`name="${field}"`)}\r\n${value}\r\n`),
    `${begin(`name="file"; filename="${quotable(filename)}"`)}content-type: application/jsonl\r\n\r\n`,
  ].join("");
  const tail = `\r\n--${boundary}--\r\n`;
  const { size } = await stat(path);
  async function* write() {
    yield Buffer.from(head);
    yield* count(readBytes(path), onSent);
    yield Buffer.from(tail);
  }
  return {
    body: Readable.from(write()),
    headers: {
      "content-type": `multipart/form-data; boundary=${boundary}`,
      "content-length": String(Buffer.byteLength(head) + size + Buffer.byteLength(tail)),
    },
  };
}

/** The same bytes, counted as they are read. */
function count(body: AsyncIterable<Uint8Array>, onSent: (bytes: number) => void): Readable {
  async function* pass() {
    let bytes = 0;
    for await (const piece of body) {
      yield piece;
      bytes += piece.length;
      onSent(bytes);
    }
  }
  return Readable.from(pass());
}
