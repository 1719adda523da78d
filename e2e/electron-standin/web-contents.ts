import { EventEmitter } from "node:events";
import type { HandlerDetails, WebContents, WebFrameMain, WindowOpenHandlerResponse } from "electron";
import { PreventableEvent } from "./event.ts";
import type { MessagePortMainStandIn } from "./message-ports.ts";
import { PageStandIn } from "./page.ts";

/** A frame of a page as the main process sees it. */
export class WebFrameMainStandIn implements Pick<WebFrameMain, "origin" | "url" | "postMessage"> {
  readonly origin: string;
  readonly url: string;
  readonly parent: WebFrameMainStandIn | null;
  readonly #receive: PageStandIn["receive"];

  constructor(url: string, origin: string, parent: WebFrameMainStandIn | null, receive: PageStandIn["receive"]) {
    this.url = url;
    this.origin = origin;
    this.parent = parent;
    this.#receive = receive;
  }

  postMessage(channel: string, message: unknown, transfer: MessagePortMainStandIn[] = []): void {
    const ports = transfer.map((port) => port.take());
    setImmediate(() => this.#receive(channel, structuredClone(message), ports));
  }
}

/** What web contents need of the rest: to fetch what is at an address, and to bring a message to `ipcMain`. */
export interface Surroundings {
  readonly fetch: (url: string) => Promise<Response>;
  readonly deliver: (channel: string, event: MainEvent, args: readonly unknown[]) => void;
}

export interface MainEvent {
  readonly sender: WebContentsStandIn;
  readonly senderFrame: WebFrameMainStandIn | null;
}

export class WebContentsStandIn
  extends EventEmitter
  implements
    Pick<
      WebContents,
      "setWindowOpenHandler" | "reload" | "setZoomFactor" | "forcefullyCrashRenderer" | "executeJavaScript"
    >
{
  readonly #surroundings: Surroundings;
  readonly #preloadPath: string;
  #openHandler: (details: HandlerDetails) => WindowOpenHandlerResponse = () => ({ action: "allow" });
  page: PageStandIn | null = null;
  mainFrame: WebFrameMainStandIn | null = null;

  constructor(surroundings: Surroundings, preloadPath: string) {
    super();
    this.#surroundings = surroundings;
    this.#preloadPath = preloadPath;
  }

  setWindowOpenHandler(handler: (details: HandlerDetails) => WindowOpenHandlerResponse): void {
    this.#openHandler = handler;
  }

  /** With what error the next loads of a page fail, as the network does. */
  loadError: { readonly code: number; readonly description: string } | null = null;
  /** Whether the page consents to its end: one with a draft that is not saved does not. */
  consents = true;

  /** Loads a page: fetches its document, makes a new window for it, and runs the preload there. */
  async load(url: string): Promise<Response> {
    if (this.loadError !== null) {
      const { code, description } = this.loadError;
      this.emit("did-fail-load", {}, code, description, url, true);
      throw new Error(`${description} (${code}) loading '${url}'`);
    }
    const response = await this.#surroundings.fetch(url);
    this.emit("did-navigate", {}, url, response.status, response.statusText);
    if (!response.ok) return response;
    const { protocol, host } = new URL(url);
    const origin = `${protocol}//${host}`;
    const page = new PageStandIn(url, origin, this.#preloadPath, (channel, args) => this.#send(channel, args));
    this.page = page;
    this.mainFrame = new WebFrameMainStandIn(url, origin, null, (...message) => page.receive(...message));
    this.emit("did-finish-load");
    return response;
  }

  reload(): void {
    const url = this.mainFrame?.url;
    if (url !== undefined && this.mayLeave()) this.load(url).catch(() => {});
  }

  /** Whether the page may go: it consents, or the app overrides that. */
  mayLeave(): boolean {
    if (this.consents) return true;
    const event = new PreventableEvent();
    this.emit("will-prevent-unload", event);
    return event.defaultPrevented;
  }

  forcefullyCrashRenderer(): void {
    this.emit("render-process-gone", {}, { reason: "killed", exitCode: 9 });
  }

  /** The scripts that the app has run in its page. */
  readonly executed: string[] = [];

  async executeJavaScript(code: string): Promise<void> {
    this.executed.push(code);
  }

  zoom = 1;

  setZoomFactor(factor: number): void {
    this.zoom = factor;
  }

  #send(channel: string, args: readonly unknown[]): void {
    const event = { sender: this, senderFrame: this.mainFrame };
    setImmediate(() => this.#surroundings.deliver(channel, event, structuredClone(args)));
  }

  /** The page tries to go elsewhere. The answer is whether it may. */
  tryToNavigate(url: string, event: "will-frame-navigate" | "will-redirect", isMainFrame = true): boolean {
    const details = Object.assign(new PreventableEvent(), { url, isMainFrame });
    this.emit(event, details);
    return !details.defaultPrevented;
  }

  /** The page calls `window.open`. The answer is whether it may. */
  tryToOpen(url: string): boolean {
    const referrer = { url: "", policy: "default" } as const;
    const answer = this.#openHandler({ url, frameName: "", features: "", disposition: "new-window", referrer });
    return answer.action === "allow";
  }

  /** The page attaches a `<webview>`. The answer is whether it may. */
  tryToAttachWebview(): boolean {
    const event = new PreventableEvent();
    this.emit("will-attach-webview", event, {}, {});
    return !event.defaultPrevented;
  }
}
