import { once } from "node:events";
import { createServer } from "node:http";
import { createORPCClient } from "@orpc/client";
import type { RouterClient } from "@orpc/server";
import { os } from "@orpc/server";
import { RPCHandler } from "@orpc/server/ws";
import { afterEach, expect, test, vi } from "vitest";
import { WebSocketServer } from "ws";
import type { ConnectionStatus, Transport } from "./connection.ts";
import { isRefused } from "./is-refused.ts";
import { createSocketTransport } from "./socket-transport.ts";

let answered = 0;
const router = {
  count: os.handler(() => {
    answered += 1;
    return answered;
  }),
  never: os.handler(() => new Promise<string>(() => {})),
};

const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

async function startServer(port = 0): Promise<{ port: number; server: WebSocketServer }> {
  const server = new WebSocketServer({ host: "127.0.0.1", port });
  const handler = new RPCHandler(router);
  server.on("connection", (socket) => void handler.upgrade(socket));
  await new Promise((resolve) => server.once("listening", resolve));
  cleanUps.push(() => stopServer(server));
  const address = server.address();
  return { port: typeof address === "object" && address ? address.port : 0, server };
}

function stopServer(server: WebSocketServer): void {
  for (const client of server.clients) client.terminate();
  server.close();
}

/** A service that does not know the page. */
async function startStranger(port = 0): Promise<{ port: number; stop: () => Promise<void> }> {
  const server = createServer((_request, response) => response.writeHead(401).end());
  server.on("upgrade", (_request, socket) => socket.end("HTTP/1.1 401 Unauthorized\r\n\r\n"));
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  cleanUps.push(() => void stop());
  const address = server.address();
  return { port: typeof address === "object" && address ? address.port : 0, stop };
}

function connectTo(port: number, wait = 5): { transport: Transport; client: RouterClient<typeof router> } {
  const open = new Set<WebSocket>();
  let over = false;
  const transport = createSocketTransport({
    connect: () => {
      const socket = new WebSocket(over ? "ws://127.0.0.1:1" : `ws://127.0.0.1:${port}`);
      open.add(socket);
      return socket;
    },
    isRefused: () => isRefused(new URL(over ? "http://127.0.0.1:1" : `http://127.0.0.1:${port}`)),
    waitBefore: () => (over ? 2 ** 30 : wait),
  });
  cleanUps.push(() => {
    over = true;
    for (const socket of open) socket.close();
  });
  return { transport, client: createORPCClient(transport.link) };
}

async function until(transport: Transport, wanted: ConnectionStatus): Promise<void> {
  await vi.waitFor(() => expect(transport.connection.getState().status).toBe(wanted), { interval: 2, timeout: 5_000 });
}

test("a call that is made before the socket is open is answered", async () => {
  const { port } = await startServer();
  const { client, transport } = connectTo(port);
  expect(transport.connection.getState().status).toBe("connecting");
  expect(await client.count()).toBeGreaterThan(0);
  expect(transport.connection.getState()).toEqual({ status: "open", openings: 1 });
});

test("what was under way when the connection broke fails, and what comes after goes over the new one", async () => {
  const { port, server } = await startServer();
  const { client, transport } = connectTo(port);
  await until(transport, "open");
  const underWay = client.never();
  const failed = expect(underWay).rejects.toThrow();
  for (const socket of server.clients) socket.terminate();
  await failed;
  expect(await client.count()).toBeGreaterThan(0);
  expect(transport.connection.getState()).toEqual({ status: "open", openings: 2 });
});

test("a call waits while the service is away", async () => {
  const { port, server } = await startServer();
  const { client, transport } = connectTo(port);
  await until(transport, "open");
  stopServer(server);
  await until(transport, "reconnecting");
  const waiting = client.count();
  await startServer(port);
  expect(await waiting).toBeGreaterThan(0);
});

test("a service that stays away is given up for lost, and taken up again when it is back", async () => {
  const { port, server } = await startServer();
  const { transport } = connectTo(port);
  await until(transport, "open");
  stopServer(server);
  await until(transport, "lost");
  await startServer(port);
  await until(transport, "open");
});

test("a service that does not know the page is told at the first attempt", async () => {
  const { port } = await startStranger();
  const { transport } = connectTo(port, 2 ** 30);
  const seen: ConnectionStatus[] = [];
  transport.connection.subscribe(({ status }) => seen.push(status));
  await until(transport, "refused");
  expect(seen).toEqual(["reconnecting", "refused"]);
});

test("a service that was started again and refuses the page is taken up again when it lets it in", async () => {
  const { port, server } = await startServer();
  const { transport } = connectTo(port);
  await until(transport, "open");
  stopServer(server);
  await until(transport, "reconnecting");
  const stranger = await startStranger(port);
  await until(transport, "refused");
  await stranger.stop();
  await startServer(port);
  await until(transport, "open");
});
