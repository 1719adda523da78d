export { ensureApiKey, makeApiKey } from "./api-key.ts";
export type { PassphraseSource, SystemCipher } from "./file/index.ts";
export { openSecretStore, type SecretChoice, type SecretStoreOptions } from "./open-secret-store.ts";
export { SecretError } from "./secret-error.ts";
