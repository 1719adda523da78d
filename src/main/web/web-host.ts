import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { Duplex } from "node:stream";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { WebSocketServer } from "ws";
import { webEntry } from "#contract";
import { exportsPath, type KeptApp } from "#main/app";
import type { Clock, Logger } from "#main/base";
import { admitSocket, createAccess } from "./access.ts";
import { answerText, openPage, type PageAnswer } from "./page.ts";
import { sendExport } from "./send-export.ts";

export interface WebHostOptions {
  readonly app: Pick<KeptApp, "connectSocket" | "takeExport">;
  /** The folder of the built page. */
  readonly rendererFolder: string;
  /** The default port, or the next free one, by default; 0 is any free one. */
  readonly port?: number;
  readonly clock: Pick<Clock, "now" | "after">;
  readonly logger: Logger;
}

/** The app in a browser on this machine. */
export interface WebHost {
  readonly port: number;
  /** A new address that lets in one browser, once; then, or when there is a newer one, it is spent and works no more. */
  freshAddress(onSpent?: () => void): string;
  /** Stops listening and ends all connections. */
  close(): Promise<void>;
}

/** Where the app is by default, so that a bookmark and the browser's stored settings hold. */
export const defaultPort = 4700;
const portsToTry = 20;

const longestCode = 256;
/** A piece of an upload and what goes with it; the largest request template. */
const longestMessage = 16 * 1024 * 1024;

/**
 * Serves the page to browsers on this machine, and the RPC to those that were let in. The page's files hold no secret, so
 * anybody may read them.
 *
 * @throws when the page has not been built, or the port that was asked for is taken
 */
export async function startWebHost(options: WebHostOptions): Promise<WebHost> {
  const { app, rendererFolder, clock, logger } = options;
  const page = await openPage(rendererFolder);
  const access = createAccess(clock);
  const sockets = new WebSocketServer({ noServer: true, maxPayload: longestMessage });
  const server = createServer();
  const port = await listenLocally(server, options.port);

  async function exchangeCode(request: IncomingMessage): Promise<PageAnswer> {
    if (!isFromOwnPage(request.headers)) return answerText(403, "Only Sheaf's own page may ask for this.");
    const code = await readBody(request, longestCode);
    if (code === null) {
      const { status, headers, body } = answerText(413, "This is no code of Sheaf's.");
      return { status, headers: { ...headers, connection: "close" }, body };
    }
    const token = access.exchange(code);
    if (token === null)
      return answerText(401, "This code was used already, is not complete, or is from an earlier run.");
    return { ...answerText(200, ""), body: token };
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<PageAnswer | null> {
    const { method, headers } = request;
    if (!isOwnHost(headers, port)) return answerText(403, "This address is not Sheaf's.");
    const url = URL.parse(request.url ?? "", `http://${headers.host}`);
    if (url === null) return answerText(400, "This address can't be read.");
    if (method === "POST" && url.pathname === webEntry.exchangePath) return exchangeCode(request);
    if (method !== "GET" && method !== "HEAD") {
      const refused = answerText(405, "Sheaf's page can only be read.");
      return { ...refused, headers: { ...refused.headers, allow: "GET, HEAD" } };
    }
    if (!url.pathname.startsWith(exportsPath)) return page.answer(url.pathname, [`ws://${headers.host}`]);
    // The link is the permission: it was given to a page that was let in, works once, and for a minute.
    const file = method === "GET" ? app.takeExport(url.pathname.slice(exportsPath.length)) : null;
    if (file === null) return answerText(404, "This link has been used, or is too old. Export again.");
    await sendExport(response, file);
    return null;
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answered = await compress(await answer(request, response), request.headers);
    if (answered === null) return;
    response.writeHead(answered.status, { ...answered.headers, "content-length": Buffer.byteLength(answered.body) });
    response.end(request.method === "HEAD" ? undefined : answered.body);
  }

  server.on("request", (request, response) => {
    respond(request, response).catch((error: unknown) => {
      logger.error("page request failed", { path: request.url?.split("?")[0] ?? "", error: String(error) });
      if (!response.headersSent) response.writeHead(500, { "content-type": "text/plain; charset=utf-8" });
      response.end();
    });
  });

  server.on("upgrade", (request, connection, head) => {
    connection.on("error", () => connection.destroy());
    const { headers } = request;
    if (!isOwnHost(headers, port) || !isFromOwnPage(headers)) return refuseUpgrade(connection, "403 Forbidden");
    if (request.url !== webEntry.socketPath) return refuseUpgrade(connection, "404 Not Found");
    sockets.handleUpgrade(request, connection, head, (webSocket) => {
      webSocket.on("error", (error) => logger.warn("socket failed", { error: error.message }));
      admitSocket({ webSocket, connection }, access, clock, () => app.connectSocket(webSocket));
    });
  });

  return {
    port,
    freshAddress: (onSpent) => `http://127.0.0.1:${port}/#${webEntry.codeParameter}=${access.createCode(onSpent)}`,
    async close() {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      for (const client of sockets.clients) client.terminate();
      server.closeAllConnections();
      await closed;
    },
  };
}

const gzipAsync = promisify(gzip);
/** Below that, compressing gains nothing. */
const leastCompressed = 1_024;

/** The answer as gzip where the browser takes it and it helps: pictures and fonts are compressed already. */
async function compress(answered: PageAnswer | null, headers: IncomingHttpHeaders): Promise<PageAnswer | null> {
  if (answered === null || !/\bgzip\b/.test(String(headers["accept-encoding"]))) return answered;
  const isText = /^text\/|\bjson\b|\bsvg\b/.test(answered.headers["content-type"] ?? "");
  if (!isText || answered.body.length < leastCompressed) return answered;
  const encoded = { ...answered.headers, "content-encoding": "gzip", vary: "accept-encoding" };
  return { ...answered, headers: encoded, body: new Uint8Array(await gzipAsync(answered.body)) };
}

function refuseUpgrade(connection: Duplex, status: string): void {
  connection.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}

/**
 * Listens on `port` of this machine only, 0 being any free one. Without a port: on the default one, or the next that is
 * free. Answers with the port.
 *
 * @throws the error of `listen` when the port asked for is taken
 */
async function listenLocally(server: Server, port?: number): Promise<number> {
  if (port !== undefined) return listenOn(server, port);
  for (let next = defaultPort; next < defaultPort + portsToTry; next++) {
    try {
      return await listenOn(server, next);
    } catch (error) {
      const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
      if (!isTaken) throw error;
    }
  }
  return listenOn(server, 0);
}

async function listenOn(server: Server, port: number): Promise<number> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}

/** Names of this machine under which a browser may reach the app. Any other is a page that plays a trick with DNS. */
const ownNames = ["127.0.0.1", "localhost", "[::1]"];

/** True when the request was meant for this app: `Host` names this machine and the app's port. */
function isOwnHost({ host }: IncomingHttpHeaders, port: number): boolean {
  return ownNames.some((name) => host === `${name}:${port}` || (port === 80 && host === name));
}

/**
 * True when the page that asks is the app's own: `Origin` is there and the very address that was asked, and a browser that
 * names how the two are related reports that they are the same.
 */
function isFromOwnPage(headers: IncomingHttpHeaders): boolean {
  const { host, origin, "sec-fetch-site": site = "same-origin" } = headers;
  return host !== undefined && origin === `http://${host}` && site === "same-origin";
}

/** The text of a request's body; null when it is longer than `limit` bytes. */
async function readBody(request: IncomingMessage, limit: number): Promise<string | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    length += chunk.length;
    if (length > limit) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
