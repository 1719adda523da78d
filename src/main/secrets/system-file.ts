import { join } from "node:path";
import { z } from "zod";
import { type StoredSecretName, storedSecretNameSchema } from "#contract";
import type { Machine } from "#main/base";
import type { AppOnlySecrets } from "./app-only.ts";
import { type SecretBackend, SecretError } from "./backend.ts";
import { createSecretFile, namesOf } from "./secret-file.ts";

/** Encrypts with a key that the system holds for this program: Electron's safeStorage. */
export interface SystemCipher {
  /** False where the key would be a fixed one, or would be stored in plain text. */
  isAvailable(): Promise<boolean>;
  encrypt(text: string): Promise<Buffer>;
  decrypt(sealed: Buffer): Promise<string>;
}

const headerSchema = z.strictObject({ name: z.literal("system") });
/** The name is encrypted with its value: one can't be passed off as the other. */
const entrySchema = z.strictObject({ name: storedSecretNameSchema, value: z.string() });

/** Longer than a system takes whose keys are at hand. */
const limit = 3_000;

const pathIn = (dataDir: string) => join(dataDir, "secrets.system.json");

/** What is in the file, for a host that has no cipher to read it with. A file that can't be understood is the app's to report. */
export async function listAppOnly(dataDir: string): Promise<AppOnlySecrets> {
  const path = pathIn(dataDir);
  const stored = await createSecretFile(path, headerSchema)
    .read()
    .catch(() => null);
  return { path, names: new Set(namesOf(stored?.sealed ?? {}).map(([name]) => name)) };
}

/** Opens the file; null where the system has no key for it. One that is damaged is kept aside, and reported in a sentence. */
export async function openSystemFile(
  dataDir: string,
  cipher: SystemCipher,
  machine: Machine,
  report: (message: string) => void,
): Promise<SecretBackend | null> {
  const within = limitTime(machine);
  const available = await within(cipher.isAvailable()).catch(() => false);
  if (!available) return null;
  const path = pathIn(dataDir);
  const file = createSecretFile(path, headerSchema);
  await file.open(report);

  async function seal(name: StoredSecretName, value: string): Promise<string> {
    return (await within(cipher.encrypt(JSON.stringify({ name, value })))).toString("base64");
  }

  async function unseal(name: StoredSecretName, text: string): Promise<string> {
    try {
      const entry = entrySchema.parse(JSON.parse(await within(cipher.decrypt(Buffer.from(text, "base64")))));
      if (entry.name === name) return entry.value;
    } catch {
      // What the library says of it may have parts of the value in it.
    }
    throw new SecretError(`The system's key can't read ${path}: it was left as it is.`);
  }

  return {
    kind: "safe_storage",
    name: path,
    note: "Kept in a file that is encrypted with a key of the system's.",
    async load() {
      const sealed = (await file.read())?.sealed ?? {};
      const found = new Map<StoredSecretName, string>();
      for (const [name, text] of namesOf(sealed)) found.set(name, await unseal(name, text));
      return found;
    },
    async read(name) {
      const text = (await file.read())?.sealed[name];
      return text === undefined ? null : await unseal(name, text);
    },
    async save(name, value) {
      const text = await seal(name, value);
      await file.change({ name: "system" }, (before) => ({ ...before, [name]: text }));
    },
    async erase(name) {
      await file.change({ name: "system" }, ({ [name]: _, ...rest }) => rest);
    },
  };
}

/** A key store that hangs counts as one that fails. */
function limitTime(machine: Machine) {
  return async <T>(work: Promise<T>): Promise<T> => {
    const { promise, reject } = Promise.withResolvers<never>();
    const cancel = machine.after(limit, () => reject(new Error("The system's key store did not answer in time.")));
    try {
      return await Promise.race([work, promise]);
    } finally {
      cancel();
    }
  };
}
