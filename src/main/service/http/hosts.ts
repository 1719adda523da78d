import { isIP } from "node:net";
import { ServiceError } from "../errors.ts";
import { quote } from "../quote.ts";

/** Throws unless a request with this `host` header, come in on this local address, is meant for this server. */
export type HostCheck = (host: string | undefined, localAddress: string | undefined) => void;

/**
 * Keeps pages of other sites out that point a name of theirs at the loopback address (DNS rebinding). On loopback the
 * `host` must be localhost, a name under it, a plain IP address (which no name service can redirect), or one of `names`:
 * those that the server was told to answer to. On other addresses any name will do: whoever listens there means to be
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
