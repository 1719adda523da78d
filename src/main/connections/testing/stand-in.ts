import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";

/** One request to a stand-in. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

/** What it answers: JSON, text or bytes, or whatever the function does with the response. */
export type Reply =
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly body: unknown }
  | ((response: ServerResponse) => void);

/** A local server in place of a remote service. */
export interface StandIn {
  readonly url: string;
  readonly received: readonly Received[];
  /** Answers the next requests to a method and path in place of the service, each reply once. */
  inject(method: string, path: RegExp, ...replies: Reply[]): void;
  /** Closes the connections of the calls that are open now. */
  hangUp(): void;
  /** Answers every request with this reply, until the returned function is called. */
  breakDown(reply: Reply): () => void;
  close(): Promise<void>;
}

/** Starts a stand-in: every request that nothing is injected for is the service's. */
export async function startStandIn(service: (request: Received) => Reply | Promise<Reply>): Promise<StandIn> {
  const received: Received[] = [];
  let brokenDown: Reply | null = null;
  const injected: { method: string; path: RegExp; replies: Reply[] }[] = [];

  const server = createServer(async (message, response) => {
    const url = new URL(message.url ?? "/", "http://stand-in");
    const body = await buffer(message).catch(() => null);
    // A client that was killed in the middle.
    if (body === null) return;
    const request: Received = {
      method: message.method ?? "GET",
      path: url.pathname,
      query: url.searchParams,
      headers: message.headers,
      body,
    };
    received.push(request);
    if (brokenDown !== null) {
      send(response, brokenDown);
      return;
    }
    const fault = injected.find(
      ({ method, path, replies }) => method === request.method && path.test(request.path) && replies.length > 0,
    );
    send(response, fault?.replies.shift() ?? (await service(request)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    inject: (method, path, ...replies) => void injected.push({ method, path, replies }),
    hangUp: () => server.closeAllConnections(),
    breakDown(reply) {
      brokenDown = reply;
      return () => {
        brokenDown = null;
      };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Sends a reply. */
export function send(response: ServerResponse, reply: Reply): void {
  if (typeof reply === "function") {
    reply(response);
    return;
  }
  const { status = 200, headers = {}, body } = reply;
  const isText = typeof body === "string" || Buffer.isBuffer(body);
  response.writeHead(status, { ...(isText ? {} : { "content-type": "application/json" }), ...headers });
  response.end(isText ? body : JSON.stringify(body));
}
