/**
 * A process of its own for the keychain's native code: calls that hang there would keep the process that made them from
 * ending, and a crash would end it. It makes the calls of one message, answers, and ends.
 */
import { createRequire } from "node:module";
import { type KeychainCall, type KeychainReply, keychainReady, keychainRequestSchema } from "./messages.ts";

/** What is used of keytar. Its own types are missing where the package is, and everything else must compile there too. */
interface Keychain {
  getPassword(service: string, account: string): Promise<string | null>;
  setPassword(service: string, account: string, password: string): Promise<void>;
  deletePassword(service: string, account: string): Promise<boolean>;
}

/** keytar is an optional dependency: an import by name would not resolve where npm has left it out. */
function loadKeychain(): Keychain | null {
  const requireOptional = createRequire(import.meta.url);
  try {
    return requireOptional("keytar");
  } catch {
    return null;
  }
}

async function make(call: KeychainCall, service: string, keychain: Keychain): Promise<string | null> {
  switch (call.do) {
    case "get":
      return await keychain.getPassword(service, call.account);
    case "set":
      await keychain.setPassword(service, call.account, call.value);
      return null;
    case "remove":
      await keychain.deletePassword(service, call.account);
      return null;
  }
}

async function answer(message: unknown): Promise<KeychainReply> {
  const keychain = loadKeychain();
  if (keychain === null) return { failure: "not_installed", reason: "keytar is not installed" };
  try {
    const { service, calls } = keychainRequestSchema.parse(message);
    const values: (string | null)[] = [];
    for (const call of calls) values.push(await make(call, service, keychain));
    return { values };
  } catch (error) {
    // The library's own words on what went wrong have no values in them; of a message that is not its own, nothing is shown.
    const isLibrary = error instanceof Error && error.name === "Error";
    return { failure: "failed", reason: isLibrary ? error.message : "the message was not understood" };
  }
}

/** A utility process of Electron has a port to the process that started it, one of Node's a channel. */
const port: typeof process.parentPort | undefined = process.parentPort;

if (port === undefined) {
  process.once("message", (message) => {
    void answer(message).then((reply) => process.send?.(reply, () => process.disconnect()));
  });
  process.send?.(keychainReady);
} else {
  // The app ends it once it has the reply: an exit from here could overtake the reply.
  port.once("message", ({ data }) => void answer(data).then((reply) => port.postMessage(reply)));
  port.postMessage(keychainReady);
}
