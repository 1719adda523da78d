import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

export type Environment = Readonly<Record<string, string | undefined>>;

/** A process of ours that takes and sends messages. */
export interface WorkerProcess {
  send(message: unknown): void;
  kill(): void;
}

export interface WorkerProcessOptions {
  /** Its entry, an own file. */
  readonly entry: URL;
  readonly env: Environment;
  readonly onMessage: (message: unknown) => void;
  /** Called when it can't be started, when a message can't be sent, and when it has ended, with the reason. */
  readonly onEnd: (reason: string) => void;
}

/** Starts one, as the host can: Electron has no `fork` once its binary can't be run as Node. */
export type StartWorkerProcess = (options: WorkerProcessOptions) => WorkerProcess;

/** Starts one with Node's `fork`. */
export const forkWorkerProcess: StartWorkerProcess = ({ entry, env, onMessage, onEnd }) => {
  const child = fork(fileURLToPath(entry), {
    env: { ...env },
    execArgv: ["--disable-warning=ExperimentalWarning"],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  child.on("message", onMessage);
  child.on("error", (error) => onEnd(error.message));
  child.once("exit", (code, signal) => onEnd(`its process ended with ${signal ?? code}`));
  return {
    send(message) {
      child.send(Object(message), (error) => {
        if (error !== null) onEnd(error.message);
      });
    },
    kill: () => void child.kill("SIGKILL"),
  };
};
