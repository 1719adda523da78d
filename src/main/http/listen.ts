import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { createServer, type Server } from "node:net";
import type { HttpApp } from "./http-app.ts";

interface Place {
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
}

/**
 * Has an app listen: on `localhost` at each of its addresses, since clients try either. Fastify would make a second server
 * without the limits and the error handler of the first. Here the first one also gets the connections of the others.
 * @param resolve finds the addresses of a name
 * @throws the error of Node when it can't listen, with the app closed
 */
export async function listen(app: HttpApp, { host, port }: Place, resolve = findAddresses): Promise<void> {
  const others: Server[] = [];
  let closing: Promise<unknown> = Promise.resolve();
  app.addHook("preClose", (done) => {
    closing = Promise.all(others.map(close));
    done();
  });
  app.addHook("onClose", async () => void (await closing));
  try {
    const [first = host, ...rest] = host === "localhost" ? await resolve(host) : [host];
    await app.listen({ host: first, port });
    for (const address of rest) {
      const other = await share(app, address);
      if (other !== null) others.push(other);
    }
  } catch (error) {
    await app.close();
    throw error;
  }
}

async function findAddresses(name: string): Promise<readonly string[]> {
  const found = await lookup(name, { all: true });
  return [...new Set(found.map(({ address }) => address))];
}

/** Takes connections at another address for the server of an app; null where this machine has no such address. */
async function share(app: HttpApp, address: string): Promise<Server | null> {
  const { server } = app;
  const own = server.address();
  const port = typeof own === "object" && own !== null ? own.port : 0;
  // As the server of HTTP sets its own sockets.
  const other = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit("connection", socket));
  other.maxConnections = server.maxConnections;
  other.listen({ host: address, port });
  try {
    await once(other, "listening");
    return other;
  } catch (error) {
    if (error instanceof Error && "code" in error && unknownAddress.has(error.code)) return null;
    throw error;
  }
}

const unknownAddress: ReadonlySet<unknown> = new Set(["EADDRNOTAVAIL", "EAFNOSUPPORT"]);

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
