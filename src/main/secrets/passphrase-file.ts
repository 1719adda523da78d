import { createCipheriv, createDecipheriv, randomBytes, type ScryptOptions, scrypt } from "node:crypto";
import { join } from "node:path";
import { isDeepStrictEqual, promisify } from "node:util";
import { z } from "zod";
import type { StoredSecretName } from "#contract";
import { type SecretBackend, SecretError } from "./backend.ts";
import { createSecretFile, FileMadeAnewError, namesOf, type SealedSecrets } from "./secret-file.ts";

/** Where a passphrase comes from: the environment, or someone at a terminal. */
export interface PassphraseSource {
  /** False where it can be given only once: it is not asked for again then. */
  readonly canRepeat: boolean;
  /**
   * Null from someone who would rather not give one.
   * @param file the file that it is for
   * @param purpose whether the file is there already, and whether this is another attempt
   */
  ask(file: string, purpose: "new" | "known" | "again"): Promise<string | null>;
  /** What deriving the key of a new file costs; what OWASP recommends by default. */
  readonly cost?: ScryptCost;
}

type ScryptCost = Readonly<Record<"n" | "r" | "p", number>>;

const attempts = 3;

/** The file under a passphrase of a data folder. */
export function findPassphraseFile(dataDir: string) {
  const path = join(dataDir, "secrets.json");
  return { path, file: createSecretFile(path, passphraseHeaderSchema) };
}

/**
 * Opens the file with the passphrase that it was made with, or gets a new one ready. What is damaged of it is kept aside, and
 * reported in a sentence.
 * @returns null when no one gave a passphrase
 * @throws SecretError when the passphrase is wrong, or the file of a newer version: it stays as it is
 */
export async function openPassphraseFile(
  dataDir: string,
  passphrase: PassphraseSource,
  report: (message: string) => void,
): Promise<SecretBackend | null> {
  const { path, file } = findPassphraseFile(dataDir);
  const found = await findCipher((await file.open(report))?.header ?? null, path, passphrase);
  if (found === null) return null;
  let { cipher } = found;

  /** Another process may have made the file since, or anew: under the same passphrase it is read as that process made it. */
  async function readSealed(): Promise<SealedSecrets> {
    const stored = await file.read();
    if (stored === null) return {};
    if (!isDeepStrictEqual(stored.header, cipher.header)) {
      const other = await findPassphraseCipher(found?.passphrase ?? "", stored.header);
      if (other === null) throw new FileMadeAnewError(path);
      cipher = other;
    }
    return stored.sealed;
  }

  async function change(edit: (sealed: SealedSecrets) => SealedSecrets): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      await readSealed();
      try {
        await file.change(cipher.header, edit);
        return;
      } catch (error) {
        if (!(error instanceof FileMadeAnewError) || attempt === attempts) throw error;
      }
    }
  }

  return {
    kind: "file",
    name: path,
    note: "Kept in an encrypted file, under your passphrase.",
    async load() {
      const sealed = await readSealed();
      const values = new Map<StoredSecretName, string>();
      const unreadable: SealedSecrets = {};
      for (const [name, text] of namesOf(sealed)) {
        const value = unseal(cipher, name, text);
        if (value === null) unreadable[name] = text;
        else values.set(name, value);
      }
      const count = Object.keys(unreadable).length;
      if (count > 0) {
        const aside = await file.keepAside(cipher.header, unreadable);
        const [keys, them] = count === 1 ? ["1 key", "it"] : [`${count} keys`, "them"];
        report(`${keys} in ${path} can't be read: enter ${them} again. What was stored is kept in ${aside}.`);
      }
      return values;
    },
    async read(name) {
      const { [name]: text } = await readSealed();
      return text === undefined ? null : unseal(cipher, name, text);
    },
    save: (name, value) => change((before) => ({ ...before, [name]: cipher.seal(name, value) })),
    erase: (name) => change(({ [name]: _, ...rest }) => rest),
  };
}

