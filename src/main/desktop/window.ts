import { app, BrowserWindow, nativeTheme } from "electron";
import { appStartUrl } from "./scheme.ts";

/** The page's ground in each theme, so that nothing flashes before the page has drawn itself. */
const ground = { light: "#FBFAF7", dark: "#16151A" } as const;

/**
 * Opens the app's window, hidden until its page has been drawn once. Electron keeps its size, place and state under its
 * name, and fits them to the displays that are there.
 */
export function openWindow(preloadPath: string): BrowserWindow {
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

/** Loads the app's page. Fails when it can't be had at all. */
export async function showApp(window: BrowserWindow): Promise<void> {
  await window.loadURL(appStartUrl);
}
