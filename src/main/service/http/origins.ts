import { ServiceError } from "../errors.ts";
import { quote } from "../quote.ts";

/** Throws unless a request with these `origin` and `host` headers comes from a program, or from a page on this machine. */
export type OriginCheck = (origin: string | undefined, host: string | undefined) => void;

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
