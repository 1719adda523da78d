import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { createMemorySecretStore, type Logger, type SecretStore } from "#service";
import {
  findPassphraseFile,
  openPassphraseFile,
  openSystemFile,
  type PassphraseSource,
  type SystemCipher,
} from "./file/index.ts";
import { createKeptStore } from "./kept-store.ts";
import { type OpenedKeychain, openKeychain } from "./keychain/index.ts";
import { moveUp } from "./move-up.ts";
import type { SecretPlace, Secrets } from "./place.ts";
import { SecretError } from "./secret-error.ts";

/** `auto` takes the best that there is; any other takes that one or fails. */
export type SecretChoice = "auto" | "keychain" | "file" | "memory";

export interface SecretStoreOptions {
  readonly choice: SecretChoice;
  /** Whose secrets, and where the files with encrypted ones are. */
  readonly dataDir: string;
  readonly logger: Logger;
  /** Where the host has one. */
  readonly systemCipher?: SystemCipher;
  /** Where there is somebody, or something, to ask. */
  readonly passphrase?: PassphraseSource;
  /** The entry of the process for the keychain; as it lies in the sources unless told. */
  readonly keychainWorker?: URL;
  /** Says where the session's keychain is; this process's own unless told. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/**
 * Opens the best place for keys and tokens that there is: the system's keychain, a file under a key of the system's, a
 * file under a passphrase, memory. What is found in a lesser one is moved to it.
 *
 * @throws SecretError when the place that was asked for can't be had, a passphrase is wrong, or a file is damaged
 */
export async function openSecretStore(options: SecretStoreOptions): Promise<SecretStore> {
  const { choice, logger, keychainWorker = defaultWorker(), env = process.env } = options;
  if (choice === "memory") return createMemorySecretStore();
  const dataDir = resolve(options.dataDir);
  if (choice === "file") return keepIn(await requireFile(dataDir, options.passphrase), logger);

  const keychain = await openKeychain({ dataDir, worker: keychainWorker, env });
  if (choice === "keychain" && "lacking" in keychain) {
    throw new SecretError(`Keys can't be kept in the keychain: ${keychain.lacking} Choose another place for them.`);
  }
  const places = [
    "place" in keychain ? keychain.place : null,
    await openReadable(options.systemCipher && openSystemFile(dataDir, options.systemCipher), logger),
    await openKnownFile(dataDir, options.passphrase),
  ].filter((place) => place !== null);

  const [best, ...lesser] = places;
  if (best !== undefined) return await keepIn(best, logger, lesser);
  const path = findPassphraseFile(dataDir).path;
  return createNotedMemory(existsSync(path) ? `${path} needs its passphrase.` : tellLack(keychain));
}

function defaultWorker(): URL {
  return new URL("./keychain/worker.ts", import.meta.url);
}

async function keepIn(place: SecretPlace, logger: Logger, lesser: readonly SecretPlace[] = []): Promise<SecretStore> {
  let secrets: Secrets = await place.load();
  for (const each of lesser) {
    try {
      secrets = await moveUp(place, each, logger);
    } catch (error) {
      // Each secret is still in one of the two. The next start tries again.
      logger.warn("keys and tokens could not be moved", { from: each.name, to: place.name, error: String(error) });
      secrets = new Map([...(await each.load()), ...secrets]);
    }
  }
  return createKeptStore(place, secrets, logger);
}

/** A file that the system's key can't read any more is passed over, and left for a day when it can. */
async function openReadable(
  opening: Promise<SecretPlace | null> | undefined,
  logger: Logger,
): Promise<SecretPlace | null> {
  try {
    const place = (await opening) ?? null;
    await place?.load();
    return place;
  } catch (error) {
    logger.warn("keys and tokens can't be read", { error: error instanceof Error ? error.message : "unknown" });
    return null;
  }
}

/** A file that is there wants its passphrase; a new one is made only where a passphrase is given without asking. */
async function openKnownFile(dataDir: string, passphrase: PassphraseSource | undefined): Promise<SecretPlace | null> {
  if (passphrase === undefined) return null;
  if (passphrase.canRepeat && !existsSync(findPassphraseFile(dataDir).path)) return null;
  return await openPassphraseFile(dataDir, passphrase);
}

async function requireFile(dataDir: string, passphrase: PassphraseSource | undefined): Promise<SecretPlace> {
  const place = passphrase === undefined ? null : await openPassphraseFile(dataDir, passphrase);
  if (place !== null) return place;
  throw new SecretError(
    "Keys can be kept in a file only under a passphrase. Set SHEAF_PASSPHRASE, or start Sheaf at a terminal and type one.",
  );
}

function tellLack(keychain: OpenedKeychain): string {
  const lacking = "lacking" in keychain ? keychain.lacking : "";
  return `${lacking} With SHEAF_PASSPHRASE set they are kept in an encrypted file.`;
}

function createNotedMemory(reason: string): SecretStore {
  return {
    ...createMemorySecretStore(),
    note: `Not kept: keys and tokens are gone when Sheaf ends, because ${reason}`,
  };
}
