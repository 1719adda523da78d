import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type StoredSecretName, secretNameSchema } from "#contract";
import type { Machine } from "#main/base";
import { type SecretBackend, SecretError } from "../backend.ts";
import {
  type KeychainCall,
  type KeychainReply,
  type KeychainRequest,
  keychainReady,
  keychainReplySchema,
} from "./messages.ts";
import { type Environment, forkWorkerProcess, type StartWorkerProcess } from "./worker-process.ts";

export interface KeychainOptions {
  /** Whose secrets: each data folder has its own. */
  readonly dataDir: string;
  /** The entry of the process for the keychain. */
  readonly worker: URL;
  /** Starts that process; with Node's `fork` by default. */
  readonly startProcess?: StartWorkerProcess | undefined;
  /** Where the session's keychain is; this process's own by default. */
  readonly env?: Environment;
  readonly machine: Machine;
}

/** A keychain that works, or one sentence on why there is none. */
export type KeychainResult = { readonly backend: SecretBackend } | { readonly lacking: string };

const service = "Sheaf";
const names = secretNameSchema.options;

/** Opens the system's keychain, once it has shown that it stores what it is given. */
export async function openKeychain(options: KeychainOptions): Promise<KeychainResult> {
  const { dataDir, worker, startProcess = forkWorkerProcess, env = process.env, machine } = options;
  if (process.platform === "linux" && !hasSessionBus(env)) return { lacking: "this session has no keychain." };

  const scope = createHash("sha256").update(dataDir).digest("hex").slice(0, 16);
  const accountOf = (name: StoredSecretName) => `${name} ${scope}`;
  const call = (calls: readonly KeychainCall[]) =>
    callKeychain({ worker, startProcess, env, machine }, { service, calls: [...calls] });

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

  const backend: SecretBackend = {
    kind: "keychain",
    name: "the system's keychain",
    note: "Kept in the system's keychain.",
    load: async () => new Map(known),
    async read(name) {
      const outcome = await call([{ do: "get", account: accountOf(name) }]);
      if ("failure" in outcome) throw new SecretError(explain(outcome));
      return outcome.values[0] ?? null;
    },
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
  return { backend };
}

function toEntry(name: StoredSecretName, value: string | null | undefined): [StoredSecretName, string][] {
  return value === null || value === undefined ? [] : [[name, value]];
}

/** Without a session bus there is no keychain to ask, and asking could start one that no one sees. */
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

/**
 * Longer than a keychain takes that is open, in milliseconds; shorter than a person waits. A locked one may hang until
 * it is unlocked.
 */
const limit = 3_000;
/** Longer than a process takes to start on a computer that is busy with something else. */
const startLimit = 30_000;

type KeychainOutcome = KeychainReply | { readonly failure: "timed_out"; readonly reason: string };

interface CallDeps {
  readonly worker: URL;
  readonly startProcess: StartWorkerProcess;
  readonly env: Environment;
  readonly machine: Machine;
}

/** Makes calls of the keychain in a process of its own, which is ended when they take too long once it has started. */
function callKeychain(
  { worker, startProcess, env, machine }: CallDeps,
  request: KeychainRequest,
): Promise<KeychainOutcome> {
  const { promise, resolve } = Promise.withResolvers<KeychainOutcome>();
  const fail = (reason: string) => resolve({ failure: "failed", reason });
  const child = startProcess({
    entry: worker,
    env: withoutOurSecrets(env),
    onMessage(message) {
      if (message === keychainReady) {
        cancelTimer();
        cancelTimer = expire(limit);
        child.send(request);
        return;
      }
      const reply = keychainReplySchema.safeParse(message);
      resolve(reply.data ?? { failure: "failed", reason: "its answer was not understood" });
      child.kill();
    },
    onEnd(reason) {
      cancelTimer();
      fail(reason);
    },
  });
  const expire = (milliseconds: number) =>
    machine.after(milliseconds, () => {
      resolve({ failure: "timed_out", reason: `no answer within ${milliseconds} ms` });
      child.kill();
    });
  let cancelTimer = expire(startLimit);
  return promise;
}

/** The environment goes to whatever the native code starts: nothing of ours is for them. */
function withoutOurSecrets(env: Environment): Environment {
  const { SHEAF_PASSPHRASE: _, SHEAF_API_KEY: __, ...rest } = env;
  return rest;
}
