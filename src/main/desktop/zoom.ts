import type { BrowserWindow } from "electron";
import { nextZoom } from "./policy/zoom.ts";
import type { ShellStateFile } from "./shell-state.ts";

/** How large the page is drawn, from one start to the next. */
export interface Zoom {
  /** Draws a window's page in it, and follows the wheel. */
  follow(window: BrowserWindow): void;
  step(window: BrowserWindow | undefined, step: "in" | "out" | "reset"): void;
}

export function createZoom(state: ShellStateFile): Zoom {
  function step(window: BrowserWindow | undefined, by: "in" | "out" | "reset"): void {
    const zoom = nextZoom(state.get().zoom, by);
    state.change({ zoom });
    window?.webContents.setZoomFactor(zoom);
  }
  return {
    follow(window) {
      const { webContents } = window;
      webContents.on("did-finish-load", () => webContents.setZoomFactor(state.get().zoom));
      webContents.on("zoom-changed", (_event, direction) => step(window, direction));
    },
    step,
  };
}
