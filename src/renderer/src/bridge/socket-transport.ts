import { type ClientLink, DynamicLink } from "@orpc/client";
import { RPCLink } from "@orpc/client/websocket";
import { backOff, webEntry } from "#contract";
import { ConnectionLostError, createConnectionStore, markOpen, type Transport } from "./connection.ts";
import type { WebSession } from "./web-session.ts";

/** How long a call waits for a connection that is being made, in milliseconds. */
const timeoutMs = 10_000;

type Link = ClientLink<Record<never, never>>;

export interface SocketOptions {
  /** Opens a new socket. */
  readonly connect: () => WebSocket;
  /** What a socket has to prove first. */
  readonly session: WebSession;
  /** Calls `retry` when there is a reason to try at once, such as the network coming back. */
  readonly onWake?: (retry: () => void) => void;
  /** Milliseconds before an attempt, counted from 0 after each loss. */
  readonly waitBefore?: (attempt: number) => number;
}

/** Calls over a WebSocket that is opened again, with growing waits, whenever it closes. */
export function createSocketTransport(options: SocketOptions): Transport {
  const { connect, session, onWake, waitBefore = waitAtRandom } = options;
  const connection = createConnectionStore();
  let current = Promise.withResolvers<Link>();
  let attempt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function open() {
    timer = undefined;
    const token = await session.readToken();
    if (token === null) {
      retryLater("refused");
      return;
    }
    const socket = connect();
    socket.addEventListener("open", () => socket.send(token));
    // The host's first message reports that it took the token. What comes after it is RPC.
    socket.addEventListener(
      "message",
      () => {
        attempt = 0;
        current.resolve(new RPCLink({ websocket: socket }));
        markOpen(connection);
      },
      { once: true },
    );
    socket.addEventListener("close", ({ code }) => {
      if (code === webEntry.refusedCode) {
        session.dropToken(token);
        retryLater("refused");
      } else {
        retryLater(attempt < attemptsUntilLost ? "reconnecting" : "lost");
      }
    });
  }

  function retryLater(status: "reconnecting" | "refused" | "lost") {
    if (connection.getState().status === "open") current = Promise.withResolvers<Link>();
    connection.setState({ status });
    timer = setTimeout(open, waitBefore(attempt));
    attempt += 1;
  }

  onWake?.(() => {
    if (timer !== undefined) {
      clearTimeout(timer);
      void open();
    }
  });
  void open();

  function explainWhy(): string {
    return connection.getState().status === "refused"
      ? "Sheaf does not know this page any more. Open the address that it printed, then try again."
      : "The connection to Sheaf’s service is down. Start it again, then try again.";
  }

  return { connection, link: new DynamicLink(() => withTimeout(current.promise, explainWhy)) };
}

function waitAtRandom(attempt: number): number {
  return waitBeforeAttempt(attempt, Math.random());
}

function withTimeout(link: Promise<Link>, explainWhy: () => string): Promise<Link> {
  const { promise, resolve, reject } = Promise.withResolvers<Link>();
  const timer = setTimeout(() => reject(new ConnectionLostError(explainWhy())), timeoutMs);
  link.then(resolve, reject).finally(() => clearTimeout(timer));
  return promise;
}

/** Waits between attempts to connect, in milliseconds. */
const waits = { first: 250, longest: 5_000 };

/**
 * How long to wait before attempt `attempt` (the first one after a loss is 0): doubled each time up to five
 * seconds, and spread by a fifth so that several pages do not come back at the same instant.
 *
 * @param spread a number from 0 up to 1
 */
export function waitBeforeAttempt(attempt: number, spread: number): number {
  return Math.round(backOff(attempt, waits) * (0.9 + 0.2 * spread));
}

/** After this many attempts in vain (about twenty seconds) the page reports that the user has to act. */
const attemptsUntilLost = 8;
