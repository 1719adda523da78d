import { app, type BrowserWindow, type MessagePortMain } from "electron";
import type { Logger } from "#service";
import { setupCrashNotice } from "./crash.ts";
import { setupHandshake } from "./handshake.ts";
import { openWindow, showApp } from "./window.ts";

export interface MainWindowOptions {
  readonly preloadPath: string;
  /** Speaks RPC on the port of a page. What the page says before that waits in the port. */
  readonly connect: (port: MessagePortMain) => void;
  readonly logger: Logger;
}

/**
 * Opens the one window of the app now, and again when the user asks for the app anew: on macOS it can be closed while the
 * app goes on.
 */
export function setupMainWindow({ preloadPath, connect, logger }: MainWindowOptions): void {
  let window: BrowserWindow | undefined;

  const open = () => {
    const opened = openWindow(preloadPath);
    window = opened;
    setupHandshake(opened, connect);
    setupCrashNotice(opened, logger);
    opened.once("closed", () => {
      window = undefined;
    });
    showApp(opened).catch((error: unknown) => {
      logger.error("The app's page could not be loaded.", { reason: String(error) });
    });
  };
  const bringToFront = () => {
    if (window === undefined) return open();
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  };

  app.on("second-instance", bringToFront);
  app.on("activate", bringToFront);
  open();
}
