import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import { webEntry } from "#contract";
import type { Clock } from "#service";
import type { Access } from "./access.ts";

/** What a socket may send, and how long it may take, before it has proven its token. */
const longestGreeting = 1024;
const patienceMilliseconds = 5_000;

export interface NewSocket {
  readonly webSocket: WebSocket;
  /** The connection below it, whose bytes are counted before they are gathered to a message. */
  readonly connection: Duplex;
}

/**
 * Calls `onAdmitted` once the first message of a socket is a token in force, and answers it with one of our own. Any other
 * socket ends without having reached anything.
 */
export function admitSocket(
  { webSocket, connection }: NewSocket,
  access: Access,
  clock: Pick<Clock, "after">,
  onAdmitted: () => void,
): void {
  let received = 0;
  const count = (chunk: Buffer) => {
    received += chunk.length;
    if (received > longestGreeting) webSocket.terminate();
  };
  connection.prependListener("data", count);
  const stopWaiting = clock.after(patienceMilliseconds, () => webSocket.terminate());
  webSocket.once("close", stopWaiting);
  webSocket.once("message", (data, isBinary) => {
    stopWaiting();
    const detach = isBinary ? null : access.attach(String(data));
    if (detach === null) {
      webSocket.close(webEntry.refusedCode);
      return;
    }
    connection.off("data", count);
    webSocket.once("close", detach);
    webSocket.send(webEntry.admitted);
    onAdmitted();
  });
}
