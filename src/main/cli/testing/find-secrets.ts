import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Secrets by their names in a failed test. */
export type KnownSecrets = Readonly<Record<string, string>>;

/** Every encoding in which a text may be among other bytes. */
function writeForms(secret: string): Map<string, Buffer> {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString("hex");
  const forms = new Map<string, Buffer>([
    ["as it is", bytes],
    ["in hexadecimal", Buffer.from(hex)],
    ["in upper-case hexadecimal", Buffer.from(hex.toUpperCase())],
    ["in UTF-16", Buffer.from(secret, "utf16le")],
    ["in a URL", Buffer.from(encodeURIComponent(secret))],
    ["backwards", Buffer.from([...secret].reverse().join(""))],
  ]);
  for (const shift of [0, 1, 2]) {
    // Base64 of a text depends on its offset in a group of three bytes; its ends depend on the bytes around it.
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString("base64");
    const inner = text.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
    forms.set(`in base64, ${shift} bytes on`, Buffer.from(inner));
    forms.set(`in base64url, ${shift} bytes on`, Buffer.from(inner.replaceAll("+", "-").replaceAll("/", "_")));
  }
  return forms;
}

/** The secrets found in some bytes, with their encoding: `the API key, in base64`. */
export function findSecrets(content: Uint8Array | string, secrets: KnownSecrets): string[] {
  const bytes = typeof content === "string" ? Buffer.from(content) : Buffer.from(content);
  return Object.entries(secrets).flatMap(([name, secret]) =>
    Array.from(writeForms(secret)).flatMap(([form, written]) => (bytes.includes(written) ? [`${name}, ${form}`] : [])),
  );
}

/** The same for all files of a folder, their names included; each with the file that it is in. */
export function findSecretsInFolder(folder: string, secrets: KnownSecrets): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    const content = entry.isFile() ? readFileSync(path) : Buffer.alloc(0);
    return [...findSecrets(entry.name, secrets), ...findSecrets(content, secrets)].map((found) => `${path}: ${found}`);
  });
}
