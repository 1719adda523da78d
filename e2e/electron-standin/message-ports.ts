import { EventEmitter } from "node:events";
import { MessageChannel, type MessagePort } from "node:worker_threads";
import type { MessageChannelMain, MessagePortMain } from "electron";

/**
 * The main process's end of a channel, over a real `MessagePort`: like Electron's, it holds messages back until it is
 * started, and hands listeners an event with `data`.
 */
export class MessagePortMainStandIn
  extends EventEmitter
  implements Pick<MessagePortMain, "postMessage" | "start" | "close">
{
  #port: MessagePort | null;

  constructor(port: MessagePort) {
    super();
    this.#port = port;
  }

  postMessage(message: unknown): void {
    this.#port?.postMessage(message);
  }

  start(): void {
    const port = this.#port;
    if (port === null || port.listenerCount("message") > 0) return;
    port.on("close", () => this.emit("close"));
    port.on("message", (data: unknown) => this.emit("message", { data, ports: [] }));
  }

  close(): void {
    this.#port?.close();
  }

  /** Gives the port to another process: this end is of no use any more. */
  take(): MessagePort {
    const port = this.#port;
    if (port === null) throw new Error("This port has been transferred already.");
    this.#port = null;
    return port;
  }
}

export class MessageChannelMainStandIn implements Record<keyof MessageChannelMain, MessagePortMainStandIn> {
  readonly port1: MessagePortMainStandIn;
  readonly port2: MessagePortMainStandIn;

  constructor() {
    const { port1, port2 } = new MessageChannel();
    this.port1 = new MessagePortMainStandIn(port1);
    this.port2 = new MessagePortMainStandIn(port2);
  }
}
