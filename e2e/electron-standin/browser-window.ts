import { EventEmitter } from "node:events";
import type { BrowserWindow, BrowserWindowConstructorOptions, ProgressBarOptions } from "electron";
import { PreventableEvent } from "./event.ts";
import { type Surroundings, WebContentsStandIn } from "./web-contents.ts";

type Methods = Pick<
  BrowserWindow,
  | "loadURL"
  | "show"
  | "hide"
  | "isVisible"
  | "minimize"
  | "isMinimized"
  | "restore"
  | "focus"
  | "blur"
  | "isFocused"
  | "close"
  | "destroy"
  | "setProgressBar"
  | "setBackgroundColor"
>;

/** The app, as its windows know it. */
interface WindowOwner extends Pick<EventEmitter, "emit"> {
  readonly windows: BrowserWindowStandIn[];
  readonly quitting: boolean;
  isReady(): boolean;
}

export class BrowserWindowStandIn extends EventEmitter implements Methods {
  readonly options: BrowserWindowConstructorOptions;
  readonly webContents: WebContentsStandIn;
  readonly #app: WindowOwner;
  #visible: boolean;
  #focused = false;
  #minimized = false;

  constructor(app: WindowOwner, surroundings: Surroundings, options: BrowserWindowConstructorOptions) {
    super();
    if (!app.isReady()) throw new Error("Cannot create BrowserWindow before app is ready");
    this.#app = app;
    this.options = options;
    this.#visible = options.show ?? true;
    this.webContents = new WebContentsStandIn(surroundings, options.webPreferences?.preload ?? "");
    app.windows.push(this);
    app.emit("web-contents-created", new PreventableEvent(), this.webContents);
  }

  async loadURL(url: string): Promise<void> {
    await this.webContents.load(url);
    setImmediate(() => this.emit("ready-to-show"));
  }

  show(): void {
    this.#visible = true;
    this.#focused = true;
    this.emit("show");
  }

  isVisible(): boolean {
    return this.#visible;
  }

  hide(): void {
    this.#visible = false;
    this.#focused = false;
  }

  minimize(): void {
    this.#minimized = true;
    this.#focused = false;
  }

  /** What the dock or taskbar shows. */
  progress: { readonly value: number; readonly mode?: string | undefined } = { value: -1 };

  setProgressBar(value: number, options: ProgressBarOptions = { mode: "normal" }): void {
    this.progress = { value, mode: options.mode };
  }

  setBackgroundColor(): void {}

  isMinimized(): boolean {
    return this.#minimized;
  }

  restore(): void {
    this.#minimized = false;
    this.emit("restore");
  }

  focus(): void {
    this.#focused = true;
  }

  blur(): void {
    this.#focused = false;
  }

  isFocused(): boolean {
    return this.#focused;
  }

  isDestroyed(): boolean {
    return !this.#app.windows.includes(this);
  }

  /** A listener can keep it open, and so can its page. */
  close(): void {
    if (this.isDestroyed()) return;
    const event = new PreventableEvent();
    this.emit("close", event);
    if (event.defaultPrevented) return;
    if (this.hangs) setImmediate(() => this.emit("unresponsive"));
    else if (this.webContents.mayLeave()) this.destroy();
  }

  /** Whether its page answers nothing. */
  hangs = false;

  destroy(): void {
    const { windows } = this.#app;
    const at = windows.indexOf(this);
    if (at < 0) return;
    windows.splice(at, 1);
    this.emit("closed");
    if (windows.length === 0 && !this.#app.quitting) this.#app.emit("window-all-closed");
  }
}

/** The class `BrowserWindow` as one app has it. */
export function createBrowserWindowClass(app: WindowOwner, surroundings: Surroundings) {
  return class extends BrowserWindowStandIn {
    constructor(options: BrowserWindowConstructorOptions = {}) {
      super(app, surroundings, options);
    }

    static getFocusedWindow(): BrowserWindowStandIn | null {
      return app.windows.find((window) => window.isFocused()) ?? null;
    }
  };
}
