import { type ClientLink, DynamicLink } from "@orpc/client";
import { RPCLink } from "@orpc/client/websocket";
import { attemptsUntilLost, waitBeforeAttempt } from "./back-off.ts";
import { ConnectionLostError, createConnectionStore, markOpen, type Transport } from "./connection.ts";

/** How long a call waits for a connection that is being made, in milliseconds. */
const patience = 10_000;

type Link = ClientLink<Record<never, never>>;

export interface SocketOptions {
  /** Opens a new socket. */
  readonly connect: () => WebSocket;
  /** Tells whether a socket that could not be opened was refused by the service. Never rejects. */
  readonly isRefused?: () => Promise<boolean>;
  /** Calls `retry` when there is a reason to try at once, such as the network coming back. */
  readonly onWake?: (retry: () => void) => void;
  /** Milliseconds before an attempt, counted from 0 after each loss. */
  readonly waitBefore?: (attempt: number) => number;
}

/** Calls over a WebSocket that is opened again, with growing waits, whenever it closes. */
export function createSocketTransport(options: SocketOptions): Transport {
  const { connect, isRefused = async () => false, onWake, waitBefore = waitAtRandom } = options;
  const connection = createConnectionStore();
  let current = Promise.withResolvers<Link>();
  let attempt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function open() {
    timer = undefined;
    const socket = connect();
    socket.addEventListener("open", () => {
      attempt = 0;
      current.resolve(new RPCLink({ websocket: socket }));
      markOpen(connection);
    });
    socket.addEventListener("close", () => {
      const { status } = connection.getState();
      const next = attempt < attemptsUntilLost ? "reconnecting" : "lost";
      if (status === "open") current = Promise.withResolvers<Link>();
      // What has been refused stays so until the service says otherwise, or nothing any more.
      if (status !== "refused") connection.setState({ status: next });
      timer = setTimeout(open, waitBefore(attempt));
      attempt += 1;
      void isRefused().then((refused) => {
        if (connection.getState().status !== "open") connection.setState({ status: refused ? "refused" : next });
      });
    });
  }

  onWake?.(() => {
    if (timer !== undefined) {
      clearTimeout(timer);
      open();
    }
  });
  open();

  function explainWhy(): string {
    return connection.getState().status === "refused"
      ? "Sheaf was started again. Open the address that it printed, then try again."
      : "The connection to Sheaf’s service is down. Start it again, then try again.";
  }

  return { connection, link: new DynamicLink(() => withPatience(current.promise, explainWhy)) };
}

function waitAtRandom(attempt: number): number {
  return waitBeforeAttempt(attempt, Math.random());
}

function withPatience(link: Promise<Link>, explainWhy: () => string): Promise<Link> {
  const { promise, resolve, reject } = Promise.withResolvers<Link>();
  const timer = setTimeout(() => reject(new ConnectionLostError(explainWhy())), patience);
  link.then(resolve, reject).finally(() => clearTimeout(timer));
  return promise;
}
