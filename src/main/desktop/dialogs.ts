import { join } from "node:path";
import { app, BrowserWindow, dialog, type MessageBoxOptions, type SaveDialogOptions } from "electron";
import type { Logger } from "#main/base";
import { listFilters } from "./policy/file-filters.ts";
import type { Question } from "./policy/question.ts";

/** Asks where to save a file, in the system's own dialog; null when the user thinks better of it. */
export async function askWhereToSave(suggestedName: string, reason?: string): Promise<string | null> {
  const options: SaveDialogOptions = {
    // macOS shows the message, the others show the title.
    ...(reason !== undefined && { title: reason, message: reason }),
    defaultPath: join(app.getPath("downloads"), suggestedName),
    filters: [...listFilters(suggestedName)],
    // Linux asks only with this property; the others always do.
    properties: ["showOverwriteConfirmation", "createDirectory"],
  };
  const window = BrowserWindow.getFocusedWindow();
  const { canceled, filePath } = await (window === null
    ? dialog.showSaveDialog(options)
    : dialog.showSaveDialog(window, options));
  return canceled || filePath === "" ? null : filePath;
}

/** Whether the user can see it. */
export function isOnScreen(window: BrowserWindow): boolean {
  return window.isVisible() && !window.isMinimized();
}

/**
 * Asks in a window if it is on the screen, else by itself: nobody sees a question of a window that is hidden. Null where it can't be
 * asked, which is logged, and where `signal` has withdrawn the question.
 */
export async function ask<Answer extends string>(
  { type, message, detail, buttons, closed }: Question<Answer>,
  window: BrowserWindow | undefined,
  logger: Logger,
  signal?: AbortSignal,
): Promise<Answer | null> {
  const box: MessageBoxOptions = {
    type,
    message,
    detail,
    buttons: buttons.map(([label]) => label),
    defaultId: 0,
    cancelId: buttons.findIndex(([, answer]) => answer === closed),
    ...(signal && { signal }),
  };
  try {
    const { response } = await (window && isOnScreen(window)
      ? dialog.showMessageBox(window, box)
      : dialog.showMessageBox(box));
    return signal?.aborted ? null : (buttons[response]?.[1] ?? closed);
  } catch (error) {
    logger.error("The question could not be asked.", { reason: String(error) });
    return null;
  }
}

/**
 * Asks whether to continue without the journal of a data folder; false to leave all as it is, and quit. `check` reads the folder, which
 * the user may want to see first.
 */
export async function askToAdopt(
  dataDir: string,
  check: () => Promise<{ readonly message: string; readonly detail: string }>,
): Promise<boolean> {
  const { response } = await dialog.showMessageBox({
    type: "warning",
    message: "Sheaf's list of your files is lost.",
    detail: `There are files in ${join(dataDir, "files")}, but the journal next to them, which says what they are, is missing or empty. Sheaf can register the batch files among them again, and leaves the rest as it is. Or quit, and restore journal.jsonl from a copy.`,
    buttons: ["Register the files", "Quit", "Check data"],
    defaultId: 1,
    cancelId: 1,
  });
  if (response !== 2) return response === 0;
  await dialog.showMessageBox({ type: "info", ...(await check()), buttons: ["Close"] });
  return await askToAdopt(dataDir, check);
}

/** Shows why the app can't start, in a box of the system's or on stderr, and ends it. */
export function endWithError(error: unknown): void {
  dialog.showErrorBox("Sheaf could not start", error instanceof Error ? error.message : String(error));
  app.exit(1);
}
