import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createPassphraseCipher } from "../passphrase-file.ts";

/**
 * Leaves a file of secrets under a passphrase in a data folder, as an earlier start does. Its key takes a few milliseconds of
 * the processor, where that of a file that Sheaf makes takes a third of a second at each start.
 * @param values the secrets in it by their names, such as `api_key`; none by default
 */
export async function leavePassphraseFile(
  dataDir: string,
  passphrase: string,
  values: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { header, seal } = await createPassphraseCipher(passphrase, { n: 2 ** 14, r: 8, p: 1 });
  const secrets = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, seal(name, value)]));
  await mkdir(dataDir, { recursive: true });
  await writeFile(join(dataDir, "secrets.json"), JSON.stringify({ version: 1, cipher: header, secrets }), {
    mode: 0o600,
  });
}
