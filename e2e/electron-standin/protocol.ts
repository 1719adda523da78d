import type { CustomScheme, Protocol } from "electron";
import type { AppStandIn } from "./app.ts";

type Handler = Parameters<Protocol["handle"]>[1];

export class ProtocolStandIn implements Pick<Protocol, "registerSchemesAsPrivileged" | "handle"> {
  readonly schemes: CustomScheme[] = [];
  readonly #handlers = new Map<string, Handler>();
  readonly #app: AppStandIn;

  constructor(app: AppStandIn) {
    this.#app = app;
  }

  registerSchemesAsPrivileged(schemes: CustomScheme[]): void {
    this.#app.assertNotReady("protocol.registerSchemesAsPrivileged()");
    this.schemes.push(...schemes);
  }

  handle(scheme: string, handler: Handler): void {
    if (!this.#app.isReady()) throw new Error("protocol.handle() cannot be called before app is ready");
    this.#handlers.set(scheme, handler);
  }

  /** What the page gets from an address. */
  async fetch(url: string, init?: RequestInit): Promise<Response> {
    const handler = this.#handlers.get(new URL(url).protocol.slice(0, -1));
    if (handler === undefined) throw new Error(`ERR_UNKNOWN_URL_SCHEME: ${url}`);
    return handler(new Request(url, init));
  }
}
