import { app, Menu, Tray } from "electron";
import type { PageRequest } from "#contract";
import type { Logger, Machine } from "#main/base";
import { describeTray, type TrayItem } from "./policy/tray.ts";
import type { RunningBatches } from "./running-batches.ts";
import { createThrottle } from "./throttle.ts";
import { createTrayIcon } from "./tray-icon.ts";

interface TrayDeps {
  readonly running: RunningBatches;
  /** Brings the app to the front, and has its page show something. */
  readonly show: (request?: PageRequest) => void;
  /** Called when the user has used it: it can be seen here. */
  readonly onUse: () => void;
  readonly machine: Machine;
  readonly logger: Logger;
}

/** Between two changes, in milliseconds. */
const interval = 1_000;

/**
 * Puts the app into the tray, with the batches that run. A desktop without a tray has none, and most do not say so: nothing
 * depends on it before the user has used it once. The answer is false where there is none for sure.
 */
export function setupTray({ running, show, onUse, machine, logger }: TrayDeps): boolean {
  let tray: Tray;
  try {
    tray = new Tray(createTrayIcon(process.platform));
  } catch (error) {
    logger.info("There is no tray here.", { reason: String(error) });
    return false;
  }
  const use = (act: () => void) => () => {
    onUse();
    act();
  };
  const toItem = (item: TrayItem) => {
    switch (item.kind) {
      case "separator":
        return { type: "separator" as const };
      case "more":
        return { label: item.label, enabled: false };
      case "batch":
        return { label: item.label, click: use(() => show({ kind: "show_batch", id: item.id })) };
      case "show":
        return { label: item.label, click: use(() => show()) };
      case "quit":
        return { label: item.label, click: use(() => app.quit()) };
    }
  };
  let before = "";
  const update = createThrottle(machine, interval, () => {
    const description = describeTray(running.list());
    // A menu that is set anew closes the one that is open.
    if (JSON.stringify(description) === before) return;
    before = JSON.stringify(description);
    tray.setToolTip(description.tooltip);
    tray.setContextMenu(Menu.buildFromTemplate(description.items.map(toItem)));
  });
  tray.on(
    "click",
    use(() => show()),
  );
  running.subscribe(update);
  update();
  return true;
}
