import type { StoredSecretName } from "#contract";
import type { SecretStore } from "#main/base";

/** Keys that only the desktop app can read: they are encrypted with a key that the system holds for it. */
export interface AppOnlySecrets {
  readonly path: string;
  readonly names: ReadonlySet<StoredSecretName>;
}

/**
 * The store, which reports in one sentence that a key of a connection is there but can't be read here. It does so when the key is
 * wanted: other keys need no word.
 */
export function reportAppOnly(
  store: SecretStore,
  { path, names }: AppOnlySecrets,
  report: (message: string) => void,
): SecretStore {
  const sentence =
    `Only the desktop app can read the key of this connection. The key is in ${path}, encrypted by the system. ` +
    "Name a variable that holds the key: sheaf connections key NAME --key-env VAR";
  let wasWanted = false;
  return {
    get kind() {
      return store.kind;
    },
    get note() {
      return wasWanted ? `${store.note} ${sentence}` : store.note;
    },
    async get(name) {
      const value = await store.get(name);
      if (value === null && name.startsWith("connection:") && names.has(name) && !wasWanted) {
        wasWanted = true;
        report(sentence);
      }
      return value;
    },
    set: (name, value) => store.set(name, value),
    remove: (name) => store.remove(name),
  };
}
