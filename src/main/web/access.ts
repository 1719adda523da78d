import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Clock } from "#service";

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

/** Digests are compared, so that the time of a comparison says nothing of the secret. */
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
