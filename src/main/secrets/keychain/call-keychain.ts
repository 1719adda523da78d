import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type KeychainReply, type KeychainRequest, keychainReplySchema } from "./messages.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Longer than a keychain takes that is open, in milliseconds; shorter than a person waits. A locked one may hang until
 * it is unlocked.
 */
const limit = 3_000;

export type KeychainOutcome = KeychainReply | { readonly failure: "timed_out"; readonly reason: string };

/** Makes calls of the keychain in a process of its own, which is ended when they take too long. */
export function callKeychain(worker: URL, request: KeychainRequest, env: Environment): Promise<KeychainOutcome> {
  const { promise, resolve } = Promise.withResolvers<KeychainOutcome>();
  const child = fork(fileURLToPath(worker), {
    env: withoutOurSecrets(env),
    execArgv: ["--disable-warning=ExperimentalWarning"],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const timer = setTimeout(() => {
    resolve({ failure: "timed_out", reason: `no answer within ${limit} ms` });
    child.kill("SIGKILL");
  }, limit);
  const fail = (reason: string) => resolve({ failure: "failed", reason });
  child.once("message", (message) => {
    const reply = keychainReplySchema.safeParse(message);
    resolve(reply.data ?? { failure: "failed", reason: "its answer was not understood" });
  });
  child.on("error", (error) => fail(error.message));
  child.once("exit", (code, signal) => {
    clearTimeout(timer);
    fail(`its process ended with ${signal ?? code}`);
  });
  child.send(request, (error) => {
    if (error !== null) fail(error.message);
  });
  return promise;
}

/** The environment goes to whatever the native code starts: nothing of ours is for them. */
function withoutOurSecrets(env: Environment): Environment {
  const { SHEAF_PASSPHRASE: _, SHEAF_API_KEY: __, ...rest } = env;
  return rest;
}
