import { randomBytes } from "node:crypto";

/** A nonce for one response: 128 random bits. */
export function createNonce(): string {
  return randomBytes(16).toString("base64");
}

export interface PagePolicy {
  /** For the style elements that the page makes at run time. */
  readonly nonce: string;
  /** Origins beside its own to which the page connects, such as its WebSocket. */
  readonly connect?: readonly string[];
}

/**
 * The content security policy of the page: its own files, its own server, nothing else. Styles made at run time need the
 * nonce of their response.
 */
export function contentSecurityPolicy({ nonce, connect = [] }: PagePolicy): string {
  const directives: Readonly<Record<string, readonly string[]>> = {
    "default-src": ["'none'"],
    "script-src": ["'self'"],
    "style-src": ["'self'", `'nonce-${nonce}'`],
    "connect-src": ["'self'", ...connect],
    "img-src": ["'self'", "data:"],
    "font-src": ["'self'"],
    "object-src": ["'none'"],
    "base-uri": ["'none'"],
    "frame-ancestors": ["'none'"],
    "form-action": ["'none'"],
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(" ")}`)
    .join("; ");
}

/** What every response carries, whatever it is. */
export const securityHeaders: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
};
