import { join } from "node:path";
import { type ElectronApplication, _electron as electron } from "@playwright/test";
import { installedElectron, whyNoDesktop } from "../../../scripts/setup/desktop.mjs";

const root = join(import.meta.dirname, "../../..");

/** The program of a packed app (`npm run package:desktop -- dir --test-build`) that is tested in place of the built one. */
const packed = process.env.SHEAF_PACKED_APP;

/** Why the real app cannot be started here, as a sentence; undefined when it can. Downloads nothing. */
export function whyNotHere(): string | undefined {
  if (packed === undefined && installedElectron() === undefined)
    return "Electron's program is not installed here (npx install-electron).";
  return whyNoDesktop({ platform: process.platform, env: process.env, uid: process.getuid?.() });
}

/** Starts the real app as it was built, answering at once and keeping nothing. */
export async function startDesktopApp(): Promise<ElectronApplication> {
  const executablePath = packed ?? installedElectron();
  if (executablePath === undefined) throw new Error(whyNotHere());
  const sandbox = process.env.ELECTRON_DISABLE_SANDBOX ? ["--no-sandbox"] : [];
  return electron.launch({
    executablePath,
    args: [...(packed === undefined ? [root] : []), ...sandbox, "--ephemeral", "--pace=instant"],
  });
}
