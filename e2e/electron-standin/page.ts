import { EventEmitter } from "node:events";
import { readFileSync } from "node:fs";
import { compileFunction, createContext } from "node:vm";
import type { MessagePort } from "node:worker_threads";
import type { IpcRenderer } from "electron";

/** Sends a message of the page's process to the main process. */
type SendToMain = (channel: string, args: unknown[]) => void;

class IpcRendererStandIn extends EventEmitter implements Pick<IpcRenderer, "send"> {
  readonly #sendToMain: SendToMain;

  constructor(sendToMain: SendToMain) {
    super();
    this.#sendToMain = sendToMain;
  }

  send(channel: string, ...args: unknown[]): void {
    this.#sendToMain(channel, args);
  }
}

/** A message as a page's `message` listeners get it. */
export interface PageMessage {
  readonly data: unknown;
  readonly origin: string;
  readonly source: unknown;
  readonly ports: readonly MessagePort[];
}

/** As much of a page's window as it shares with its preload. */
export class PageWindow extends EventTarget {
  readonly location: { readonly href: string; readonly origin: string };

  constructor(href: string, origin: string) {
    super();
    this.location = { href, origin };
  }

  /** Like the real one: in a later turn, only to its own origin, and with the ports moved rather than shared. */
  postMessage(data: unknown, targetOrigin: string, transfer: readonly MessagePort[] = []): void {
    const moved = structuredClone({ data, ports: transfer }, { transfer: [...transfer] });
    if (targetOrigin !== this.location.origin) return;
    setImmediate(() => this.dispatch({ ...moved, origin: this.location.origin, source: this }));
  }

  /** Delivers a message as from anywhere, also from where none may come. */
  dispatch(message: PageMessage): void {
    this.dispatchEvent(Object.assign(new Event("message"), message));
  }
}

/** One load of a page: its window, and its preload run in it as in Electron's sandbox. */
export class PageStandIn {
  readonly window: PageWindow;
  readonly #ipcRenderer: IpcRendererStandIn;

  constructor(href: string, origin: string, preloadPath: string, sendToMain: SendToMain) {
    this.window = new PageWindow(href, origin);
    this.#ipcRenderer = new IpcRendererStandIn(sendToMain);
    if (preloadPath !== "") this.#run(preloadPath);
  }

  /** A message from the main process has come. */
  receive(channel: string, message: unknown, ports: readonly MessagePort[]): void {
    this.#ipcRenderer.emit(channel, { ports, sender: this.#ipcRenderer }, message);
  }

  /** Runs a preload as CommonJS that can require `electron` and sees no global of Node. */
  #run(preloadPath: string): void {
    const electron = { ipcRenderer: this.#ipcRenderer };
    const require = (name: string) => {
      if (name === "electron") return electron;
      throw new Error(`A sandboxed preload cannot require ${name}.`);
    };
    const parsingContext = createContext({ window: this.window, location: this.window.location });
    const parameters = ["require", "module", "exports"];
    const module = { exports: {} };
    const preload = compileFunction(readFileSync(preloadPath, "utf8"), parameters, {
      filename: preloadPath,
      parsingContext,
    });
    preload(require, module, module.exports);
  }
}
