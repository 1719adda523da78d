import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createSecureContext, getCACertificates, type SecureContext } from "node:tls";

/** A connection's file of certificates that can't be used. Nothing was sent to the server. */
export class CaFileError extends Error {
  override readonly name = "CaFileError";
}

/** Made once for all servers: it takes a few tenths of a second. */
let usual: SecureContext | undefined;

/**
 * The certificates that servers are checked by: those of Node, those of the system, to which companies add their own, and those
 * of a file. The file is read each time.
 * @param file one or more in PEM form, or one in DER form
 * @throws CaFileError for a file that can't be read, or holds no certificate
 */
export async function openTrust(file: string | null): Promise<SecureContext> {
  if (file !== null) return createSecureContext({ ca: [...listTrusted(), ...(await readCertificates(file))] });
  usual ??= createSecureContext({ ca: listTrusted() });
  return usual;
}

function listTrusted(): string[] {
  return [...new Set([...getCACertificates("default"), ...getCACertificates("system")])];
}

/** Also under the names that OpenSSL and older programs write. */
const pem = /-----BEGIN ((?:TRUSTED |X509 )?CERTIFICATE)-----[^-]+-----END \1-----/g;

async function readCertificates(file: string): Promise<string[]> {
  const bytes = await readFile(file).catch((cause: unknown) => {
    throw new CaFileError(`its CA file ${file} can't be read`, { cause });
  });
  const found = bytes.toString("latin1").match(pem) ?? [bytes];
  try {
    return found.map((certificate) => new X509Certificate(certificate).toString());
  } catch (cause) {
    throw new CaFileError(`its CA file ${file} holds no certificate, or one that can't be read`, { cause });
  }
}
