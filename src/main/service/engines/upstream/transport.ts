import type { Readable } from "node:stream";
import { createParser } from "eventsource-parser";

/** Names in lower case; of a header that comes more than once, the first. */
export type UpstreamHeaders = Readonly<Record<string, string | undefined>>;

export interface UpstreamAnswer {
  readonly status: number;
  readonly headers: UpstreamHeaders;
  readonly body: Readable;
}

/** Sends requests to one server. */
interface Transport {
  /** Resolves with the head of the answer. Rejects when there is none, and with the signal's reason. */
  post(body: string, accept: string, signal: AbortSignal): Promise<UpstreamAnswer>;
  close(): Promise<void>;
}

interface TransportOptions {
  /** Of the server's API, as clients are given it; a path may be in it. */
  readonly url: URL;
  readonly key: string | null;
  /** Requests at a time. */
  readonly concurrency: number;
  /** Milliseconds without a byte after which a request has failed. */
  readonly timeout: number;
}

/** Proxies of the environment hold for other machines only. */
const thisMachine = "localhost,127.0.0.1,::1,[::1]";

/** Keeps its connections open between requests. Redirects are not followed: the key is for this server alone. */
export function createTransport({ url, key, concurrency, timeout }: TransportOptions): Transport {
  const opening = openClient(concurrency, timeout);
  const target = new URL(url);
  target.pathname = `${url.pathname.replace(/\/+$/, "")}/chat/completions`;
  target.username = "";
  target.password = "";

  return {
    async post(body, accept, signal) {
      const { request, dispatcher } = await opening;
      const answer = await request(target, {
        method: "POST",
        headers: {
          accept,
          "content-type": "application/json",
          "user-agent": "sheaf",
          ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        },
        body,
        signal,
        dispatcher,
      });
      return { status: answer.statusCode, headers: firstOfEach(answer.headers), body: answer.body };
    },
    close: async () => (await opening).dispatcher.destroy(),
  };
}

/** Loaded here: a service without an upstream starts without it. */
async function openClient(connections: number, timeout: number) {
  const { EnvHttpProxyAgent, request } = await import("undici");
  const { NO_PROXY, no_proxy = NO_PROXY } = process.env;
  const dispatcher = new EnvHttpProxyAgent({
    connections,
    headersTimeout: timeout,
    bodyTimeout: timeout,
    noProxy: no_proxy ? `${no_proxy},${thisMachine}` : thisMachine,
  });
  return { request, dispatcher };
}

function firstOfEach(headers: Readonly<Record<string, string | string[] | undefined>>): UpstreamHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat()[0]]));
}

/** More than any chat completion has, in bytes. */
const mostBytes = 64 * 1024 * 1024;

/** The whole body as text. Rejects when it breaks off, and when it is longer than any answer. */
export async function readText(body: Readable): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of body) {
    const buffer = Buffer.from(piece);
    bytes += buffer.length;
    if (bytes > mostBytes) throw new Error(`The answer is longer than ${mostBytes} bytes.`);
    pieces.push(buffer);
  }
  return Buffer.concat(pieces).toString("utf8");
}

/** The data of each server-sent event. */
export async function* readEvents(body: Readable): AsyncGenerator<string, void> {
  const events: string[] = [];
  const decoder = new TextDecoder();
  const parser = createParser({ onEvent: ({ data }) => void events.push(data) });
  for await (const piece of body) {
    parser.feed(decoder.decode(Buffer.from(piece), { stream: true }));
    yield* events.splice(0);
  }
}
