import { safeStorage } from "electron";
import type { SystemCipher } from "../secrets/index.ts";

/** Electron's safeStorage: a key of the system's keychain, the user's account on Windows. */
export function createSystemCipher(): SystemCipher {
  return {
    isAvailable: async () => hasOwnKey() && (await safeStorage.isAsyncEncryptionAvailable()),
    encrypt: (text) => safeStorage.encryptStringAsync(text),
    decrypt: async (sealed) => (await safeStorage.decryptStringAsync(sealed)).result,
  };
}

/** On Linux without a key store Electron encrypts with a password that everybody knows, and calls that `basic_text`. */
function hasOwnKey(): boolean {
  if (process.platform !== "linux") return true;
  const backend = safeStorage.getSelectedStorageBackend();
  return backend !== "basic_text" && backend !== "unknown";
}
