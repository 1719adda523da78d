import { once } from "node:events";
import { type BrowserWindow, shell } from "electron";
import type { Logger, Machine } from "#main/base";
import type { CrashReports } from "./crash-reports.ts";
import { ask, isOnScreen } from "./dialogs.ts";
import { appStartUrl } from "./policy/addresses.ts";
import {
  afterCrash,
  type CrashHistory,
  describeHang,
  describeLoadFailure,
  type Ending,
  nextHangQuestion,
  type PageLoad,
  repeatedCrash,
  whyNotLoaded,
} from "./policy/page-recovery.ts";
import type { QuitAnswer } from "./policy/quit.ts";

interface PageRecoveryDeps {
  readonly reports: CrashReports;
  /** Quits the app, whose user may be asked. */
  readonly quit: () => Promise<QuitAnswer | null>;
  /** What the window is about to do. */
  readonly ending: () => Ending;
  readonly machine: Machine;
  readonly logger: Logger;
}

/**
 * Brings back a page that has died, can't be loaded or does not answer, and asks the user where that may not help. It comes back where
 * it was: its address names the place and the draft. Batches run in the main process, and continue meanwhile. The answer is called with
 * each window, before it loads anything.
 */
export function createPageRecovery(deps: PageRecoveryDeps): (window: BrowserWindow) => void {
  const history: { crashes: CrashHistory } = { crashes: [] };
  return (window) => {
    followCrashes(window, history, deps);
    followLoads(window, deps);
    followHangs(window, deps);
  };
}

function followCrashes(
  window: BrowserWindow,
  history: { crashes: CrashHistory },
  { reports, ending, machine, logger }: PageRecoveryDeps,
): void {
  window.webContents.on("render-process-gone", async (_event, { reason, exitCode }) => {
    if (reason === "clean-exit" || window.isDestroyed()) return;
    logger.error("The page's process has ended.", { reason, exitCode });
    reports.add({ process: "page", reason, exitCode, frames: [] });
    // A window that closes gets no new page: the end would wait for its consent again.
    if (ending() !== null) return window.destroy();
    const decision = afterCrash(history.crashes, machine.monotonic());
    history.crashes = decision.history;
    const answer = decision.do === "reload" ? "reload" : await ask(repeatedCrash, window, logger);
    if (window.isDestroyed()) return;
    if (answer === "reload") window.webContents.reload();
    else if (answer === "close") window.close();
  });
}

function followLoads(window: BrowserWindow, { reports, quit, logger }: PageRecoveryDeps): void {
  let isAsking = false;

  async function follow(load: PageLoad): Promise<void> {
    const reason = whyNotLoaded(load);
    if (reason === null || isAsking) return;
    isAsking = true;
    logger.error("The app's page could not be loaded.", { reason });
    const exitCode = load.kind === "failed" ? load.code : load.status;
    const report = reports.add({ process: "page", reason: `not loaded: ${reason}`, exitCode, frames: [] });
    const question = describeLoadFailure(reason, report !== null);
    let answer = await ask(question, window, logger);
    while (answer === "report" || answer === "quit") {
      if (answer === "quit") {
        const wanted = await quit();
        if (wanted === "quit") return;
        if (wanted === "keep") await untilOnScreen(window);
      } else if (report !== null) shell.showItemInFolder(report.path);
      // Without an answer the window stays empty.
      answer = await ask(question, window, logger);
    }
    isAsking = false;
    // Its failure is reported as an event, too.
    if (answer === "retry" && !window.isDestroyed()) window.loadURL(appStartUrl).catch(() => {});
  }

  window.webContents.on("did-fail-load", (_event, code, description, _url, isMainFrame) => {
    void follow({ kind: "failed", code, description, isMainFrame });
  });
  window.webContents.on("did-navigate", (_event, _url, status) => void follow({ kind: "answered", status }));
}

async function untilOnScreen(window: BrowserWindow): Promise<void> {
  if (window.isDestroyed() || isOnScreen(window)) return;
  await Promise.race([once(window, "show"), once(window, "restore")]);
}

function followHangs(window: BrowserWindow, { ending, machine, logger }: PageRecoveryDeps): void {
  /** Withdraws the question; null while there is none. */
  let asked: AbortController | null = null;
  let cancelNext = () => {};

  async function askAboutHang(): Promise<void> {
    if (asked !== null || window.isDestroyed()) return;
    const withdraw = new AbortController();
    asked = withdraw;
    const answer = await ask(describeHang(ending()), window, logger, withdraw.signal);
    if (asked === withdraw) asked = null;
    if (window.isDestroyed() || answer === null) return;
    // Its end brings the page back, as that of a page which has died. A load alone would wait for the page's consent.
    if (answer === "reload") window.webContents.forcefullyCrashRenderer();
    else if (answer === "leave") window.destroy();
    else cancelNext = machine.after(nextHangQuestion, () => void askAboutHang(), { unref: true });
  }

  function stop(): void {
    cancelNext();
    asked?.abort();
    asked = null;
  }

  window.on("unresponsive", () => {
    logger.warn("The page does not answer.");
    cancelNext();
    void askAboutHang();
  });
  window.on("responsive", stop);
  window.webContents.on("render-process-gone", stop);
  window.once("closed", stop);
}
