import { randomBytes } from "node:crypto";
import type { SecretStore } from "#main/base";

/** A new key of a mock server: 192 bits of randomness behind a prefix that shows what it is. */
export function makeApiKey(): string {
  return `sk-sheaf-${randomBytes(24).toString("base64url")}`;
}

/** The stored key; where there is none yet, a new one, which is stored from now on. */
export async function ensureApiKey(secrets: SecretStore): Promise<{ readonly value: string; readonly isNew: boolean }> {
  const stored = await secrets.get("api_key");
  if (stored !== null) return { value: stored, isNew: false };
  const value = makeApiKey();
  await secrets.set("api_key", value);
  return { value, isNew: true };
}
