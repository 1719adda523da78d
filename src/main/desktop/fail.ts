import { app, dialog } from "electron";

/** Says why the app can't start, in a box of the system's or on stderr, and ends it. */
export function endWithError(error: unknown): void {
  dialog.showErrorBox("Sheaf could not start", error instanceof Error ? error.message : String(error));
  app.exit(1);
}
