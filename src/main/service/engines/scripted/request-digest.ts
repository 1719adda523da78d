import { hash } from "node:crypto";
import type { ChatRequest } from "#contract";

/** The SHA-256 of a request in hexadecimal. The order of keys in its objects does not count. */
export function digestRequest(request: ChatRequest): string {
  return hash("sha256", JSON.stringify(request, sortKeys));
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
