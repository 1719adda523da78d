import type { IncomingHttpHeaders, IncomingMessage } from "node:http";

/** Names of this machine under which a browser may reach the app. Any other is a page that plays a trick with DNS. */
const ownNames = ["127.0.0.1", "localhost", "[::1]"];

/** True when the request was meant for this app: `Host` names this machine and the app's port. */
export function isOwnHost({ host }: IncomingHttpHeaders, port: number): boolean {
  return ownNames.some((name) => host === `${name}:${port}` || (port === 80 && host === name));
}

/**
 * True when the page that asks is the app's own: `Origin` is there and the very address that was asked, and a browser that
 * says how the two stand to each other says that they are the same.
 */
export function isFromOwnPage(headers: IncomingHttpHeaders): boolean {
  const { host, origin, "sec-fetch-site": site = "same-origin" } = headers;
  return host !== undefined && origin === `http://${host}` && site === "same-origin";
}

/** The text of a request's body; null when it is longer than `limit` bytes. */
export async function readBody(request: IncomingMessage, limit: number): Promise<string | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    length += chunk.length;
    if (length > limit) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
