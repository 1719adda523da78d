import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type ElectronApplication, _electron as electron } from "@playwright/test";
import { installedElectron, whyNoDesktop } from "../../../scripts/setup/desktop.mjs";

const root = join(import.meta.dirname, "../../..");

/** Why the real app cannot be started here, as a sentence; undefined when it can. Downloads nothing. */
export function whyNotHere(): string | undefined {
  if (installedElectron() === undefined) return "Electron's program is not installed here (npx install-electron).";
  return whyNoDesktop({ platform: process.platform, env: process.env, uid: process.getuid?.() });
}

function describeStart(args: readonly string[]): { readonly executablePath: string; readonly args: string[] } {
  const executablePath = installedElectron();
  if (executablePath === undefined) throw new Error(whyNotHere());
  const sandbox = process.env.ELECTRON_DISABLE_SANDBOX ? ["--no-sandbox"] : [];
  return { executablePath, args: [root, ...sandbox, ...args] };
}

/** Starts the real app as it was built; answering at once and keeping nothing by default. */
export async function startDesktopApp(
  args: readonly string[] = ["--ephemeral", "--pace=instant"],
): Promise<ElectronApplication> {
  return electron.launch(describeStart(args));
}

/** Starts it a second time, as the system does to open something, and waits until that has handed over. */
export async function startAgain(args: readonly string[]): Promise<void> {
  const { executablePath, args: all } = describeStart(args);
  await once(spawn(executablePath, all, { stdio: "ignore" }), "exit");
}
