import { EventEmitter } from "node:events";
import { join } from "node:path";
import type { App, RelaunchOptions } from "electron";
import type { BrowserWindowStandIn } from "./browser-window.ts";
import { PreventableEvent } from "./event.ts";

export interface AppSetting {
  /** Where the system's folders are: the user's data, downloads … */
  readonly folder: string;
  readonly version: string;
  /** Whether it is the only instance that runs. */
  readonly first: boolean;
  readonly packaged: boolean;
}

type Methods = Pick<
  App,
  | "whenReady"
  | "isReady"
  | "enableSandbox"
  | "requestSingleInstanceLock"
  | "getPath"
  | "setPath"
  | "getVersion"
  | "setName"
  | "isPackaged"
  | "quit"
  | "exit"
  | "setAsDefaultProtocolClient"
  | "setBadgeCount"
  | "addRecentDocument"
  | "clearRecentDocuments"
  | "relaunch"
>;

/** Electron's `app`: its life from the entry's evaluation over `ready` to the end, in Electron's order. */
export class AppStandIn extends EventEmitter implements Methods {
  readonly isPackaged: boolean;
  /** The open windows. */
  readonly windows: BrowserWindowStandIn[] = [];
  /** Set once the app has ended. */
  exitCode: number | null = null;
  sandboxed = false;
  quitting = false;
  readonly #paths = new Map<string, string>();
  readonly #version: string;
  readonly #first: boolean;
  #resolveReady: () => void = () => {};
  readonly #whenReady = new Promise<void>((resolve) => {
    this.#resolveReady = resolve;
  });
  #ready = false;

  constructor({ folder, version, first, packaged }: AppSetting) {
    super();
    this.isPackaged = packaged;
    this.#version = version;
    this.#first = first;
    for (const name of ["userData", "temp", "downloads", "documents"]) this.#paths.set(name, join(folder, name));
  }

  whenReady(): Promise<void> {
    return this.#whenReady;
  }

  isReady(): boolean {
    return this.#ready;
  }

  /** Electron does this once the entry, an ES module, has been evaluated to its end, and not before. */
  becomeReady(): void {
    this.#ready = true;
    this.emit("ready", new PreventableEvent(), {});
    this.#resolveReady();
  }

  enableSandbox(): void {
    this.assertNotReady("app.enableSandbox()");
    this.sandboxed = true;
  }

  requestSingleInstanceLock(): boolean {
    return this.#first;
  }

  getPath(name: string): string {
    const path = this.#paths.get(name);
    if (path === undefined) throw new Error(`Failed to get '${name}' path`);
    return path;
  }

  setPath(name: string, path: string): void {
    this.#paths.set(name, path);
  }

  getVersion(): string {
    return this.#version;
  }

  setName(): void {}

  /** The schemes whose links are the app's. */
  readonly ownedSchemes: string[] = [];

  setAsDefaultProtocolClient(scheme: string): boolean {
    this.ownedSchemes.push(scheme);
    return true;
  }

  /** Ends the app: its windows first, then itself, and each step can be prevented. */
  quit(): void {
    if (this.quitting) return;
    const before = new PreventableEvent();
    this.emit("before-quit", before);
    if (before.defaultPrevented) return;
    this.quitting = true;
    for (const window of [...this.windows]) window.close();
    this.quitting = false;
    if (this.windows.length > 0) return;
    const will = new PreventableEvent();
    this.emit("will-quit", will);
    if (!will.defaultPrevented) this.exit(0);
  }

  exit(exitCode = 0): void {
    if (this.exitCode !== null) return;
    this.exitCode = exitCode;
    this.emit("quit", new PreventableEvent(), exitCode);
  }

  badge = 0;

  setBadgeCount(count = 0): boolean {
    this.badge = count;
    return true;
  }

  /** The system's own list. */
  recentDocuments: string[] = [];

  addRecentDocument(path: string): void {
    this.recentDocuments.push(path);
  }

  clearRecentDocuments(): void {
    this.recentDocuments = [];
  }

  /** The arguments of the start that follows this one; null where none does. */
  relaunchArgs: readonly string[] | null = null;
  /** The program of that start. */
  relaunchPath = process.execPath;

  relaunch({ args = [], execPath = process.execPath }: RelaunchOptions = {}): void {
    this.relaunchArgs = args;
    this.relaunchPath = execPath;
  }

  /** The user, or the system for them, starts the app while it runs. */
  startAgain(args: readonly string[] = [], cwd = "/"): void {
    this.emit("second-instance", new PreventableEvent(), [process.execPath, ...args], cwd, {});
  }

  /** What Electron refuses once it is ready. */
  assertNotReady(call: string): void {
    if (this.#ready) throw new Error(`${call} should be called before app is ready`);
  }
}
