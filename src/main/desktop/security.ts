import { app, type Session, shell, type WebContents } from "electron";
import type { Logger } from "#service";
import { decideDestination, grantsPermission } from "./policy.ts";

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
