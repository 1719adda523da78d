import { isIPv6 } from "node:net";
import { type HttpApp, listen as listenAt } from "#main/http";
import { CliError, exitCodes } from "./cli-error.ts";

interface Place {
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
}

/**
 * Starts to listen.
 * @returns the address for clients on this machine, without a slash at the end
 * @throws CliError in one clear line when it can't listen on the port or the address
 */
export async function listen(app: HttpApp, place: Place): Promise<string> {
  try {
    await listenAt(app, place);
  } catch (error) {
    throw toListenError(error, place);
  }
  const address = app.server.address();
  return toUrl(place.host, typeof address === "object" && address !== null ? address.port : place.port);
}

/** One clear line where it can't listen on a port or an address; any other error as it is. */
export function toListenError(error: unknown, { host, port }: Place): unknown {
  const reason = explain(error instanceof Error && "code" in error ? error.code : undefined, host, port);
  return reason === undefined ? error : new CliError(reason, exitCodes.failed);
}

function explain(code: unknown, host: string, port: number): string | undefined {
  switch (code) {
    case "EADDRINUSE":
      return `Port ${port} is in use on ${host}. Choose another one with --port, or any free one with --port 0.`;
    case "EACCES":
      return `Port ${port} is not open to this user. Choose one from 1024 up with --port.`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `${host} is no address of this machine. Choose another one with --host.`;
    default:
      return undefined;
  }
}

/** "Every address" is none that a client can call: the loopback replaces it. */
function toUrl(host: string, port: number): string {
  if (host === "0.0.0.0") return `http://127.0.0.1:${port}`;
  if (host === "::") return `http://[::1]:${port}`;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}
