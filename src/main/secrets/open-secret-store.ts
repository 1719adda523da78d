import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { findEntry } from "#app-paths";
import type { StoredSecretName } from "#contract";
import { createMemorySecretStore, createSystemMachine, type Logger, type Machine, type SecretStore } from "#main/base";
import { reportAppOnly } from "./app-only.ts";
import { type SecretBackend, SecretError, type Secrets } from "./backend.ts";
import { type KeychainResult, openKeychain } from "./keychain/keychain.ts";
import type { StartWorkerProcess } from "./keychain/worker-process.ts";
import { findPassphraseFile, openPassphraseFile, type PassphraseSource } from "./passphrase-file.ts";
import { listAppOnly, openSystemFile, type SystemCipher } from "./system-file.ts";

/** `auto` takes the best that there is; any other takes that one or fails. */
export type SecretChoice = "auto" | "keychain" | "file" | "memory";

export interface SecretStoreOptions {
  readonly choice: SecretChoice;
  /** Whose secrets, and where the files with encrypted ones are. */
  readonly dataDir: string;
  readonly logger: Logger;
  /** Where the host has one. */
  readonly systemCipher?: SystemCipher;
  /** Where there is someone, or something, to ask. */
  readonly passphrase?: PassphraseSource;
  /** The entry of the process for the keychain; the program's own by default. */
  readonly keychainWorker?: URL;
  /** Starts that process; with Node's `fork` by default. */
  readonly startProcess?: StartWorkerProcess;
  /** Where the session's keychain is; this process's own by default. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The computer's by default. */
  readonly machine?: Machine;
}

/**
 * Opens the best place for keys and tokens that there is: the system's keychain, a file under a key of the system's, a
 * file under a passphrase, memory. What is found in a lesser one is moved to it.
 *
 * What can't be read there any more is kept aside, and the store's note asks for it again. A key that the desktop app alone can
 * read stays where it is: the first look for it is a warning, with what to do.
 *
 * @throws SecretError when the place that was asked for can't be had, a passphrase is wrong, or a file is of a newer version
 */
export async function openSecretStore(options: SecretStoreOptions): Promise<SecretStore> {
  const store = await openReadableStore(options);
  if (options.choice === "memory" || options.systemCipher !== undefined) return store;
  const appOnly = await listAppOnly(resolve(options.dataDir));
  return appOnly.names.size === 0 ? store : reportAppOnly(store, appOnly, (message) => options.logger.warn(message));
}

/** The store, of the places that this host can read. */
async function openReadableStore(options: SecretStoreOptions): Promise<SecretStore> {
  const {
    choice,
    logger,
    keychainWorker = findEntry("keychain-worker"),
    env = process.env,
    machine = createSystemMachine(),
  } = options;
  if (choice === "memory") return createMemorySecretStore();
  const dataDir = resolve(options.dataDir);
  const lost = new Set<string>();
  const report = (message: string) => {
    if (!lost.has(message)) logger.warn(message);
    lost.add(message);
  };
  if (choice === "file") return openWith(await requireFile(dataDir, options.passphrase, report), { logger, lost });

  const keychain = await openKeychain({
    dataDir,
    worker: keychainWorker,
    startProcess: options.startProcess,
    env,
    machine,
  });
  if (choice === "keychain" && "lacking" in keychain) {
    throw new SecretError(`Keys can't be kept in the keychain: ${keychain.lacking} Choose another place for them.`);
  }
  const backends = [
    "backend" in keychain ? keychain.backend : null,
    await openReadable(options.systemCipher && openSystemFile(dataDir, options.systemCipher, machine, report), report),
    await openKnownFile(dataDir, options.passphrase, report),
  ].filter((backend) => backend !== null);

  const [best, ...lesser] = backends;
  if (best !== undefined) return await openWith(best, { logger, lost }, lesser);
  const path = findPassphraseFile(dataDir).path;
  const reason = existsSync(path) ? `${path} needs its passphrase.` : explainMemory(keychain);
  return createMemoryWithNote([reason, ...lost].join(" "));
}

interface Reports {
  readonly logger: Logger;
  /** Sentences on keys that can't be read any more: the user enters them again. */
  readonly lost: ReadonlySet<string>;
}

/** The store over a backend, after what lesser ones have was moved to it. */
async function openWith(
  backend: SecretBackend,
  { logger, lost }: Reports,
  lesser: readonly SecretBackend[] = [],
): Promise<SecretStore> {
  let secrets: Secrets = await backend.load();
  for (const each of lesser) {
    try {
      secrets = await migrateSecrets(each, backend, logger);
    } catch (error) {
      // Each secret is still in one of the two. The next start tries again.
      logger.warn("keys and tokens could not be moved", { from: each.name, to: backend.name, error: String(error) });
      secrets = new Map([...(await each.load()), ...secrets]);
    }
  }
  return createCachedStore(backend, secrets, { logger, lost });
}

