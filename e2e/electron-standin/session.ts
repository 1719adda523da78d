import { EventEmitter } from "node:events";
import type { Session } from "electron";
import { PreventableEvent } from "./event.ts";
import type { ProtocolStandIn } from "./protocol.ts";

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
