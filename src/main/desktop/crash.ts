import { type BrowserWindow, dialog } from "electron";
import type { Logger } from "#service";

/** Asks what to do when the process of the page has died. Batches run in the main process, and go on meanwhile. */
export function setupCrashNotice(window: BrowserWindow, logger: Logger): void {
  window.webContents.on("render-process-gone", (_event, { reason, exitCode }) => {
    if (reason === "clean-exit" || window.isDestroyed()) return;
    logger.error("The page's process has ended.", { reason, exitCode });
    const question = {
      type: "error" as const,
      message: "Sheaf's window has stopped working.",
      detail: "Running batches go on. Load the window again to see them.",
      buttons: ["Load again", "Close window"],
      defaultId: 0,
      cancelId: 1,
    };
    dialog
      .showMessageBox(window, question)
      .then(({ response }) => (response === 0 ? window.webContents.reload() : window.close()))
      .catch((error: unknown) => logger.error("The question could not be asked.", { reason: String(error) }));
  });
}
