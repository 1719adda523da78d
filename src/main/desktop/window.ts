import {
  app,
  BrowserWindow,
  type IpcMainEvent,
  ipcMain,
  MessageChannelMain,
  type MessagePortMain,
  type WebFrameMain,
} from "electron";
import { channels } from "#contract";
import { currentGround } from "./appearance.ts";
import { appStartUrl, isTrustedSender } from "./policy/addresses.ts";

interface MainWindowOptions {
  readonly preloadPath: string;
  /** Called with each window that is opened, before it shows anything. */
  readonly onOpen: (window: BrowserWindow) => void;
  /** Called when there is a page, and when there is none any more. */
  readonly onChange: () => void;
}

/** The one window of the app. */
export interface MainWindow {
  /** Undefined while it is closed. */
  current(): BrowserWindow | undefined;
  /** Opens it. `connect` speaks RPC on the port of a page; what the page says before that waits in the port. */
  open(connect: (port: MessagePortMain) => void): void;
  /** Brings it to the front, and opens it anew where it was closed: on macOS the app outlives it. */
  show(): void;
}

/** Calls the listener when the user, or the system for them, starts the app that runs already. */
export function onStartedAgain(listener: () => void): void {
  app.on("second-instance", listener);
  app.on("activate", listener);
  app.on("open-file", listener);
  app.on("open-url", listener);
}

/** The one window of the app, which is opened when there is something to show in it, and again when the user asks for the app. */
export function createMainWindow({ preloadPath, onOpen, onChange }: MainWindowOptions): MainWindow {
  let window: BrowserWindow | undefined;
  let connectPage: ((port: MessagePortMain) => void) | undefined;

  function open(connect: (port: MessagePortMain) => void): void {
    connectPage = connect;
    const opened = openWindow(preloadPath);
    window = opened;
    setupHandshake(opened, connect);
    onOpen(opened);
    opened.once("closed", () => {
      window = undefined;
      onChange();
    });
    // A failure is reported as an event, too, which the window's recovery follows.
    opened.loadURL(appStartUrl).catch(() => {});
    onChange();
  }

  function show(): void {
    if (window === undefined) {
      if (connectPage !== undefined) open(connectPage);
      return;
    }
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  }

  return { current: () => window, open, show };
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
    backgroundColor: currentGround(),
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
