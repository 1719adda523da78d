import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { z } from "zod";

/** 256 bits, as base64url. */
const randomPart = 32;
const prefix = "mcp-sheaf-";

/** An MCP token: the prefix tells people and secret scanners what it is. */
export const mcpTokenSchema = z.string().regex(/^mcp-sheaf-[\w-]{43}$/);

export function createMcpToken(): string {
  return prefix + randomBytes(randomPart).toString("base64url");
}

/** Takes as long for any two texts of a length: what is compared are digests, so that not even a length is learnt. */
export function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
