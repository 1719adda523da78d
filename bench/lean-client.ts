import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** An answer, as it came. */
export interface Answer {
  readonly status: number;
  readonly body: Buffer;
}

/**
 * A client that costs less than any server it measures, so that it is never the one that is waited for: whole requests
 * as bytes go out on connections that are kept alive, one at a time on each.
 */
export interface LeanClient {
  /** Sends all of them and gives each answer to `check`. Rejects with what that throws. */
  send(requests: readonly Uint8Array[], check: (answer: Answer) => void): Promise<void>;
  close(): void;
}

export async function connectLeanClient(url: string, connections: number): Promise<LeanClient> {
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: connections }, () =>
    connect({ host: hostname, port: Number(port), noDelay: true }),
  );
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  return {
    async send(requests, check) {
      const queue = requests.values();
      await Promise.all(sockets.map((socket) => sendFrom(queue, socket, check)));
    },
    close() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Sends requests on one connection, each after the answer to the one before, until the queue is empty. */
function sendFrom(
  queue: Iterator<Uint8Array, undefined>,
  socket: Socket,
  check: (answer: Answer) => void,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let received: Buffer = Buffer.alloc(0);

  function sendNext(): void {
    const { value } = queue.next();
    if (value === undefined) finish();
    else socket.write(value);
  }

  function finish(): void {
    socket.off("data", onData);
    socket.off("close", onClose);
    resolve();
  }

  function onData(chunk: Buffer): void {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    try {
      const answer = readAnswer(received);
      if (answer === null) return;
      received = Buffer.alloc(0);
      check(answer);
      sendNext();
    } catch (error) {
      reject(error);
    }
  }

  function onClose(): void {
    reject(new Error("The server closed the connection."));
  }

  socket.on("data", onData);
  socket.on("close", onClose);
  sendNext();
  return promise;
}

const headEnd = "\r\n\r\n";
const lastChunk = Buffer.from("\r\n0\r\n\r\n");

/** The one answer in these bytes; null when its end has not come yet. */
function readAnswer(bytes: Buffer): Answer | null {
  const end = bytes.indexOf(headEnd);
  if (end === -1) return null;
  const head = bytes.toString("latin1", 0, end).toLowerCase();
  const status = Number(head.slice(9, 12));
  const rest = bytes.subarray(end + headEnd.length);
  const [, length] = /\r\ncontent-length: (\d+)/.exec(head) ?? [];
  if (length !== undefined) return rest.length >= Number(length) ? { status, body: rest } : null;
  const isWhole = rest.length >= lastChunk.length && rest.subarray(-lastChunk.length).equals(lastChunk);
  return isWhole ? { status, body: joinChunks(rest) } : null;
}

/** The content of a body in the chunked transfer coding. */
function joinChunks(bytes: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf("\r\n", at);
    const size = Number.parseInt(bytes.toString("latin1", at, lineEnd), 16);
    if (!(size > 0)) return Buffer.concat(chunks);
    const start = lineEnd + 2;
    chunks.push(bytes.subarray(start, start + size));
    at = start + size + 2;
  }
}

/** A whole request as bytes. */
export function writeRequest(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string | Buffer = "",
): Buffer {
  const bytes = Buffer.from(body);
  const all = { host: "localhost", ...headers, ...(bytes.length > 0 && { "content-length": String(bytes.length) }) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`), bytes]);
}
