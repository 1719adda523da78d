import { EventEmitter } from "node:events";
import type { CustomScheme, Protocol, Session } from "electron";
import { PreventableEvent } from "./event.ts";

type RequestHandler = NonNullable<Parameters<Session["setPermissionRequestHandler"]>[0]>;
type CheckHandler = NonNullable<Parameters<Session["setPermissionCheckHandler"]>[0]>;
type DeviceHandler = NonNullable<Parameters<Session["setDevicePermissionHandler"]>[0]>;

export type Permission = Parameters<RequestHandler>[1];

type Methods = Pick<
  Session,
  "setPermissionRequestHandler" | "setPermissionCheckHandler" | "setDevicePermissionHandler"
>;

/** A session: like Electron's, it grants everything until it has a handler. */
export class SessionStandIn extends EventEmitter implements Methods {
  readonly protocol: ProtocolStandIn;
  #request: RequestHandler | null = null;
  #check: CheckHandler | null = null;
  #device: DeviceHandler | null = null;

  constructor(protocol: ProtocolStandIn) {
    super();
    this.protocol = protocol;
  }

  setPermissionRequestHandler(handler: RequestHandler | null): void {
    this.#request = handler;
  }

  setPermissionCheckHandler(handler: CheckHandler | null): void {
    this.#check = handler;
  }

  setDevicePermissionHandler(handler: DeviceHandler | null): void {
    this.#device = handler;
  }

  /** A page at `url` asks for a permission, as `getUserMedia` does. The answer is whether it gets it. */
  request(permission: Permission, url: string): boolean {
    if (this.#request === null) return true;
    let granted = false;
    const callback = (answer: boolean) => {
      granted = answer;
    };
    const details = { requestingUrl: url, isMainFrame: true };
    // Untyped, because the first argument of a real call is a whole WebContents.
    Reflect.apply(this.#request, undefined, [null, permission, callback, details]);
    return granted;
  }

  /** A page of `origin` looks whether it has a permission, as `navigator.permissions.query` does. */
  check(permission: Permission, origin: string): boolean {
    return this.#check === null || this.#check(null, permission, origin, { isMainFrame: true });
  }

  /** A page of `origin` wants to use a device. */
  checkDevice(origin: string): boolean {
    const device = { name: "device", deviceId: "1", vendorId: 1, productId: 1, collections: [] };
    return this.#device === null || this.#device({ deviceType: "hid", origin, device });
  }

  /** A page starts a download. The answer is whether it may. */
  tryToDownload(): boolean {
    const event = new PreventableEvent();
    this.emit("will-download", event);
    return !event.defaultPrevented;
  }
}

type Handler = Parameters<Protocol["handle"]>[1];

/** What it asks of the app. */
interface Readiness {
  isReady(): boolean;
  /** Fails once the app is ready. */
  assertNotReady(call: string): void;
}

export class ProtocolStandIn implements Pick<Protocol, "registerSchemesAsPrivileged" | "handle"> {
  readonly schemes: CustomScheme[] = [];
  readonly #handlers = new Map<string, Handler>();
  readonly #app: Readiness;

  constructor(app: Readiness) {
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
    if (url.startsWith("data:")) return fetch(url);
    const handler = this.#handlers.get(new URL(url).protocol.slice(0, -1));
    if (handler === undefined) throw new Error(`ERR_UNKNOWN_URL_SCHEME: ${url}`);
    return handler(new Request(url, init));
  }
}