async function findCipher(
  header: PassphraseHeader | null,
  path: string,
  source: PassphraseSource,
): Promise<{ readonly passphrase: string; readonly cipher: PassphraseCipher } | null> {
  if (header === null) {
    const passphrase = await source.ask(path, "new");
    return passphrase === null ? null : { passphrase, cipher: await createPassphraseCipher(passphrase, source.cost) };
  }
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const passphrase = await source.ask(path, attempt === 1 ? "known" : "again");
    if (passphrase === null) return null;
    const cipher = await findPassphraseCipher(passphrase, header);
    if (cipher !== null) return { passphrase, cipher };
    if (!source.canRepeat) break;
  }
  throw new SecretError(
    `The passphrase is not the one of ${path}. Nothing was changed. Start again with the right one, or move the file away to begin with new keys.`,
  );
}

/** Null for what was not sealed under this name and passphrase, or is damaged. */
function unseal(cipher: PassphraseCipher, name: StoredSecretName, sealed: string): string | null {
  try {
    return cipher.unseal(name, sealed);
  } catch {
    return null;
  }
}

/** scrypt's cost is in the file, so that it can be raised without losing what is there. Bounded: a file from elsewhere must not take all memory. */
const passphraseHeaderSchema = z.strictObject({
  name: z.literal("scrypt-aes-256-gcm"),
  n: z
    .int()
    .min(2 ** 14)
    .max(2 ** 20),
  r: z.int().min(1).max(16),
  p: z.int().min(1).max(8),
  salt: z.base64().length(24),
  /** Encrypts a fixed word: only the right passphrase can read it. */
  check: z.base64(),
});
type PassphraseHeader = z.infer<typeof passphraseHeaderSchema>;

/** Encrypts texts under a passphrase. */
interface PassphraseCipher {
  readonly header: PassphraseHeader;
  /** Bound to its name: it can't be passed off as another one's. */
  seal(name: string, text: string): string;
  /** Throws for anything but what `seal` made of a text of this name, under this passphrase. */
  unseal(name: string, sealed: string): string;
}

/** What OWASP's password storage cheat sheet asks for: 128 MiB, about a third of a second. */
const recommendedCost: ScryptCost = { n: 2 ** 17, r: 8, p: 1 };
const saltBytes = 16;
const keyBytes = 32;
const ivBytes = 12;
const tagBytes = 16;

const deriveKey = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** A cipher for a file that does not exist yet. */
export async function createPassphraseCipher(passphrase: string, cost = recommendedCost): Promise<PassphraseCipher> {
  const salt = randomBytes(saltBytes).toString("base64");
  const sealer = createSealer(await derive(passphrase, { ...cost, salt }));
  const header = { name: "scrypt-aes-256-gcm", ...cost, salt, check: sealer.seal("check", "sheaf") } as const;
  return { header, ...sealer };
}

/** The cipher of a file; null when the passphrase is not the one that it was made with. */
async function findPassphraseCipher(passphrase: string, header: PassphraseHeader): Promise<PassphraseCipher | null> {
  const sealer = createSealer(await derive(passphrase, header));
  try {
    sealer.unseal("check", header.check);
    return { header, ...sealer };
  } catch {
    return null;
  }
}

function derive(passphrase: string, { n, r, p, salt }: Pick<PassphraseHeader, "n" | "r" | "p" | "salt">) {
  const options = { N: n, r, p, maxmem: 129 * n * r + 128 * r * p };
  return deriveKey(passphrase.normalize("NFKC"), Buffer.from(salt, "base64"), keyBytes, options);
}

function createSealer(key: Buffer): Pick<PassphraseCipher, "seal" | "unseal"> {
  return {
    seal(name, text) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(name));
      const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64");
    },
    unseal(name, sealed) {
      const bytes = Buffer.from(sealed, "base64");
      const tag = bytes.subarray(ivBytes, ivBytes + tagBytes);
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
        .setAAD(Buffer.from(name))
        .setAuthTag(tag);
      return decipher.update(bytes.subarray(ivBytes + tagBytes), undefined, "utf8") + decipher.final("utf8");
    },
  };
}
