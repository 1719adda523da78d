import { fileURLToPath } from "node:url";
import { utilityProcess } from "electron";
import type { StartWorkerProcess } from "#main/secrets";
import { keychainProcess } from "./policy/child-processes.ts";

/**
 * Starts a process of ours as Electron's utility process. `fork` of Node would run the app's binary as Node, which a
 * packaged app does not allow.
 */
export const startUtilityProcess: StartWorkerProcess = ({ entry, env, onMessage, onEnd }) => {
  const child = utilityProcess.fork(fileURLToPath(entry), [], {
    env: { ...env },
    stdio: "ignore",
    serviceName: keychainProcess,
  });
  child.on("message", (message: unknown) => {
    onMessage(message);
  });
  child.once("exit", (code) => onEnd(`its process ended with ${code}`));
  return { send: (message) => child.postMessage(message), kill: () => void child.kill() };
};
