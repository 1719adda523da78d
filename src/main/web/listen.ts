import { once } from "node:events";
import type { Server } from "node:http";

/** Where the app is unless told otherwise, so that a bookmark and the browser's stored settings hold. */
export const defaultPort = 4700;
const portsToTry = 20;

async function tryListen(server: Server, port: number): Promise<number> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EADDRINUSE";
}

/**
 * Listens on `port` of this machine only, 0 being any free one. Without a port: on the default one, or the next that is
 * free. Answers with the port.
 *
 * @throws the error of `listen` when the port asked for is taken
 */
export async function listenLocally(server: Server, port?: number): Promise<number> {
  if (port !== undefined) return tryListen(server, port);
  for (let next = defaultPort; next < defaultPort + portsToTry; next++) {
    try {
      return await tryListen(server, next);
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
  }
  return tryListen(server, 0);
}
