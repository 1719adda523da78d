import type { StoredSecretName } from "#contract";
import type { SecretStore } from "./ports.ts";

/** Keeps secrets while the process runs, and nowhere else. */
export function createMemorySecretStore(): SecretStore {
  const values = new Map<StoredSecretName, string>();
  return {
    kind: "memory",
    note: "Not kept: keys and tokens are gone when Sheaf ends.",
    get: async (name) => values.get(name) ?? null,
    set: async (name, value) => void values.set(name, value),
    remove: async (name) => void values.delete(name),
  };
}
