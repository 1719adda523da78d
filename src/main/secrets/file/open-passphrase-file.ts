import { join } from "node:path";
import { type SecretName, secretNameSchema } from "#contract";
import type { SecretPlace } from "../place.ts";
import { SecretError } from "../secret-error.ts";
import {
  createPassphraseCipher,
  findPassphraseCipher,
  type PassphraseCipher,
  type PassphraseHeader,
  passphraseHeaderSchema,
} from "./passphrase-cipher.ts";
import { createSecretFile } from "./secret-file.ts";

/** Where a passphrase comes from: the environment, or somebody at a terminal. */
export interface PassphraseSource {
  /** False where it can be given only once: it is not asked for again then. */
  readonly canRepeat: boolean;
  /**
   * Null from somebody who would rather not give one.
   * @param file the file that it is for
   * @param purpose whether the file is there already, and whether this is another attempt
   */
  ask(file: string, purpose: "new" | "known" | "again"): Promise<string | null>;
}

const attempts = 3;

/** The file under a passphrase of a data folder. */
export function findPassphraseFile(dataDir: string) {
  const path = join(dataDir, "secrets.json");
  return { path, file: createSecretFile(path, passphraseHeaderSchema) };
}

/**
 * Opens the file with the passphrase that it was made with, or gets a new one ready.
 * @returns null when nobody gave a passphrase
 * @throws SecretError when the passphrase is wrong, or the file damaged: it stays as it is
 */
export async function openPassphraseFile(dataDir: string, passphrase: PassphraseSource): Promise<SecretPlace | null> {
  const { path, file } = findPassphraseFile(dataDir);
  const stored = await file.read();
  const cipher = await findCipher(stored?.header ?? null, path, passphrase);
  if (cipher === null) return null;
  let sealed = stored?.sealed ?? {};
  const names = secretNameSchema.options;

  return {
    kind: "file",
    name: path,
    note: "Kept in an encrypted file, under your passphrase.",
    async load() {
      sealed = (await file.read())?.sealed ?? {};
      const found = new Map<SecretName, string>();
      for (const name of names) {
        const text = sealed[name];
        if (text !== undefined) found.set(name, unseal(cipher, name, text, path));
      }
      return found;
    },
    async save(name, value) {
      const next = { ...sealed, [name]: cipher.seal(name, value) };
      await file.write(cipher.header, next);
      sealed = next;
    },
    async erase(name) {
      const { [name]: _, ...rest } = sealed;
      await file.write(cipher.header, rest);
      sealed = rest;
    },
  };
}

async function findCipher(
  header: PassphraseHeader | null,
  path: string,
  source: PassphraseSource,
): Promise<PassphraseCipher | null> {
  if (header === null) {
    const passphrase = await source.ask(path, "new");
    return passphrase === null ? null : await createPassphraseCipher(passphrase);
  }
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const passphrase = await source.ask(path, attempt === 1 ? "known" : "again");
    if (passphrase === null) return null;
    const cipher = await findPassphraseCipher(passphrase, header);
    if (cipher !== null) return cipher;
    if (!source.canRepeat) break;
  }
  throw new SecretError(
    `The passphrase is not the one of ${path}. Nothing was changed. Start again with the right one, or move the file away to begin with new keys.`,
  );
}

function unseal(cipher: PassphraseCipher, name: SecretName, sealed: string, path: string): string {
  try {
    return cipher.unseal(name, sealed);
  } catch {
    throw new SecretError(
      `${path} is damaged: its ${name} can't be read. It was left as it is: move it away to begin with new keys.`,
    );
  }
}
