import { rm } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { type StoredSecretName, storedSecretNameSchema } from "#contract";
import { readJsonFile, withFileLock, writeJsonFile } from "#service";
import { SecretError } from "./backend.ts";

/** No one but the user reads or writes it. */
const mode = 0o600;

/** Encrypted values by name. */
export type SealedSecrets = Partial<Record<StoredSecretName, string>>;

/** A file with encrypted values, and what their cipher needs besides its key. */
export interface SecretFile<Header> {
  /** Null where there is no file. Fails with a SecretError when it can't be understood: it is left as it is then. */
  read(): Promise<{ readonly header: Header; readonly sealed: SealedSecrets } | null>;
  /**
   * Changes what is in it by now, which is what this answers with. The file is the old one or the new one, whole; without any
   * secret it is removed. Fails with a SecretError where another process has made it with another cipher meanwhile.
   */
  change(header: Header, change: (sealed: SealedSecrets) => SealedSecrets): Promise<SealedSecrets>;
}

export function createSecretFile<Header>(path: string, headerSchema: z.ZodType<Header>): SecretFile<Header> {
  const fileSchema = z.strictObject({
    version: z.literal(1),
    cipher: headerSchema,
    secrets: z.record(storedSecretNameSchema, z.base64()),
  });

  async function read() {
    let stored: unknown;
    try {
      stored = await readJsonFile(path);
    } catch {
      throw notUnderstood(path);
    }
    if (stored === undefined) return null;
    const parsed = fileSchema.safeParse(stored);
    if (!parsed.success) throw notUnderstood(path);
    return { header: parsed.data.cipher, sealed: parsed.data.secrets };
  }

  return {
    read,
    change: (header, change) =>
      // The first key of a new data folder may come before anything else in it.
      withFileLock(path, async () => {
        const stored = await read();
        if (stored !== null && !isDeepStrictEqual(stored.header, header)) throw madeAnew(path);
        const sealed = change(stored?.sealed ?? {});
        if (Object.keys(sealed).length === 0) await rm(path, { force: true });
        else await writeJsonFile(path, { version: 1, cipher: header, secrets: sealed }, mode);
        return sealed;
      }),
  };
}

function madeAnew(path: string): SecretError {
  return new SecretError(`${path} was made anew by another process. Nothing was changed: start again.`);
}

function notUnderstood(path: string): SecretError {
  return new SecretError(
    `${path} is no file of Sheaf's keys, or it is damaged. It was left as it is: move it away to begin with new keys.`,
  );
}

/** The entries with their names as the schema has read them. */
export function namesOf(sealed: SealedSecrets): [StoredSecretName, string][] {
  return Object.entries(sealed).flatMap(([name, text]) => {
    const parsed = storedSecretNameSchema.safeParse(name);
    return parsed.success && text !== undefined ? [[parsed.data, text]] : [];
  });
}
