import { join } from "node:path";
import { app, BrowserWindow, dialog, type SaveDialogOptions } from "electron";

/** Asks where to save a file, in the system's own dialog; null when the user thinks better of it. */
export async function askWhereToSave(suggestedName: string): Promise<string | null> {
  const options: SaveDialogOptions = {
    defaultPath: join(app.getPath("downloads"), suggestedName),
    filters: [
      { name: "JSON Lines", extensions: ["jsonl"] },
      { name: "All files", extensions: ["*"] },
    ],
    // Linux asks only when told to; the others always do.
    properties: ["showOverwriteConfirmation", "createDirectory"],
  };
  const window = BrowserWindow.getFocusedWindow();
  const { canceled, filePath } = await (window === null
    ? dialog.showSaveDialog(options)
    : dialog.showSaveDialog(window, options));
  return canceled || filePath === "" ? null : filePath;
}
