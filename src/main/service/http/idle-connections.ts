import type { Server } from "node:http";
import type { Socket } from "node:net";

/**
 * Watches the connections of a server for those that nobody waits on. The answer closes them from when it is called until
 * the server has closed: a client that keeps its own open would hold it up for a minute.
 */
export function watchIdleConnections(server: Server): () => void {
  const connections = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });

  function closeIdle(): void {
    server.closeIdleConnections();
    // Clients open connections ahead of need, and node does not count as idle what has never brought a request.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
  }
  return () => {
    if (!server.listening) return;
    const sweep = setInterval(closeIdle, 20);
    server.once("close", () => clearInterval(sweep));
  };
}
