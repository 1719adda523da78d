import { powerMonitor, powerSaveBlocker } from "electron";
import { shouldStayAwake } from "./policy/awake.ts";
import type { RunningBatches } from "./running-batches.ts";

interface PowerDeps {
  readonly running: RunningBatches;
  readonly keepsAwake: () => boolean;
  /** Lets what waits for a connection try again at once: after a sleep the network is another one. */
  readonly retryConnections: () => void;
}

/** Keeps the computer awake while lines are asked, and continues at once after it slept. The answer is called when the choice has changed. */
export function setupPower({ running, keepsAwake, retryConnections }: PowerDeps): () => void {
  let blocker: number | null = null;
  const update = () => {
    const setting = { keepsAwake: keepsAwake(), isOnBattery: powerMonitor.isOnBatteryPower() };
    const stays = shouldStayAwake(running.list(), setting);
    if (stays) blocker ??= powerSaveBlocker.start("prevent-app-suspension");
    else if (blocker !== null) {
      powerSaveBlocker.stop(blocker);
      blocker = null;
    }
  };
  running.subscribe(update);
  powerMonitor.on("on-battery", update);
  powerMonitor.on("on-ac", update);
  powerMonitor.on("resume", retryConnections);
  update();
  return update;
}
