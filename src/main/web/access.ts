import { hash, randomBytes, timingSafeEqual } from "node:crypto";

/** Who is let in: a browser that came with a token, which works once, and is known by its cookie from then on. */
export interface Access {
  /** A new token. The one before it works no more, spent or not. */
  createToken(): string;
  /** Spends the token and answers with the secret of a session; null for a token that is spent or wrong. */
  enter(token: string): string | null;
  isKnown(session: string): boolean;
}

const secretBytes = 32;

function createSecret(): string {
  return randomBytes(secretBytes).toString("base64url");
}

/** Digests are compared, so that the time of a comparison says nothing of the secret. */
function digest(secret: string): Buffer {
  return hash("sha256", secret, "buffer");
}

export function createAccess(): Access {
  let token: Buffer | null = null;
  const sessions: Buffer[] = [];
  return {
    createToken() {
      const secret = createSecret();
      token = digest(secret);
      return secret;
    },
    enter(given) {
      if (token === null || !timingSafeEqual(token, digest(given))) return null;
      token = null;
      const session = createSecret();
      sessions.push(digest(session));
      return session;
    },
    isKnown(given) {
      const found = digest(given);
      return sessions.some((session) => timingSafeEqual(session, found));
    },
  };
}
