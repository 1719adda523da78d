import { app, type BrowserWindow, powerMonitor } from "electron";
import type { Logger, Machine } from "#main/base";
import { ask } from "./dialogs.ts";
import { decideQuit, type QuitReason, type QuitTimes, quitTimes, shutdownTimes } from "./policy/quit.ts";
import type { RunningBatch } from "./policy/running-batch.ts";

interface QuitDeps {
  readonly running: () => readonly RunningBatch[];
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
  /** Has the closing of a window ask first while batches run. */
  guard(window: BrowserWindow): void;
}

/** A wait that is shorter is over before it has been read, in milliseconds. */
const shortestShown = 300;

/**
 * Ends the app when its user or the system wants it to: while batches run it asks, and then waits for what is in flight.
 * Whatever fails or takes too long on the way is logged, and ends it, too.
 */
export function setupQuit({ running, sync, close, isInTray, machine, logger }: QuitDeps): Quit {
  /** Set once it is decided that the app ends. */
  let decided: QuitTimes | null = null;
  const cut = new AbortController();
  let isAsking = false;
  let isClosing = false;
  let guarded: BrowserWindow | undefined;

  const decide = (reason: QuitReason) =>
    decideQuit(running(), reason, { platform: process.platform, isInTray: isInTray() });

  function quit(times: QuitTimes): void {
    decided = times;
    app.quit();
  }

  async function askToQuit({ message, detail }: { readonly message: string; readonly detail: string }): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    const window = guarded;
    const buttons = ["Keep running", "Quit", "Cancel"];
    const answer = await ask({ type: "question", message, detail, buttons, defaultId: 0, cancelId: 2 }, window, logger);
    isAsking = false;
    if (answer === 1) quit(quitTimes);
    else if (answer === 0 && window?.isDestroyed() === false) {
      if (isInTray()) window.hide();
      else window.minimize();
    }
  }

  /** The system ends. It gives an app that asks for it a moment. */
  function shutDown(event?: { preventDefault(): void }): void {
    event?.preventDefault();
    if (isClosing) cut.abort();
    else quit(shutdownTimes);
  }

  /** Shows that the end takes a while, and lets the user end it at once. */
  async function offerToCut(signal: AbortSignal): Promise<void> {
    const question = {
      type: "info" as const,
      message: "Sheaf waits for answers that are on their way.",
      detail: "No new line is asked. What is not answered within a minute is asked again at the next start.",
      buttons: ["Wait", "Quit now"],
      defaultId: 0,
      cancelId: 0,
      signal,
    };
    if ((await ask(question, undefined, logger)) === 1) cut.abort();
  }

  async function end({ grace, limit }: QuitTimes): Promise<void> {
    const ended = new AbortController();
    const late = Promise.withResolvers<boolean>();
    machine.after(limit, () => late.resolve(false), { unref: true });
    const isOffered = grace > shutdownTimes.grace;
    const withdraw = isOffered ? machine.after(shortestShown, () => void offerToCut(ended.signal)) : () => {};
    try {
      const isDone = await Promise.race([close(grace, cut.signal).then(() => true), late.promise]);
      if (!isDone) logger.warn("The service did not end in time.", { milliseconds: limit });
    } catch (error) {
      logger.error("The service did not end as it should.", { reason: String(error) });
    } finally {
      withdraw();
      ended.abort();
      app.exit();
    }
  }

  app.on("before-quit", (event) => {
    if (decided !== null) return;
    const decision = decide("user");
    if (decision.do === "quit") decided = decision;
    else event.preventDefault();
    if (decision.do === "ask") void askToQuit(decision);
  });
  app.on("window-all-closed", () => {
    if (process.platform !== "darwin") app.quit();
  });
  app.on("will-quit", (event) => {
    event.preventDefault();
    if (isClosing) return;
    isClosing = true;
    void end(decided ?? shutdownTimes);
  });
  powerMonitor.on("shutdown", shutDown);

  return {
    guard(window) {
      guarded = window;
      window.on("close", (event) => {
        const decision = decided === null ? decide("last_window") : null;
        if (decision?.do !== "ask") return;
        event.preventDefault();
        void askToQuit(decision);
      });
      window.once("closed", () => {
        guarded = undefined;
      });
      // Windows may still go on after this question: whatever is decided, nothing must be lost.
      window.on("query-session-end", () => {
        sync().catch((error: unknown) => logger.error("The disk refuses.", { reason: String(error) }));
      });
      window.on("session-end", () => shutDown());
    },
  };
}
