import { ipcRenderer } from "electron";
import { channels } from "../contract/channels.ts";

/**
 * Hands the page the port on which it speaks to the main process, and exposes nothing else. The steps are written down
 * with the channels.
 */
window.addEventListener("message", (event) => {
  const fromPage = event.source === window && event.origin === location.origin;
  if (fromPage && event.data === channels.pageReady) ipcRenderer.send(channels.connect);
});

ipcRenderer.on(channels.port, (event) => {
  window.postMessage(channels.portForPage, location.origin, event.ports);
});
