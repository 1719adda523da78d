import { BrowserWindow, Notification } from "electron";

/** Those that are on screen: Electron drops what no one holds, and a click on it with it. */
const shown = new Set<Notification>();

/** Shows a notification of the system's, unless the app's window is in front. A click brings that there. */
export function notifyUser({ title, body }: { readonly title: string; readonly body: string }): void {
  if (!Notification.isSupported()) return;
  const [window] = BrowserWindow.getAllWindows();
  if (window?.isFocused()) return;
  const notification = new Notification({ title, body });
  shown.add(notification);
  notification.once("close", () => shown.delete(notification));
  notification.once("click", () => {
    if (window === undefined || window.isDestroyed()) return;
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  });
  notification.show();
}
