import { createCipheriv, createDecipheriv, randomBytes, type ScryptOptions, scrypt } from "node:crypto";
import { promisify } from "node:util";
import { z } from "zod";

/** scrypt's cost stands in the file, so that it can be raised without losing what is there. Bounded: a file from elsewhere must not take all memory. */
export const passphraseHeaderSchema = z.strictObject({
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
export type PassphraseHeader = z.infer<typeof passphraseHeaderSchema>;

/** Encrypts texts under a passphrase. */
export interface PassphraseCipher {
  readonly header: PassphraseHeader;
  /** Bound to its name: it can't be passed off as another one's. */
  seal(name: string, text: string): string;
  /** Throws for anything but what `seal` made of a text of this name, under this passphrase. */
  unseal(name: string, sealed: string): string;
}

/** What OWASP's password storage cheat sheet asks for: 128 MiB, about a third of a second. */
const cost = { n: 2 ** 17, r: 8, p: 1 };
const saltBytes = 16;
const keyBytes = 32;
const ivBytes = 12;
const tagBytes = 16;

const deriveKey = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** A cipher for a file that does not exist yet. */
export async function createPassphraseCipher(passphrase: string): Promise<PassphraseCipher> {
  const salt = randomBytes(saltBytes).toString("base64");
  const sealer = createSealer(await derive(passphrase, { ...cost, salt }));
  const header = { name: "scrypt-aes-256-gcm", ...cost, salt, check: sealer.seal("check", "sheaf") } as const;
  return { header, ...sealer };
}

/** The cipher of a file; null when the passphrase is not the one that it was made with. */
export async function findPassphraseCipher(
  passphrase: string,
  header: PassphraseHeader,
): Promise<PassphraseCipher | null> {
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
