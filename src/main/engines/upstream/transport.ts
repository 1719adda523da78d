import { pipeline, type Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from "node:zlib";
import { findKeyProblem, formatBytes } from "#contract";
import { createOutgoing, type Route } from "#main/base";

/** Names in lower case; of a header that comes more than once, the first. */
export type UpstreamHeaders = Readonly<Record<string, string | undefined>>;

export interface UpstreamAnswer {
  readonly status: number;
  readonly headers: UpstreamHeaders;
  readonly body: AsyncIterable<Uint8Array | string>;
}

/** Sends requests to one server. */
interface Transport {
  /**
   * Sends to a path below the address, which may have a query. Resolves with the head of the answer; rejects when there is
   * none, and with the signal's reason.
   */
  post(path: string, body: string, accept: string, signal: AbortSignal): Promise<UpstreamAnswer>;
  close(): Promise<void>;
}

interface TransportOptions {
  /** Of the server's API, as clients are given it; a path may be in it. */
  readonly url: URL;
  readonly key: string | null;
  /** The header that carries the key: `authorization` with `Bearer` by default. */
  readonly keyHeader?: string;
  /** Headers that the server wants on every request, such as its API's version. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly route?: Route;
  /** Requests at a time. */
  readonly concurrency: number;
}

/** Keeps its connections open between requests. Redirects are not followed: the key is for this server alone. */
export function createTransport({ url, key, keyHeader, headers, route, concurrency }: TransportOptions): Transport {
  const outgoing = createOutgoing({ connections: concurrency, route });

  function locate(path: string): URL {
    const { pathname, searchParams } = new URL(path, url);
    const target = new URL(url);
    target.pathname = `${url.pathname.replace(/\/+$/, "")}${pathname}`;
    for (const [name, value] of searchParams) target.searchParams.set(name, value);
    target.username = "";
    target.password = "";
    return target;
  }

  return {
    async post(path, body, accept, signal) {
      const answer = await outgoing.request(locate(path), {
        method: "POST",
        headers: {
          accept,
          "content-type": "application/json",
          "user-agent": "sheaf",
          ...headers,
          ...writeKey(key, keyHeader),
        },
        body,
        signal,
      });
      const answerHeaders = firstOfEach(answer.headers);
      const answerBody = decompress(answer.body, answerHeaders["content-encoding"]);
      return { status: answer.statusCode, headers: answerHeaders, body: answerBody };
    },
    close: outgoing.close,
  };
}

/** A key that can't be sent. It is refused where it is entered; older ones, and those of variables, are met here. */
export class UnusableKeyError extends Error {
  override readonly name = "UnusableKeyError";
}

/**
 * The header that carries a key.
 * @throws UnusableKeyError where no header can carry it; `noun` is what the message calls it
 */
export function writeKey(key: string | null, header = "authorization", noun = "key"): Record<string, string> {
  const problem = key === null ? null : findKeyProblem(key);
  if (problem !== null) throw new UnusableKeyError(`the ${noun} has ${problem}`);
  return key === null ? {} : { [header]: header === "authorization" ? `Bearer ${key}` : key };
}

function firstOfEach(headers: Readonly<Record<string, string | string[] | undefined>>): UpstreamHeaders {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  );
}

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

/** A body as it was before it was compressed for the way; some servers and proxies compress without being asked to. */
export function decompress(body: Readable, encoding: string | undefined): Readable {
  const createDecoder = decoders[encoding?.trim().toLowerCase() ?? ""];
  // A failure of either is thrown to the reader of the decoder.
  return createDecoder === undefined ? body : pipeline(body, createDecoder(), () => {});
}

/** The most bytes that an answer may have: more than any model writes. */
const mostAnswerBytes = 64_000_000;

/** An answer that is longer than any may be. */
export class AnswerTooLargeError extends Error {
  override readonly name = "AnswerTooLargeError";

  constructor() {
    super(`The answer is longer than ${formatBytes(mostAnswerBytes)}.`);
  }
}

/** The pieces of a body. Rejects when it breaks off, and as soon as it is longer than any answer. */
export async function* limitAnswer(body: AsyncIterable<Uint8Array | string>): AsyncGenerator<Uint8Array, void> {
  let bytes = 0;
  for await (const piece of body) {
    const given = typeof piece === "string" ? Buffer.from(piece) : piece;
    bytes += given.length;
    if (bytes > mostAnswerBytes) throw new AnswerTooLargeError();
    yield given;
  }
}

/** The whole body as text, without a byte-order mark. Rejects when it breaks off, and when it is longer than any answer. */
export async function readText(body: AsyncIterable<Uint8Array | string>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of limitAnswer(body)) text += decoder.decode(piece, { stream: true });
  return text + decoder.decode();
}
