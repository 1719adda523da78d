import type { Session } from "electron";
import { linkedPages } from "./linked-pages.ts";

/** The page's own scheme, so that it has an origin of its own and no rights of `file:`. */
export const appScheme = "sheaf";
const appHost = "app";
/** As `WebFrameMain.origin` and the page's `location.origin` say it. */
export const appOrigin = `${appScheme}://${appHost}`;
/** What the window loads; the page's router takes it from there. */
export const appStartUrl = `${appOrigin}/`;

/** Whether an address belongs to the page. Says no to whatever is not an address at all. */
export function isAppUrl(address: string): boolean {
  const url = URL.parse(address);
  if (url === null) return false;
  const plain = url.username === "" && url.password === "" && url.port === "";
  return plain && url.protocol === `${appScheme}:` && url.hostname === appHost;
}

/** Where a window or a link may lead. */
export type Destination =
  /** A screen of the page itself. */
  | { readonly kind: "app" }
  /** A page that the user's browser may open. */
  | { readonly kind: "external"; readonly url: string }
  | { readonly kind: "refused" };

/**
 * Decides on an address that the page wants to go to. Only pages that the app itself links to, each by its whole address, ever
 * reach the user's browser: a link to anywhere else can only have come from someone's data.
 */
export function decideDestination(address: string, pages = linkedPages): Destination {
  if (isAppUrl(address)) return { kind: "app" };
  const url = URL.parse(address);
  return url?.protocol === "https:" && pages.has(url.href) ? { kind: "external", url: url.href } : { kind: "refused" };
}

/** What is known of the sender of a message to the main process. */
export interface Sender {
  /** Whether the message came from the app's own window. */
  readonly ownWindow: boolean;
  /** Null when the frame has gone or navigated since. */
  readonly frame: { readonly origin: string; readonly isMain: boolean } | null;
}

/** Only the main frame of the app's window, showing the app's page, may talk to the main process. */
export function isTrustedSender({ ownWindow, frame }: Sender): boolean {
  return ownWindow && frame?.isMain === true && frame.origin === appOrigin;
}

export type Permission = Parameters<NonNullable<Parameters<Session["setPermissionRequestHandler"]>[0]>>[1];

/** What the Copy buttons need. The page asks nothing else of the machine. */
const grantedPermissions: ReadonlySet<Permission> = new Set<Permission>(["clipboard-sanitized-write"]);

/** Whether a page gets a permission: only the app's own page, and only to write text to the clipboard. */
export function grantsPermission(permission: Permission, requestingUrl: string): boolean {
  return grantedPermissions.has(permission) && isAppUrl(requestingUrl);
}
