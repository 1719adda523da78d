import { timingSafeEqual } from "node:crypto";
import { isIP, type Socket } from "node:net";
import { quote, ServiceError } from "#main/base";
import type { McpAccess } from "#main/service";

/** Throws unless the value of an `authorization` header, come in on this connection, carries the key. */
type KeyCheck = (authorization: string | undefined, connection: Socket) => void;

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

/** The same for the MCP token, which the main key does not replace. */
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

/** Throws unless a request with this `host` header, come in on this local address, is meant for this server. */
export type HostCheck = (host: string | undefined, localAddress: string | undefined) => void;

/**
 * Keeps pages of other sites out that point a name of theirs at the loopback address (DNS rebinding). On loopback the
 * `host` must be localhost, a name under it, a plain IP address (which no name service can redirect), or one of `names`:
 * those that the server was started with. On other addresses any name will do: a server that listens there is meant to be
 * reached under the machine's names. A client so old that it sends no host is no browser.
 */
export function createHostCheck(names: readonly string[]): HostCheck {
  const allowed = new Set(["localhost", ...names.map((name) => name.toLowerCase())]);
  let lastAllowed: string | undefined;
  return (host, localAddress) => {
    if (host === lastAllowed || host === undefined || !isLoopback(localAddress)) return;
    const name = host.toLowerCase().replace(/:\d*$/, "").replace(/\.$/, "");
    if (allowed.has(name) || name.endsWith(".localhost") || isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0) {
      lastAllowed = host;
      return;
    }
    throw new ServiceError(
      "host_not_allowed",
      `This server does not answer to the host ${quote(name)}. Use localhost or 127.0.0.1, or start it with that host name.`,
    );
  };
}

function isLoopback(address: string | undefined): boolean {
  return address !== undefined && (address === "::1" || /^(::ffff:)?127\./.test(address));
}

/** Throws unless a request with these `origin` and `host` headers comes from a program, or from a page on this machine. */
type OriginCheck = (origin: string | undefined, host: string | undefined) => void;

/**
 * Keeps pages of other sites out of the MCP endpoint (MCP 2025-11-25, Streamable HTTP, Security). Only browsers send an
 * origin. A page may be served from localhost, from one of `names`, or from the very address that it calls.
 */
export function createOriginCheck(names: readonly string[]): OriginCheck {
  const allowed = new Set(["localhost", "127.0.0.1", "[::1]", ...names.map((name) => name.toLowerCase())]);
  return (origin, host) => {
    if (origin === undefined) return;
    const from = URL.canParse(origin) ? new URL(origin) : null;
    if (from !== null && isWeb(from)) {
      const isLocal = allowed.has(from.hostname) || from.hostname.endsWith(".localhost");
      if (isLocal || from.host === host?.toLowerCase()) return;
    }
    throw new ServiceError(
      "origin_not_allowed",
      `This server does not answer to pages of ${quote(origin)}. Call it from a program, or from a page on localhost.`,
    );
  };
}

function isWeb({ protocol }: URL): boolean {
  return protocol === "http:" || protocol === "https:";
}
