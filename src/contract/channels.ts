/**
 * The names under which Electron's main process, preload and page find each other. Nothing else crosses that border.
 *
 * 1. The page, once it listens for `portForPage`, calls `window.postMessage(channels.pageReady, location.origin)`.
 * 2. The preload receives it on the window that it shares with the page (`event.source === window`, own origin) and
 *    calls `ipcRenderer.send(channels.connect)`, without arguments.
 * 3. Main checks that the message comes from the main frame of its own window, showing the app's own origin; whatever
 *    else gets no answer. It closes the port that this window had before, makes a new pair, and sends one end with
 *    `frame.postMessage(channels.port, null, [port])`.
 * 4. The preload passes it on: `window.postMessage(channels.portForPage, location.origin, [port])`.
 * 5. The page takes `event.ports[0]` of the message whose `data` is `portForPage` and whose `source` and `origin` are
 *    its own, starts it, and speaks RPC on it.
 *
 * Every page load begins again at 1. A page that asks twice is answered twice, and only its latest port is alive.
 */
export const channels = {
  connect: "sheaf:connect",
  port: "sheaf:port",
  pageReady: "sheaf:page-ready",
  portForPage: "sheaf:port-for-page",
} as const;
