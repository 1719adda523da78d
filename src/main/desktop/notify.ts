import { app, type BrowserWindow, Notification } from "electron";
import type { PageRequest } from "#contract";
import type { BatchNotice } from "#main/app";
import type { Machine } from "#main/base";
import { appId } from "./policy/app-id.ts";
import { type NoticeDescription, noticesFor } from "./policy/notices.ts";

interface NotifierDeps {
  readonly window: () => BrowserWindow | undefined;
  /** Brings the app to the front and has its page show something. */
  readonly show: (request: PageRequest) => void;
  readonly machine: Machine;
}

/** Windows shows notifications of an app whose name is that of its entry in the start menu. Called before `ready`. */
export function setupIdentity(): void {
  if (process.platform === "win32") app.setAppUserModelId(appId);
}

/** News that come within so many milliseconds are shown together. */
const gathering = 500;

/** Shows news of batches as notifications of the system's, unless the app's window is in front. A click shows the batch. */
export function createNotifier({ window, show, machine }: NotifierDeps): (notice: BatchNotice) => void {
  let news: BatchNotice[] = [];
  /** Those that are on screen: Electron drops what no one holds, and a click on it with it. */
  const shown = new Set<Notification>();

  function showNow({ title, body, batchId }: NoticeDescription): void {
    const notification = new Notification({ title, body });
    shown.add(notification);
    notification.once("close", () => shown.delete(notification));
    notification.once("failed", () => shown.delete(notification));
    notification.once("click", () => {
      shown.delete(notification);
      show(batchId === null ? { kind: "show_batches" } : { kind: "show_batch", id: batchId });
    });
    notification.show();
  }

  return (notice) => {
    if (!Notification.isSupported()) return;
    if (news.length === 0) {
      machine.after(
        gathering,
        () => {
          const gathered = news;
          news = [];
          for (const found of noticesFor(gathered, window()?.isFocused() === true)) showNow(found);
        },
        { unref: true },
      );
    }
    news.push(notice);
  };
}
