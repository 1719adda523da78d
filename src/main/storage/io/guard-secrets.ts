import type { SecretStore } from "#main/base";
import type { WriteRules } from "./durability.ts";

/** A store of secrets that a process changes only while it holds its data folder. */
export function guardSecrets(secrets: SecretStore, { assertHeld }: Pick<WriteRules, "assertHeld">): SecretStore {
  return {
    kind: secrets.kind,
    note: secrets.note,
    get: (name) => secrets.get(name),
    async set(name, value) {
      assertHeld();
      await secrets.set(name, value);
    },
    async remove(name) {
      assertHeld();
      await secrets.remove(name);
    },
  };
}
