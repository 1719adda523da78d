import { homedir } from "node:os";
import { join } from "node:path";
import type { DurabilityMode } from "#main/storage";
import type { StorageFlags } from "./shared-flags.ts";

/** The platform and its environment; injected so that every platform can be tested on any. */
export interface Place {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/**
 * The data folder of a host of the service, at the platform's usual place: XDG_DATA_HOME on Linux, Application Support on
 * macOS, LOCALAPPDATA on Windows. Each host has its own, so that they can run side by side.
 */
export function findDataFolder(host: "serve" | "app", place: Partial<Place> = {}): string {
  return join(findDataHome({ ...here(), ...place }), host);
}

function findDataHome({ platform, env, home }: Place): string {
  if (platform === "darwin") return join(home, "Library", "Application Support", "sheaf");
  if (platform === "win32") return join(env.LOCALAPPDATA || join(home, "AppData", "Local"), "sheaf");
  const xdg = env.XDG_DATA_HOME;
  // The XDG specification: a relative path is ignored.
  return join(xdg?.startsWith("/") ? xdg : join(home, ".local", "share"), "sheaf");
}

function here(): Place {
  return { platform: process.platform, env: process.env, home: homedir() };
}

/** The data folder of a command's service. */
export type Storage =
  | { readonly dataDir: string; readonly adopt?: boolean; readonly durability?: DurabilityMode | undefined }
  | { readonly ephemeral: true };

/** The folder of the flags; default: the host's own. */
export function chooseStorage(
  { ephemeral, dataDir, adopt, durability }: StorageFlags,
  host: "serve" | "app",
  env = process.env,
): Storage {
  return ephemeral ? { ephemeral } : { dataDir: dataDir ?? findDataFolder(host, { env }), adopt, durability };
}

export function describeStorage(storage: Storage): string {
  return "dataDir" in storage ? storage.dataDir : "a temporary folder, removed at the end";
}
