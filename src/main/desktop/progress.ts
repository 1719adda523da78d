import { app, type BrowserWindow } from "electron";
import type { Machine } from "#main/base";
import { progressOf } from "./policy/progress.ts";
import type { RunningBatches } from "./running-batches.ts";
import { createThrottle } from "./throttle.ts";

/** Between two changes, in milliseconds. */
const interval = 1_000;

/** Shows how far the batches that run are, in the dock or the taskbar. */
export function setupProgress(
  running: RunningBatches,
  window: () => BrowserWindow | undefined,
  machine: Machine,
): void {
  const update = createThrottle(machine, interval, () => {
    const { value, mode, badge } = progressOf(running.list());
    window()?.setProgressBar(value, { mode });
    app.setBadgeCount(badge);
  });
  running.subscribe(update);
  update();
}
