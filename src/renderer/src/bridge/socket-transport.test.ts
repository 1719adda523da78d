import { createORPCClient } from "@orpc/client";
import { os, type RouterClient } from "@orpc/server";
import { RPCHandler } from "@orpc/server/ws";
import { afterEach, expect, test } from "vitest";
import { WebSocketServer } from "ws";
import { webEntry } from "#contract";
import type { ConnectionStatus, Transport } from "./connection.ts";
import { createSocketTransport, waitBeforeAttempt } from "./socket-transport.ts";

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

/** A host that accepts `token`. */
async function startServer(port = 0, token = "token"): Promise<{ port: number; server: WebSocketServer }> {
  const server = new WebSocketServer({ host: "127.0.0.1", port });
  const handler = new RPCHandler(router);
  server.on("connection", (socket) => {
    socket.once("message", (data) => {
      if (String(data) !== token) return socket.close(webEntry.refusedCode);
      socket.send(webEntry.admitted);
      void handler.upgrade(socket);
    });
  });
  await new Promise((resolve) => server.once("listening", resolve));
  cleanUps.push(() => stopServer(server));
  const address = server.address();
  return { port: typeof address === "object" && address ? address.port : 0, server };
}

function stopServer(server: WebSocketServer): void {
  for (const client of server.clients) client.terminate();
  server.close();
}

interface TestPage {
  readonly transport: Transport;
  readonly client: RouterClient<typeof router>;
  /** What its browser has stored. */
  readonly stored: { token: string | null };
  /** Makes it try at once. */
  readonly wake: () => void;
}

function connectTo(
  port: number,
  { wait = 5, token = "token" }: { wait?: number; token?: string | null } = {},
): TestPage {
  const open = new Set<WebSocket>();
  const stored = { token };
  let wake = () => {};
  let over = false;
  const transport = createSocketTransport({
    connect: () => {
      const socket = new WebSocket(over ? "ws://127.0.0.1:1" : `ws://127.0.0.1:${port}`);
      open.add(socket);
      return socket;
    },
    session: {
      readToken: async () => stored.token,
      dropToken: () => {
        stored.token = null;
      },
    },
    onWake: (retry) => {
      wake = retry;
    },
    waitBefore: () => (over ? 2 ** 30 : wait),
  });
  cleanUps.push(() => {
    over = true;
    for (const socket of open) socket.close();
  });
  return { transport, client: createORPCClient(transport.link), stored, wake: () => wake() };
}

/** Resolves when the connection has the status, however soon it changes again. */
async function until({ connection }: Transport, wanted: ConnectionStatus): Promise<void> {
  if (connection.getState().status === wanted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const unsubscribe = connection.subscribe(({ status }) => status === wanted && resolve());
  await promise;
  unsubscribe();
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

test("a page without a token does not try, and is let in when it has one", async () => {
  const { port, server } = await startServer();
  const { transport, stored, wake } = connectTo(port, { wait: 2 ** 30, token: null });
  await until(transport, "refused");
  expect(server.clients.size).toBe(0);
  stored.token = "token";
  wake();
  await until(transport, "open");
});

test("a page whose token the host does not know drops it, and reports it at the first attempt", async () => {
  const { port } = await startServer();
  const { transport, stored } = connectTo(port, { wait: 2 ** 30, token: "old" });
  const seen: ConnectionStatus[] = [];
  transport.connection.subscribe(({ status }) => seen.push(status));
  await until(transport, "refused");
  expect(seen).toEqual(["refused"]);
  expect(stored.token).toBeNull();
});

test("a page whose host was started again continues once its browser is let in there", async () => {
  const { port, server } = await startServer();
  const { transport, client, stored } = connectTo(port);
  await until(transport, "open");
  stopServer(server);
  await until(transport, "reconnecting");
  await startServer(port, "fresh");
  await until(transport, "refused");
  const waiting = client.count();
  stored.token = "fresh";
  await until(transport, "open");
  expect(await waiting).toBeGreaterThan(0);
});

test("waits longer after each attempt in vain, up to five seconds", () => {
  const waits = [0, 1, 2, 3, 4, 5, 6, 50, 5_000].map((attempt) => waitBeforeAttempt(attempt, 0.5));
  expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000, 5_000]);
});

test("spreads the waits by a tenth to either side", () => {
  expect(waitBeforeAttempt(2, 0)).toBe(900);
  expect(waitBeforeAttempt(2, 1)).toBe(1_100);
});
