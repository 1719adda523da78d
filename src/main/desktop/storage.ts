import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { app } from "electron";
import { findDataFolder } from "../cli/data-folder.ts";
import type { LaunchOptions } from "./launch-options.ts";

/** Where this run of the app keeps what it has to keep. */
export interface Storage {
  readonly dataDir: string;
  /** Removes what must not outlive the run. */
  clear(): Promise<void>;
}

/**
 * Decides on the folders before Electron uses them. Its profile, and with it the lock that keeps a second instance away,
 * goes with the data: runs on different data do not meet. Without a flag the data is that of the app in the browser, too.
 */
export function setupStorage({ ephemeral, dataDir }: LaunchOptions): Storage {
  if (ephemeral) {
    const folder = mkdtempSync(join(tmpdir(), "sheaf-desktop-"));
    app.setPath("userData", join(folder, "electron"));
    return { dataDir: join(folder, "data"), clear: () => rm(folder, { recursive: true, force: true }) };
  }
  if (dataDir !== undefined) app.setPath("userData", join(dataDir, "electron"));
  return { dataDir: dataDir ?? findDataFolder("app"), clear: async () => {} };
}
