import { timingSafeEqual } from "node:crypto";
import { ServiceError } from "../errors.ts";

/** Throws unless the value of an `authorization` header carries the key. */
export type KeyCheck = (authorization: string | undefined) => void;

const bearer = /^bearer +(\S+) *$/i;

/**
 * Checks keys in constant time: how long it takes tells no more than whether the length is right.
 * @param readKey the key that holds at the moment: it may be replaced while requests come in
 */
export function createKeyCheck(readKey: () => string): KeyCheck {
  let key = readKey();
  let expected = Buffer.from(key);
  return (authorization) => {
    const current = readKey();
    if (current !== key) {
      key = current;
      expected = Buffer.from(key);
    }
    const given = bearer.exec(authorization ?? "")?.[1];
    if (given === undefined) {
      throw new ServiceError(
        "missing_api_key",
        "You didn't provide an API key. Send it in the header 'Authorization: Bearer YOUR_API_KEY'.",
      );
    }
    // Node reads headers as Latin-1: this gives back the bytes that were sent.
    const bytes = Buffer.from(given, "latin1");
    if (bytes.length !== expected.length || !timingSafeEqual(bytes, expected)) {
      throw new ServiceError("invalid_api_key", `Incorrect API key provided${hint(given)}.`);
    }
  };
}

/** Enough of a long key to recognise it by; nothing of a short one. */
function hint(key: string): string {
  return key.length < 20 ? "" : `: ${key.slice(0, 3)}…${key.slice(-4)}`;
}
