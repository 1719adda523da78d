import { setTimeout as wait } from "node:timers/promises";
import { app } from "electron";
import type { Logger } from "#service";

/** How long the end of the app waits for what is under way, in milliseconds. */
const closeLimit = 5_000;

/** Ends the app with its last window, but on macOS, where an app outlives its windows. */
export function setupWindowlessQuit(): void {
  app.on("window-all-closed", () => {
    if (process.platform !== "darwin") app.quit();
  });
}

/** Lets `close` finish before the app ends. It never rejects the end: what fails or takes too long is logged. */
export function setupGracefulQuit(close: () => Promise<void>, logger: Logger): void {
  let closing = false;
  app.on("will-quit", (event) => {
    event.preventDefault();
    if (closing) return;
    closing = true;
    Promise.race([close().then(() => true), wait(closeLimit, false, { ref: false })])
      .then((done) => {
        if (!done) logger.warn("The service did not end in time.", { milliseconds: closeLimit });
      })
      .catch((error: unknown) => logger.error("The service did not end as it should.", { reason: String(error) }))
      .finally(() => app.exit());
  });
}
