import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import { webEntry } from "#contract";
import type { Clock } from "#main/base";

/** Who is let in: a browser that brings a one-time code gets a token, and proves it on each of its sockets. */
export interface Access {
  /** A new code. The one before it works no more. `onSpent` is called when it has been exchanged, or has been replaced. */
  createCode(onSpent?: () => void): string;
  /** Spends the code for a token; null for a code that is spent or wrong. */
  exchange(code: string): string | null;
  /**
   * Notes that a socket brought its token, which lasts while it has sockets and a day from the last one. The answer is
   * called when the socket has closed; null for a token that is wrong or has expired.
   */
  attach(token: string): (() => void) | null;
}

/** A browser that was let in. */
interface Session {
  readonly token: Buffer;
  sockets: number;
  /** When its last socket closed, in Unix milliseconds. */
  leftAt: number;
}

const secretBytes = 32;
const lifetimeMilliseconds = 24 * 60 * 60 * 1000;

function createSecret(): string {
  return randomBytes(secretBytes).toString("base64url");
}

/** Digests are compared, so that the time of a comparison tells nothing about the secret. */
function digest(secret: string): Buffer {
  return hash("sha256", secret, "buffer");
}

export function createAccess(clock: Pick<Clock, "now">): Access {
  let code: { readonly digest: Buffer; readonly onSpent: () => void } | null = null;
  let sessions: Session[] = [];

  function spendCode(): void {
    code?.onSpent();
    code = null;
  }

  function removeExpired(): void {
    const since = clock.now() - lifetimeMilliseconds;
    sessions = sessions.filter(({ sockets, leftAt }) => sockets > 0 || leftAt > since);
  }

  return {
    createCode(onSpent = () => {}) {
      spendCode();
      const secret = createSecret();
      code = { digest: digest(secret), onSpent };
      return secret;
    },
    exchange(given) {
      if (code === null || !timingSafeEqual(code.digest, digest(given))) return null;
      spendCode();
      const token = createSecret();
      sessions.push({ token: digest(token), sockets: 0, leftAt: clock.now() });
      return token;
    },
    attach(given) {
      removeExpired();
      const wanted = digest(given);
      const session = sessions.find(({ token }) => timingSafeEqual(token, wanted));
      if (session === undefined) return null;
      session.sockets += 1;
      return () => {
        session.sockets -= 1;
        session.leftAt = clock.now();
      };
    },
  };
}

/** What a socket may send, and how long it may take, before it has proven its token. */
const longestGreeting = 1024;
const firstMessageTimeoutMs = 5_000;

interface NewSocket {
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
  const stopWaiting = clock.after(firstMessageTimeoutMs, () => webSocket.terminate());
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
