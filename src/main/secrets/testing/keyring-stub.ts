import { type KeychainCall, type KeychainReply, keychainReady, keychainRequestSchema } from "../keychain/messages.ts";
import type { StartWorkerProcess } from "../keychain/worker-process.ts";

/** A keychain in memory, in place of the process that asks the system's. */
export interface KeyringStub {
  readonly startProcess: StartWorkerProcess;
  /** What is in it, by `service account`. */
  readonly entries: Map<string, string>;
  /** A locked one takes a write without a word, and answers null. */
  isLocked: boolean;
  /** For programs that are to look for a keychain. */
  readonly env: Readonly<Record<string, string>>;
}

export function createKeyringStub(entries: Readonly<Record<string, string>> = {}): KeyringStub {
  const stub: KeyringStub = {
    entries: new Map(Object.entries(entries)),
    isLocked: false,
    env: { DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere" },
    startProcess({ onMessage }) {
      queueMicrotask(() => onMessage(keychainReady));
      return {
        send(message) {
          const { service, calls } = keychainRequestSchema.parse(message);
          const values = calls.map((call) => make(`${service} ${call.account}`, call));
          queueMicrotask(() => onMessage({ values } satisfies KeychainReply));
        },
        kill() {},
      };
    },
  };

  function make(name: string, call: KeychainCall): string | null {
    if (stub.isLocked) return null;
    if (call.do === "get") return stub.entries.get(name) ?? null;
    if (call.do === "set") stub.entries.set(name, call.value);
    else stub.entries.delete(name);
    return null;
  }
  return stub;
}
