import { app, type BrowserWindow, powerMonitor } from "electron";
import type { UnsavedDraft } from "#contract";
import type { Logger, Machine } from "#main/base";
import { createClosing } from "./closing.ts";
import { ask } from "./dialogs.ts";
import type { Ending } from "./policy/page-recovery.ts";
import type { Question } from "./policy/question.ts";
import {
  decideQuit,
  type QuitAnswer,
  type QuitReason,
  type QuitTimes,
  quitTimes,
  shutdownTimes,
} from "./policy/quit.ts";
import type { RunningBatch } from "./policy/running-batch.ts";
import { decideUnload, type Leaving } from "./policy/unload.ts";

interface QuitDeps {
  readonly running: () => readonly RunningBatch[];
  /** The drafts that the page has not saved, and can't. */
  readonly unsaved: () => readonly UnsavedDraft[];
  /** Resolves when all that was recorded so far is on the disk itself. */
  readonly sync: () => Promise<void>;
  /** Ends the service: what is in flight is awaited for `grace` milliseconds, or until `cut` is aborted. */
  readonly close: (grace: number, cut: AbortSignal) => Promise<void>;
  /** Whether the user can find the app again in the tray. */
  readonly isInTray: () => boolean;
  readonly machine: Machine;
  readonly logger: Logger;
}

/** The end of the app, as its windows take part in it. */
export interface Quit {
  /** Has the closing of a window ask first: while batches run, and while its page has something unsaved. */
  guard(window: BrowserWindow): void;
  /** Quits, and answers with what its user wants: "quit" where there was nothing to ask, null where it could not be asked. */
  quit(): Promise<QuitAnswer | null>;
  /** What a window is about to do. */
  ending(): Ending;
  /** Whether the app ends: it opens no window any more. */
  isClosing(): boolean;
  /** Shows that the app ends, to a user who starts it meanwhile. */
  showClosing(): void;
}

/**
 * Ends the app when its user or the system wants it to: while batches run it asks, and then waits for what is in flight.
 * Whatever fails or takes too long on the way is logged, and ends it, too.
 */
export function setupQuit({ running, unsaved, sync, close, isInTray, machine, logger }: QuitDeps): Quit {
  /** Set once it is decided that the app ends. */
  let decided: QuitTimes | null = null;
  /** The question whether to quit, while it is open. */
  let asking: Promise<QuitAnswer | null> | null = null;
  let isWindowClosing = false;
  let guarded: BrowserWindow | undefined;
  const closing = createClosing({ running, close, machine, logger });

  const decide = (reason: QuitReason) =>
    decideQuit(running(), reason, { platform: process.platform, isInTray: isInTray() });

  function quit(times: QuitTimes): void {
    decided = times;
    app.quit();
  }

  function askToQuit(question: Question<QuitAnswer>): void {
    asking ??= askOnce(question).finally(() => {
      asking = null;
    });
  }

  async function askOnce(question: Question<QuitAnswer>): Promise<QuitAnswer | null> {
    const window = guarded;
    const answer = await ask(question, window, logger);
    if (answer === "quit") quit(quitTimes);
    else if (answer === "keep" && window?.isDestroyed() === false) {
      if (isInTray()) window.hide();
      else window.minimize();
    }
    return answer;
  }

  /** The system ends. It gives an app that asks for it a moment. */
  function shutDown(event?: { preventDefault(): void }): void {
    event?.preventDefault();
    if (closing.isUnderWay()) closing.cut();
    else quit(shutdownTimes);
  }

  /** Asks whether a page may go that does not consent. Electron has cancelled its closing, and the quit with it, by then. */
  function guardUnload(window: BrowserWindow): void {
    let isAllowed = false;
    let isAskingToLeave = false;
    window.webContents.on("will-prevent-unload", async (event) => {
      const times = decided;
      const leaving = describeLeaving();
      const decision = decideUnload(unsaved(), leaving);
      if (isAllowed || decision.do === "leave") {
        isAllowed = false;
        event.preventDefault();
        return;
      }
      decided = null;
      isWindowClosing = false;
      if (isAskingToLeave) return;
      isAskingToLeave = true;
      const answer = await ask(decision.question, window, logger);
      isAskingToLeave = false;
      if (window.isDestroyed()) return;
      if (answer !== "leave") {
        window.show();
        window.focus();
        return;
      }
      isAllowed = true;
      if (times !== null) quit(times);
      else if (leaving === "reload") window.webContents.reload();
      else window.close();
    });
  }

  function describeLeaving(): Leaving {
    if (decided === shutdownTimes) return "shutdown";
    if (decided !== null) return "quit";
    if (!isWindowClosing) return "reload";
    return process.platform === "darwin" ? "close" : "quit";
  }

  app.on("before-quit", (event) => {
    if (decided !== null) return;
    const decision = decide("user");
    if (decision.do === "quit") decided = decision;
    else event.preventDefault();
    if (decision.do === "ask") askToQuit(decision.question);
  });
  app.on("window-all-closed", () => {
    if (process.platform !== "darwin") app.quit();
  });
  app.on("will-quit", (event) => {
    event.preventDefault();
    closing.begin(decided ?? shutdownTimes);
  });
  powerMonitor.on("shutdown", shutDown);

  return {
    guard(window) {
      guarded = window;
      guardUnload(window);
      window.on("close", (event) => {
        const decision = decided === null ? decide("last_window") : null;
        isWindowClosing = decision?.do !== "ask";
        if (decision?.do !== "ask") return;
        event.preventDefault();
        askToQuit(decision.question);
      });
      window.once("closed", () => {
        guarded = undefined;
        isWindowClosing = false;
      });
      // Windows may still go on after this question: whatever is decided, nothing must be lost.
      window.on("query-session-end", () => {
        sync().catch((error: unknown) => logger.error("The disk refuses.", { reason: String(error) }));
      });
      window.on("session-end", () => shutDown());
    },
    async quit() {
      app.quit();
      return asking === null ? "quit" : await asking;
    },
    ending: () => (decided !== null ? "quit" : isWindowClosing ? "close" : null),
    isClosing: closing.isUnderWay,
    showClosing: () => closing.show(true),
  };
}
