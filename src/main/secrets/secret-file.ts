import { createHash } from "node:crypto";
import { readFile, rename, rm } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { type StoredSecretName, storedSecretNameSchema } from "#contract";
import { commandWrites, readJsonFile, withFileLock, writeJsonFile } from "#main/storage";
import { SecretError } from "./backend.ts";

/** No one but the user reads or writes it. */
const mode = 0o600;

/** Encrypted values by name. */
export type SealedSecrets = Partial<Record<StoredSecretName, string>>;

/** A file with encrypted values, and what their cipher needs besides its key. */
export interface SecretFile<Header> {
  /** Null where there is no file. Fails with a SecretError when it can't be understood: it is left as it is then. */
  read(): Promise<StoredSecrets<Header> | null>;
  /**
   * The same, but a file that is damaged is renamed first, so that keys can be kept here again; `report` has a sentence on
   * that. Fails with a SecretError for a file of a newer version alone.
   */
  open(report: (message: string) => void): Promise<StoredSecrets<Header> | null>;
  /** Keeps entries that can't be read in a file next to this one, whose path it answers with: nothing may replace them there. */
  keepAside(header: Header, sealed: SealedSecrets): Promise<string>;
  /**
   * Changes what is in it by now, which is what this answers with. The file is the old one or the new one, whole; without any
   * secret it is removed. Fails with a FileMadeAnewError where another process has made it with another cipher meanwhile.
   */
  change(header: Header, change: (sealed: SealedSecrets) => SealedSecrets): Promise<SealedSecrets>;
}

interface StoredSecrets<Header> {
  readonly header: Header;
  readonly sealed: SealedSecrets;
}

const newerSchema = z.object({ version: z.int().min(2) });

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
      throw new DamagedFileError(path);
    }
    if (stored === undefined) return null;
    if (newerSchema.safeParse(stored).success) throw newer(path);
    const parsed = fileSchema.safeParse(stored);
    if (!parsed.success) throw new DamagedFileError(path);
    return { header: parsed.data.cipher, sealed: parsed.data.secrets };
  }

  /** Next to the file, and the same for the same content. */
  const nameAside = (content: string | Buffer) =>
    path.replace(/(\.json)?$/, `.unreadable-${createHash("sha256").update(content).digest("hex").slice(0, 8)}.json`);

  return {
    read,
    async open(report) {
      try {
        return await read();
      } catch (error) {
        if (!(error instanceof DamagedFileError)) throw error;
        const aside = nameAside(await readFile(path));
        await rename(path, aside);
        report(`${path} is damaged: enter the keys in it again. It is kept as ${aside}.`);
        return null;
      }
    },
    async keepAside(header, sealed) {
      const content = { version: 1, cipher: header, secrets: sealed };
      const aside = nameAside(JSON.stringify(content));
      await writeJsonFile(aside, content, commandWrites, mode);
      return aside;
    },
    change: (header, change) =>
      // The first key of a new data folder may come before anything else in it.
      withFileLock(path, async () => {
        const stored = await read();
        if (stored !== null && !isDeepStrictEqual(stored.header, header)) throw new FileMadeAnewError(path);
        const sealed = change(stored?.sealed ?? {});
        if (Object.keys(sealed).length === 0) await rm(path, { force: true });
        else await writeJsonFile(path, { version: 1, cipher: header, secrets: sealed }, commandWrites, mode);
        return sealed;
      }),
  };
}

/** The file is one that another process has made since. */
export class FileMadeAnewError extends SecretError {
  constructor(path: string) {
    super(`${path} was made anew by another process. Nothing was changed: start again.`);
  }
}

function newer(path: string): SecretError {
  return new SecretError(`${path} was written by a newer version of Sheaf. It was left as it is: start that version.`);
}

/** Of a file whose bytes are not as they were written, or that comes from elsewhere. */
class DamagedFileError extends SecretError {
  constructor(path: string) {
    super(`${path} is no file of Sheaf's keys, or it is damaged. It was left as it is.`);
  }
}

/** The entries with their names as the schema has read them. */
export function namesOf(sealed: SealedSecrets): [StoredSecretName, string][] {
  return Object.entries(sealed).flatMap(([name, text]) => {
    const parsed = storedSecretNameSchema.safeParse(name);
    return parsed.success && text !== undefined ? [[parsed.data, text]] : [];
  });
}
