/**
 * The names under which Electron's main process, preload and page find each other. Nothing else crosses that
 * border: the page says `pageReady` to its own window, the preload asks main for a port under `connect`, main
 * sends it back under `port`, and the preload hands it to the page with `portForPage`.
 */
export const channels = {
  connect: "sheaf:connect",
  port: "sheaf:port",
  pageReady: "sheaf:page-ready",
  portForPage: "sheaf:port-for-page",
} as const;
