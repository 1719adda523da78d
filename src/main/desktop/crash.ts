import { app, type BrowserWindow, dialog } from "electron";
import type { Logger, Machine } from "#main/base";
import type { CrashReports } from "./crash-reports.ts";
import { ask } from "./dialogs.ts";
import { afterCrash, type CrashHistory, readFrames, relaunchArgs } from "./policy/crash.ts";
import { findStartedFile } from "./policy/started-file.ts";

interface PageCrashDeps {
  readonly reports: CrashReports;
  readonly machine: Machine;
  readonly logger: Logger;
}

/**
 * Brings back a page whose process has died, where it was: its address names the place and the draft. Batches run in the main
 * process, and continue meanwhile. The answer is called with each window.
 */
export function createPageRecovery({ reports, machine, logger }: PageCrashDeps): (window: BrowserWindow) => void {
  let history: CrashHistory = [];

  async function askToReload(window: BrowserWindow): Promise<void> {
    const question = {
      type: "error" as const,
      message: "Sheaf's window has stopped working again.",
      detail: "Running batches go on, and drafts are kept. Load the window again to see them.",
      buttons: ["Load again", "Close window"],
      defaultId: 0,
      cancelId: 1,
    };
    const answer = await ask(question, window, logger);
    if (window.isDestroyed()) return;
    if (answer === 0) window.webContents.reload();
    else if (answer === 1) window.close();
  }

  return (window) => {
    window.webContents.on("render-process-gone", (_event, { reason, exitCode }) => {
      if (reason === "clean-exit" || window.isDestroyed()) return;
      logger.error("The page's process has ended.", { reason, exitCode });
      reports.add({ process: "page", reason, exitCode, frames: [] });
      const decision = afterCrash(history, machine.monotonic());
      history = decision.history;
      if (decision.do === "reload") window.webContents.reload();
      else void askToReload(window);
    });
  };
}

interface MainCrashDeps {
  readonly args: readonly string[];
  readonly reports: CrashReports;
  /** Ends the service as far as it can; what had not ended continues at the next start. */
  readonly close: () => Promise<void>;
  readonly machine: Machine;
  readonly logger: Logger;
}

/** How long a process that can't be trusted any more has to bring its work to the disk, in milliseconds. */
const closeLimit = 3_000;

/**
 * After an error that nothing caught, the main process is not to be trusted: its work goes to the disk, and the app starts
 * again, once. Only where it is installed: developers want to see the error.
 */
export function setupMainCrash({ args, reports, close, machine, logger }: MainCrashDeps): void {
  if (!app.isPackaged) return;
  let isEnding = false;

  async function end(error: unknown): Promise<void> {
    reports.add({ process: "main", reason: "uncaught exception", exitCode: null, frames: readFrames(error) });
    const late = Promise.withResolvers<void>();
    machine.after(closeLimit, late.resolve);
    await Promise.race([close(), late.promise]).catch(() => {});
    const next = relaunchArgs(args);
    if (next === null) {
      const detail = "It was started again after an error, and met another one. Your batches and drafts are kept.";
      dialog.showErrorBox("Sheaf has ended", detail);
    } else {
      const execPath = findStartedFile(process);
      app.relaunch({ args: [...next], ...(execPath !== null && { execPath }) });
    }
    app.exit(1);
  }

  process.on("uncaughtException", (error) => {
    logger.error("An error was not caught.", { error: error.name });
    if (isEnding) return;
    isEnding = true;
    void end(error);
  });
}
