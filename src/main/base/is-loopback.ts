import { isIP } from "node:net";

/** Whether nothing but this machine reaches what listens on the address. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}
