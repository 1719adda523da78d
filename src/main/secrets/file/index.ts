export { findPassphraseFile, openPassphraseFile, type PassphraseSource } from "./open-passphrase-file.ts";
export { openSystemFile, type SystemCipher } from "./open-system-file.ts";
