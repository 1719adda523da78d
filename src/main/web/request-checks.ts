import type { IncomingHttpHeaders } from "node:http";

/** Names of this machine under which a browser may reach the app. Any other is a page that plays a trick with DNS. */
const ownNames = ["127.0.0.1", "localhost", "[::1]"];

/** True when the request was meant for this app: `Host` names this machine and the app's port. */
export function isOwnHost({ host }: IncomingHttpHeaders, port: number): boolean {
  return ownNames.some((name) => host === `${name}:${port}` || (port === 80 && host === name));
}

/** True when the page that asks is the app's own: `Origin` is there, and the very address that was asked. */
export function isOwnOrigin({ host, origin }: IncomingHttpHeaders): boolean {
  return host !== undefined && origin === `http://${host}`;
}

/** The value of a cookie; undefined where there is none. */
export function readCookie({ cookie = "" }: IncomingHttpHeaders, name: string): string | undefined {
  for (const pair of cookie.split(";")) {
    const [key, ...value] = pair.trim().split("=");
    if (key === name) return value.join("=");
  }
  return undefined;
}
