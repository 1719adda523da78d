import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import type { Logger } from "#service";
import { type App, exportsPath } from "../app/index.ts";
import { createAccess } from "./access.ts";
import { listenLocally } from "./listen.ts";
import { noEntryPage } from "./no-entry-page.ts";
import { answerHtml, answerText, openPage, type PageAnswer } from "./page.ts";
import { isOwnHost, isOwnOrigin, readCookie } from "./request-checks.ts";
import { sendExport } from "./send-export.ts";

export interface WebHostOptions {
  readonly app: Pick<App, "connectSocket" | "takeExport">;
  /** The folder of the built page. */
  readonly rendererFolder: string;
  /** The default port, or the next free one, unless told; 0 is any free one. */
  readonly port?: number;
  readonly logger: Logger;
}

/** The app in a browser on this machine. */
export interface WebHost {
  readonly port: number;
  /** A new address that lets in one browser, once. The address before it works no more. */
  freshAddress(): string;
  /** Stops listening and ends all connections. */
  close(): Promise<void>;
}

const rpcPath = "/rpc";
/** A piece of an upload and what goes with it; the largest recipe. */
const longestMessage = 16 * 1024 * 1024;

/**
 * Serves the page and the RPC to browsers on this machine that were let in.
 *
 * @throws when the page has not been built, or the port that was asked for is taken
 */
export async function startWebHost({
  app,
  rendererFolder,
  port: wantedPort,
  logger,
}: WebHostOptions): Promise<WebHost> {
  const page = await openPage(rendererFolder);
  const access = createAccess();
  const sockets = new WebSocketServer({ noServer: true, maxPayload: longestMessage });
  const server = createServer();
  const port = await listenLocally(server, wantedPort);
  const cookieName = `sheaf-${port}`;

  function isLetIn({ headers }: IncomingMessage): boolean {
    const session = readCookie(headers, cookieName);
    return session !== undefined && access.isKnown(session);
  }

  /** The token leaves the address at once, so that it stays in no history. */
  function enter(token: string): PageAnswer {
    const session = access.enter(token);
    if (session === null) return answerHtml(401, noEntryPage);
    const cookie = `${cookieName}=${session}; Path=/; HttpOnly; SameSite=Strict`;
    const { headers } = answerText(303, "");
    return { status: 303, headers: { ...headers, location: "/", "set-cookie": cookie }, body: "" };
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<PageAnswer | null> {
    const { method, headers } = request;
    if (!isOwnHost(headers, port)) return answerText(403, "This address is not Sheaf's.");
    if (method !== "GET" && method !== "HEAD") {
      const refused = answerText(405, "Sheaf's page can only be read.");
      return { ...refused, headers: { ...refused.headers, allow: "GET, HEAD" } };
    }
    const url = URL.parse(request.url ?? "", `http://${headers.host}`);
    if (url === null) return answerText(400, "This address can't be read.");
    const token = url.pathname === "/" ? url.searchParams.get("token") : null;
    if (token !== null && method === "GET") return enter(token);
    if (!isLetIn(request)) return answerHtml(401, noEntryPage);
    if (!url.pathname.startsWith(exportsPath)) return page.answer(url.pathname, [`ws://${headers.host}`]);
    const file = method === "GET" ? app.takeExport(url.pathname.slice(exportsPath.length)) : null;
    if (file === null) return answerText(404, "This link has been used, or is too old. Export again.");
    await sendExport(response, file);
    return null;
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answered = await answer(request, response);
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

  function refuseUpgrade(socket: Duplex, status: string): void {
    socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
  }

  server.on("upgrade", (request, socket, head) => {
    socket.on("error", () => socket.destroy());
    const { headers } = request;
    if (!isOwnHost(headers, port) || !isOwnOrigin(headers)) return refuseUpgrade(socket, "403 Forbidden");
    if (!isLetIn(request)) return refuseUpgrade(socket, "401 Unauthorized");
    if (request.url !== rpcPath) return refuseUpgrade(socket, "404 Not Found");
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      webSocket.on("error", (error) => logger.warn("socket failed", { error: error.message }));
      app.connectSocket(webSocket);
    });
  });

  return {
    port,
    freshAddress: () => `http://127.0.0.1:${port}/?token=${access.createToken()}`,
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
