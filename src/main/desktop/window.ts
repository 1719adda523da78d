import {
  app,
  BrowserWindow,
  type IpcMainEvent,
  ipcMain,
  Menu,
  MessageChannelMain,
  type MessagePortMain,
  nativeTheme,
  type WebFrameMain,
} from "electron";
import { channels } from "#contract";
import type { Logger } from "#service";
import { setupCrashNotice } from "./dialogs.ts";
import { appStartUrl, isTrustedSender } from "./policy/addresses.ts";
import { describeMenu, type MenuSetting } from "./policy/menu.ts";

/** The page's ground in each theme, so that nothing flashes before the page has drawn itself. */
const ground = { light: "#FBFAF7", dark: "#16151A" } as const;

interface MainWindowOptions {
  readonly preloadPath: string;
  /** Speaks RPC on the port of a page. What the page says before that waits in the port. */
  readonly connect: (port: MessagePortMain) => void;
  /** Called with each window that is opened, before it shows anything. */
  readonly onOpen: (window: BrowserWindow) => void;
  readonly logger: Logger;
}

/** The one window of the app. */
export interface MainWindow {
  /** Undefined while it is closed. */
  current(): BrowserWindow | undefined;
  /** Brings it to the front, and opens it where it is closed. */
  show(): void;
}

/**
 * Opens the one window of the app now, and again when the user asks for the app anew: on macOS it can be closed while the
 * app continues.
 */
export function setupMainWindow({ preloadPath, connect, onOpen, logger }: MainWindowOptions): MainWindow {
  let window: BrowserWindow | undefined;

  const open = () => {
    const opened = openWindow(preloadPath);
    window = opened;
    setupHandshake(opened, connect);
    setupCrashNotice(opened, logger);
    onOpen(opened);
    opened.once("closed", () => {
      window = undefined;
    });
    opened.loadURL(appStartUrl).catch((error: unknown) => {
      logger.error("The app's page could not be loaded.", { reason: String(error) });
    });
  };
  const show = () => {
    if (window === undefined) return open();
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  };

  app.on("second-instance", show);
  app.on("activate", show);
  app.on("open-file", show);
  app.on("open-url", show);
  open();
  return { current: () => window, show };
}

/**
 * Opens the app's window, hidden until its page has been drawn once. Electron remembers its size, position and state under
 * its name, and fits them to the displays that are there.
 */
function openWindow(preloadPath: string): BrowserWindow {
  const window = new BrowserWindow({
    name: "main",
    windowStatePersistence: true,
    title: "Sheaf",
    width: 1280,
    height: 820,
    minWidth: 900,
    minHeight: 600,
    show: false,
    backgroundColor: ground[nativeTheme.shouldUseDarkColors ? "dark" : "light"],
    webPreferences: {
      preload: preloadPath,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
      devTools: !app.isPackaged,
      navigateOnDragDrop: false,
      // Its dictionaries would be fetched from the network.
      spellcheck: false,
    },
  });
  window.once("ready-to-show", () => window.show());
  return window;
}

/**
 * Answers each page load of the window with a port of its own. The port of the load before is closed, so that nothing is
 * answered into a page that has gone. `connect` gets the app's end, not started yet.
 */
function setupHandshake(window: BrowserWindow, connect: (port: MessagePortMain) => void): void {
  let current: MessagePortMain | undefined;

  const answer = (event: IpcMainEvent) => {
    const frame = event.senderFrame;
    const sender = { ownWindow: event.sender === window.webContents, frame: frame && describeFrame(frame) };
    if (frame === null || !isTrustedSender(sender)) return;
    current?.close();
    const { port1, port2 } = new MessageChannelMain();
    current = port1;
    connect(port1);
    frame.postMessage(channels.port, null, [port2]);
  };

  ipcMain.on(channels.connect, answer);
  window.once("closed", () => {
    ipcMain.off(channels.connect, answer);
    current?.close();
  });
}

function describeFrame(frame: WebFrameMain) {
  return { origin: frame.origin, isMain: frame.parent === null };
}

/** Puts the native menu in place, for all windows. */
export function setupMenu(setting: MenuSetting): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(describeMenu(setting)));
}
