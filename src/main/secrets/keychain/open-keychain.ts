import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type SecretName, secretNameSchema } from "#contract";
import type { SecretPlace } from "../place.ts";
import { SecretError } from "../secret-error.ts";
import { callKeychain, type Environment, type KeychainOutcome } from "./call-keychain.ts";
import type { KeychainCall } from "./messages.ts";

export interface KeychainOptions {
  /** Whose secrets: each data folder has its own. */
  readonly dataDir: string;
  /** The entry of the process for the keychain. */
  readonly worker: URL;
  /** Says where the session's keychain is; this process's own unless told. */
  readonly env?: Environment;
}

/** A keychain that works, or one sentence on why there is none. */
export type OpenedKeychain = { readonly place: SecretPlace } | { readonly lacking: string };

const service = "Sheaf";
const names = secretNameSchema.options;

/** Opens the system's keychain, once it has shown that it keeps what it is given. */
export async function openKeychain(options: KeychainOptions): Promise<OpenedKeychain> {
  const { dataDir, worker, env = process.env } = options;
  if (process.platform === "linux" && !hasSessionBus(env)) return { lacking: "this session has no keychain." };

  const scope = createHash("sha256").update(dataDir).digest("hex").slice(0, 16);
  const accountOf = (name: SecretName) => `${name} ${scope}`;
  const call = (calls: readonly KeychainCall[]) => callKeychain(worker, { service, calls: [...calls] }, env);

  // One that is locked takes a write without a word, and answers null.
  const probe = { account: `probe ${randomUUID()}`, value: randomUUID() };
  const first = await call([
    { do: "set", ...probe },
    { do: "get", account: probe.account },
    { do: "remove", account: probe.account },
    ...names.map((name) => ({ do: "get" as const, account: accountOf(name) })),
  ]);
  if ("failure" in first) return { lacking: explain(first) };
  if (first.values[1] !== probe.value) return { lacking: "the system's keychain is locked, or keeps nothing." };
  const known = new Map(names.flatMap((name, at) => toEntry(name, first.values[at + 3])));

  const place: SecretPlace = {
    kind: "keychain",
    name: "the system's keychain",
    note: "Kept in the system's keychain.",
    load: async () => new Map(known),
    async save(name, value) {
      const account = accountOf(name);
      const outcome = await call([
        { do: "set", account, value },
        { do: "get", account },
      ]);
      if ("failure" in outcome) throw new SecretError(explain(outcome));
      if (outcome.values[1] !== value) throw new SecretError("the system's keychain did not keep what it was given.");
      known.set(name, value);
    },
    async erase(name) {
      const outcome = await call([{ do: "remove", account: accountOf(name) }]);
      if ("failure" in outcome) throw new SecretError(explain(outcome));
      known.delete(name);
    },
  };
  return { place };
}

function toEntry(name: SecretName, value: string | null | undefined): [SecretName, string][] {
  return value === null || value === undefined ? [] : [[name, value]];
}

/** Without a session bus there is no keychain to ask, and asking could start one that nobody sees. */
function hasSessionBus({ DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR }: Environment) {
  return Boolean(DBUS_SESSION_BUS_ADDRESS) || (XDG_RUNTIME_DIR ? existsSync(join(XDG_RUNTIME_DIR, "bus")) : false);
}

function explain({ failure }: Exclude<KeychainOutcome, { values: unknown }>): string {
  switch (failure) {
    case "not_installed":
      return "keytar, which reaches the system's keychain, could not be installed here.";
    case "timed_out":
      return "the system's keychain did not answer in time: it may be locked.";
    case "failed":
      return "the system's keychain can't be reached.";
  }
}
