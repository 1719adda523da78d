import { join } from "node:path";
import { type ElectronApplication, _electron as electron } from "@playwright/test";
import { installedElectron, whyNoDesktop } from "../../../scripts/setup/desktop.mjs";

const root = join(import.meta.dirname, "../../..");

/** Why the real app cannot be started here, as a sentence; undefined when it can. Downloads nothing. */
export function whyNotHere(): string | undefined {
  if (installedElectron() === undefined) return "Electron's program is not installed here (npx install-electron).";
  return whyNoDesktop({ platform: process.platform, env: process.env, uid: process.getuid?.() });
}

/** Starts the real app as it was built, answering at once and keeping nothing. */
export async function startDesktopApp(): Promise<ElectronApplication> {
  const executablePath = installedElectron();
  if (executablePath === undefined) throw new Error(whyNotHere());
  const sandbox = process.env.ELECTRON_DISABLE_SANDBOX ? ["--no-sandbox"] : [];
  return electron.launch({ executablePath, args: [root, ...sandbox, "--ephemeral", "--pace=instant"] });
}
