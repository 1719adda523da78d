import { app, type Protocol, protocol, type Session, shell, type WebContents } from "electron";
import type { Logger } from "#main/base";
import { openPage, type PageAnswer } from "#main/web";
import { appScheme, decideDestination, grantsPermission, isAppUrl } from "./policy/addresses.ts";

/**
 * Puts every page that is ever created under guard, before it loads anything. Certificate errors are left to
 * Electron, which refuses the connection. Called before `ready`.
 */
export function setupContentsGuards(logger: Logger): void {
  app.enableSandbox();
  app.on("web-contents-created", (_event, contents) => guardContents(contents, logger));
}

/** Keeps a page where it is: no other site, no further window, no embedded page. */
function guardContents(contents: WebContents, logger: Logger): void {
  contents.on("will-frame-navigate", (details) => {
    if (decideDestination(details.url).kind === "app") return;
    details.preventDefault();
    if (details.isMainFrame) openOutside(details.url, logger);
  });
  contents.on("will-redirect", (details) => {
    if (decideDestination(details.url).kind !== "app") details.preventDefault();
  });
  contents.on("will-attach-webview", (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    openOutside(url, logger);
    return { action: "deny" };
  });
}

/** Hands a link of the app to the user's browser; anything else leads nowhere. */
function openOutside(address: string, logger: Logger): void {
  const destination = decideDestination(address);
  if (destination.kind !== "external") return;
  shell.openExternal(destination.url).catch((error: unknown) => {
    logger.warn("A link could not be opened in the browser.", { url: destination.url, reason: String(error) });
  });
}

/** Answers every question for a permission, and keeps devices and downloads away from the page. Called after `ready`. */
export function setupSessionGuards(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, callback, details) => {
    callback(grantsPermission(permission, details.requestingUrl));
  });
  session.setPermissionCheckHandler((_contents, permission, requestingOrigin) =>
    grantsPermission(permission, requestingOrigin),
  );
  session.setDevicePermissionHandler(() => false);
  session.on("will-download", (event) => event.preventDefault());
}

/** Makes the page's scheme one with an origin, as `https:` is. Called before `ready`. */
export function setupScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: appScheme, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ]);
}

/**
 * Serves the built page under its scheme, as the browser host does over HTTP: the same files, the same policy, the same
 * headers. Rejects when the page has not been built.
 */
export async function setupPage(target: Protocol, folder: string, logger: Logger): Promise<void> {
  const page = await openPage(folder);
  target.handle(appScheme, async ({ url, method }) => {
    if (!isAppUrl(url)) return new Response("Not Sheaf's page.\n", { status: 404 });
    if (method !== "GET" && method !== "HEAD")
      return new Response(null, { status: 405, headers: { allow: "GET, HEAD" } });
    try {
      return toResponse(await page.answer(new URL(url).pathname));
    } catch (error) {
      logger.error("A file of the page could not be read.", { url, reason: String(error) });
      return new Response("This file of Sheaf could not be read.\n", { status: 500 });
    }
  });
}

function toResponse({ status, headers, body }: PageAnswer): Response {
  return new Response(body, { status, headers });
}
