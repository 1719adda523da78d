import { fork } from "node:child_process";
import { EventEmitter } from "node:events";
import type { ForkOptions, UtilityProcess } from "electron";

/** Gives a process of Node the port that a utility process has. */
const givePort = `
import { EventEmitter } from "node:events";
const port = new EventEmitter();
port.postMessage = (message) => process.send(message);
process.on("message", (data) => port.emit("message", { data, ports: [] }));
process.parentPort = port;
`;

/** Electron's `utilityProcess`, over processes of Node. */
export function createUtilityProcess(app: { isReady(): boolean }) {
  return {
    fork(modulePath: string, args: string[] = [], { env, stdio, serviceName }: ForkOptions = {}) {
      if (!app.isReady()) throw new Error("utilityProcess cannot be created before app is ready");
      if (stdio !== "ignore" || !serviceName) throw new Error("What the stand-in was not made for.");
      return new UtilityProcessStandIn(modulePath, args, env);
    },
  };
}

class UtilityProcessStandIn extends EventEmitter implements Pick<UtilityProcess, "postMessage" | "kill"> {
  readonly #child: ReturnType<typeof fork>;

  constructor(modulePath: string, args: string[], env: ForkOptions["env"]) {
    super();
    const execArgv = ["--disable-warning=ExperimentalWarning", "--import", `data:text/javascript,${givePort}`];
    this.#child = fork(modulePath, args, { env: { ...env }, execArgv, stdio: "ignore" });
    this.#child.on("message", (message) => this.emit("message", message));
    this.#child.once("exit", (code) => this.emit("exit", code ?? 0));
  }

  postMessage(message: Parameters<ReturnType<typeof fork>["send"]>[0]): void {
    this.#child.send(message);
  }

  kill(): boolean {
    return this.#child.kill();
  }
}