/** A file that the system's key can't read any more is passed over, and left for a day when it can. */
async function openReadable(
  opening: Promise<SecretBackend | null> | undefined,
  report: (message: string) => void,
): Promise<SecretBackend | null> {
  try {
    const backend = (await opening) ?? null;
    await backend?.load();
    return backend;
  } catch (error) {
    report(error instanceof SecretError ? error.message : "The file under the system's key can't be read.");
    return null;
  }
}

/** A file that is there wants its passphrase; a new one is made only where a passphrase is given without asking. */
async function openKnownFile(
  dataDir: string,
  passphrase: PassphraseSource | undefined,
  report: (message: string) => void,
): Promise<SecretBackend | null> {
  if (passphrase === undefined) return null;
  if (passphrase.canRepeat && !existsSync(findPassphraseFile(dataDir).path)) return null;
  return await openPassphraseFile(dataDir, passphrase, report);
}

async function requireFile(
  dataDir: string,
  passphrase: PassphraseSource | undefined,
  report: (message: string) => void,
): Promise<SecretBackend> {
  const backend = passphrase === undefined ? null : await openPassphraseFile(dataDir, passphrase, report);
  if (backend !== null) return backend;
  throw new SecretError(
    "Keys can be kept in a file only under a passphrase. Set SHEAF_PASSPHRASE, or start Sheaf at a terminal and type one.",
  );
}

function explainMemory(keychain: KeychainResult): string {
  const lacking = "lacking" in keychain ? keychain.lacking : "";
  return `${lacking} With SHEAF_PASSPHRASE set they are kept in an encrypted file.`;
}

function createMemoryWithNote(reason: string): SecretStore {
  return {
    ...createMemorySecretStore(),
    note: `Not kept: keys and tokens are gone when Sheaf ends, because ${reason}`,
  };
}

/**
 * A store over a backend that may stop to answer, as a keychain does that is locked or ended: what was read or made in
 * this session stays in use. It then reports that changes are not stored, and tries again with the next one.
 */
function createCachedStore(backend: SecretBackend, loaded: Secrets, { logger, lost }: Reports): SecretStore {
  const values = new Map(loaded);
  /** Names whose latest value the backend does not have. */
  const unsaved = new Set<StoredSecretName>();

  async function save(name: StoredSecretName): Promise<void> {
    const value = values.get(name);
    if (value === undefined) await backend.erase(name);
    else await backend.save(name, value);
    unsaved.delete(name);
  }

  async function change(name: StoredSecretName): Promise<void> {
    unsaved.add(name);
    try {
      for (const each of [...unsaved]) await save(each);
    } catch (error) {
      const reason = error instanceof Error ? error.message : "unknown";
      logger.warn("a key or token was not stored", { name, backend: backend.name, error: reason });
    }
  }

  return {
    get kind() {
      return unsaved.size === 0 ? backend.kind : "memory";
    },
    get note() {
      return unsaved.size === 0
        ? [backend.note, ...lost].join(" ")
        : `Not kept: ${backend.name} no longer answers. What has changed since then is lost when Sheaf ends, and what was kept before holds again.`;
    },
    async get(name) {
      const known = values.get(name);
      // Keys of connections are shared with commands that run beside the app: one may have come since.
      if (known !== undefined || unsaved.has(name) || !name.startsWith("connection")) return known ?? null;
      return await backend.read(name).catch(() => null);
    },
    async set(name, value) {
      values.set(name, value);
      await change(name);
    },
    async remove(name) {
      values.delete(name);
      await change(name);
    },
  };
}

/**
 * Moves what a lesser backend has to a better one that has nothing of that name. A secret leaves the lesser one only when
 * it has been read back from the better one. Answers with all that the better one has then.
 */
async function migrateSecrets(from: SecretBackend, to: SecretBackend, logger: Logger): Promise<Secrets> {
  const found = await from.load();
  const before = await to.load();
  for (const [name, value] of found) if (!before.has(name)) await to.save(name, value);
  const after = await to.load();
  for (const [name, value] of found) {
    if (after.get(name) !== (before.get(name) ?? value)) continue;
    await from.erase(name);
    logger.info("a key or token was moved", { name, from: from.name, to: to.name });
  }
  return after;
}
