import { randomBytes } from "node:crypto";
import { isLoopback } from "#main/base";

/** Where events of batches are sent, and what they are signed with. */
export interface WebhookSettings {
  readonly urls: readonly URL[];
  /** `whsec_` and base64; any other text signs by its own bytes, as OpenAI's client checks it. */
  readonly secret: string;
}

/** Ends a sentence. */
export const webhookUrlExpected = "an http address of this machine, such as http://127.0.0.1:3000/webhook";

/** The address that a text names; null unless it is one of this machine. */
export function readWebhookUrl(text: string): URL | null {
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol)) return null;
  return isLoopback(url.hostname.replace(/^\[(.*)\]$/, "$1")) ? url : null;
}

const secretBytes = 32;
const secretPrefix = "whsec_";

export function createWebhookSecret(): string {
  return secretPrefix + randomBytes(secretBytes).toString("base64");
}

/** Why a secret can't be used, to end a sentence that names it; null where it can. */
export function findSecretProblem(secret: string): string | null {
  if (secret === "") return "is empty";
  if (!secret.startsWith(secretPrefix)) return null;
  const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(secret.slice(secretPrefix.length));
  return isBase64 ? null : `has ${secretPrefix}, but no base64 after it`;
}

/** The key of the signature. */
export function readSecretKey(secret: string): Buffer {
  return secret.startsWith(secretPrefix)
    ? Buffer.from(secret.slice(secretPrefix.length), "base64")
    : Buffer.from(secret);
}
