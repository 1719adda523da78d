import { BrowserWindow } from "electron";
import type { Logger, Machine } from "#main/base";
import { currentGround } from "./appearance.ts";
import {
  describePreparing,
  figureInterval,
  figureScript,
  preparingPage,
  type Reading,
  shortestPreparing,
} from "./policy/preparing.ts";

/** What a start shows while it opens the data, and there is no page yet. */
export interface PreparingWindow {
  /** Shows it at once: its user asks for the app again. */
  show(): void;
  /** Called with how far the data is read, in bytes. */
  report(done: number, total: number): void;
  /** Hides it while the start asks a question, and waits for it to be answered. */
  hideDuring<Answer>(question: () => Promise<Answer>): Promise<Answer>;
  /** Called once the main window is there. */
  close(): void;
}

/** Opens a small window when the start takes long. To close it ends the app, as Electron does by itself: the data stays whole. */
export function showPreparing(machine: Machine, logger: Logger): PreparingWindow {
  let window: BrowserWindow | undefined;
  let reading: Reading = null;
  let drawnAt = Number.NEGATIVE_INFINITY;

  function draw(): void {
    if (window === undefined || machine.monotonic() - drawnAt < figureInterval) return;
    drawnAt = machine.monotonic();
    const figures = describePreparing(reading);
    // More than 1 is a bar without an end.
    window.setProgressBar(figures.share ?? 2);
    window.webContents
      .executeJavaScript(figureScript(figures))
      .catch((error: unknown) => logger.warn("The figures of the start can't be shown.", { reason: String(error) }));
  }

  function show(): void {
    if (window === undefined) {
      const opened = openWindow();
      opened.once("closed", () => {
        window = undefined;
      });
      window = opened;
      opened.loadURL(preparingPage).catch((error: unknown) => {
        logger.warn("The window of the start can't be shown.", { reason: String(error) });
      });
      draw();
    }
    window.show();
    window.focus();
  }

  const showLater = () => machine.after(shortestPreparing, show, { unref: true });
  let cancel = showLater();
  return {
    show,
    async hideDuring(question) {
      cancel();
      window?.hide();
      const answer = await question();
      cancel = showLater();
      return answer;
    },
    report(done, total) {
      reading = { done, total };
      draw();
    },
    close() {
      cancel();
      window?.destroy();
    },
  };
}

function openWindow(): BrowserWindow {
  return new BrowserWindow({
    title: "Sheaf",
    width: 440,
    height: 170,
    resizable: false,
    maximizable: false,
    fullscreenable: false,
    show: false,
    backgroundColor: currentGround(),
    webPreferences: {
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      devTools: false,
      spellcheck: false,
    },
  });
}
