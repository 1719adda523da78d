import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { z } from "zod";
import { createMemorySecretStore, type Logger, type SecretStore } from "#main/base";
import {
  openSecretStore,
  type PassphraseSource,
  type SecretChoice,
  SecretError,
  type SecretStoreOptions,
} from "#main/secrets";
import { DataDirError, placesIn, refuseNewer } from "#main/storage";
import { CliError, exitCodes } from "./cli-error.ts";
import { type CommandProcess, printError } from "./command-process.ts";
import type { Storage } from "./data-folder.ts";
import { secretChoices } from "./shared-flags.ts";

const shortestPassphrase = 8;

/** Options of a host. */
interface HostDeps extends Pick<SecretStoreOptions, "systemCipher" | "startProcess"> {
  /** Whether its user is at the terminal it was started from, if any. */
  readonly atTerminal?: boolean;
  readonly io: CommandProcess;
}

/**
 * Opens the store of keys and tokens that the flag, else SHEAF_SECRETS, asks for. A run without a data folder has its keys
 * in memory.
 * @throws CliError when it isn't available
 */
export async function openSecrets(
  choice: SecretChoice | undefined,
  storage: Storage,
  logger: Logger,
  { atTerminal = true, io, ...parts }: HostDeps,
): Promise<SecretStore> {
  if (!("dataDir" in storage)) return createMemorySecretStore();
  const passphrase = findPassphraseSource(io, atTerminal);
  const options = {
    choice: choice ?? readChoice(io),
    dataDir: storage.dataDir,
    logger,
    env: io.env,
    machine: io.machine,
    ...parts,
  };
  try {
    // Keys are moved to the best place that there is: not those of a newer version, whose folder stays as it is.
    refuseNewer(placesIn(storage.dataDir).journal);
    return await openSecretStore(passphrase === null ? options : { ...options, passphrase });
  } catch (error) {
    if (error instanceof SecretError || error instanceof DataDirError)
      throw new CliError(error.message, exitCodes.failed);
    throw error;
  }
}

function readChoice({ env }: CommandProcess): SecretChoice {
  const parsed = z.enum(secretChoices).safeParse(env.SHEAF_SECRETS || "auto");
  if (parsed.success) return parsed.data;
  throw new CliError(`SHEAF_SECRETS expects one of: ${secretChoices.join(", ")}.`, exitCodes.unusable);
}

/** SHEAF_PASSPHRASE, else the person at the terminal; null where there is neither. */
function findPassphraseSource(io: CommandProcess, atTerminal: boolean): PassphraseSource | null {
  const given = io.env.SHEAF_PASSPHRASE;
  // Programs that are started from here on, such as the browser, must not inherit it.
  delete io.env.SHEAF_PASSPHRASE;
  if (given) return { canRepeat: false, ask: async (_file, purpose) => checkLength(given, purpose) };
  if (!atTerminal || !io.stdin.isTTY || !io.stderr.isTTY) return null;
  return { canRepeat: true, ask: (file, purpose) => askPassphrase(file, purpose, io) };
}

function checkLength(passphrase: string, purpose: "new" | "known" | "again"): string {
  if (purpose !== "new" || passphrase.length >= shortestPassphrase) return passphrase;
  throw new CliError(`SHEAF_PASSPHRASE takes at least ${shortestPassphrase} characters.`, exitCodes.unusable);
}

/** Asks the person at the terminal for the passphrase of a file. Null when they just press Enter. */
async function askPassphrase(
  file: string,
  purpose: "new" | "known" | "again",
  io: CommandProcess,
): Promise<string | null> {
  if (purpose !== "new") {
    if (purpose === "again") printError("That is not its passphrase.", io);
    return (await askUnseen(`Passphrase of ${file} (Enter to go on without): `, io)) || null;
  }
  for (;;) {
    const first = await askUnseen(`New passphrase for ${file}, at least ${shortestPassphrase} characters: `, io);
    if (first === "") return null;
    if (first.length < shortestPassphrase) printError("That is too short.", io);
    else if ((await askUnseen("The same again: ", io)) === first) return first;
    else printError("These are two different ones.", io);
  }
}

/** Reads a line without an echo. Ctrl+C ends the process, as usual. */
export async function askUnseen(question: string, io: CommandProcess): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: io.stdin, output: nowhere, terminal: true });
  const { promise, resolve } = Promise.withResolvers<string>();
  lines.once("SIGINT", () => io.exit(130));
  lines.once("line", resolve);
  lines.once("close", () => resolve(""));
  // Only after the terminal's echo is off.
  io.stderr.write(question);
  const answer = await promise;
  lines.close();
  io.stderr.write("\n");
  return answer;
}
