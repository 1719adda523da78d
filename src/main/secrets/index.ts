export { ensureApiKey, makeApiKey } from "./api-key.ts";
export { SecretError } from "./backend.ts";
export type { StartWorkerProcess } from "./keychain/worker-process.ts";
export { openSecretStore, type SecretChoice, type SecretStoreOptions } from "./open-secret-store.ts";
export type { PassphraseSource } from "./passphrase-file.ts";
export type { SystemCipher } from "./system-file.ts";
