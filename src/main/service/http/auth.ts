import { timingSafeEqual } from "node:crypto";
import type { Socket } from "node:net";
import { ServiceError } from "../errors.ts";
import type { McpAccess } from "../mcp/index.ts";

/** Throws unless the value of an `authorization` header, come in on this connection, carries the key. */
export type KeyCheck = (authorization: string | undefined, connection: Socket) => void;

const bearer = /^bearer +(\S+) *$/i;

/**
 * Checks keys in constant time: how long it takes tells no more than whether the length is right.
 * @param readKey the key that holds at the moment: it may be replaced while requests come in
 */
export function createKeyCheck(readKey: () => string): KeyCheck {
  let key = readKey();
  let expected = Buffer.from(key);
  /** The right headers that connections have shown: to them, a quick look that they show the same again tells nothing new. */
  let shown = new WeakMap<Socket, string>();
  return (authorization, connection) => {
    const current = readKey();
    if (current !== key) {
      key = current;
      expected = Buffer.from(key);
      shown = new WeakMap();
    }
    if (authorization !== undefined && shown.get(connection) === authorization) return;
    const given = readBearer(authorization, "an API key");
    // Node reads headers as Latin-1: this gives back the bytes that were sent.
    const bytes = Buffer.from(given, "latin1");
    if (bytes.length !== expected.length || !timingSafeEqual(bytes, expected)) {
      throw new ServiceError("invalid_api_key", `Incorrect API key provided${hint(given)}.`);
    }
    shown.set(connection, authorization ?? "");
  };
}

/** The same for the MCP token, which the main key does not stand in for. */
export function createTokenCheck(mcp: McpAccess): (authorization: string | undefined) => Promise<void> {
  return async (authorization) => {
    const given = readBearer(authorization, "an MCP token");
    const admission = await mcp.admit(given);
    if (admission === "wrong") throw new ServiceError("invalid_api_key", `Incorrect MCP token provided${hint(given)}.`);
    if (admission === "disabled") {
      throw new ServiceError(
        "invalid_api_key",
        "The MCP endpoint is disabled. Enable it with POST /v1/mcp/enable: it takes this token again then.",
      );
    }
  };
}

function readBearer(authorization: string | undefined, what: "an API key" | "an MCP token"): string {
  const given = bearer.exec(authorization ?? "")?.[1];
  if (given !== undefined) return given;
  const example = what === "an API key" ? "YOUR_API_KEY" : "YOUR_MCP_TOKEN";
  throw new ServiceError(
    "missing_api_key",
    `You didn't provide ${what}. Send it in the header 'Authorization: Bearer ${example}'.`,
  );
}

/** Enough of a long key to recognise it by; nothing of a short one. */
function hint(key: string): string {
  return key.length < 20 ? "" : `: ${key.slice(0, 3)}…${key.slice(-4)}`;
}
