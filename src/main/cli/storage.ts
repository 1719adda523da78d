import { findDataFolder } from "./data-folder.ts";
import type { StorageFlags } from "./flags.ts";

/** Where a command's service keeps its data. */
export type Storage = { readonly dataDir: string; readonly adopt?: boolean } | { readonly ephemeral: true };

/** What the flags ask for; without any, the host's own folder. */
export function chooseStorage(
  { ephemeral, dataDir, adopt }: StorageFlags,
  host: "serve" | "app",
  env = process.env,
): Storage {
  return ephemeral ? { ephemeral } : { dataDir: dataDir ?? findDataFolder(host, { env }), adopt };
}

export function describeStorage(storage: Storage): string {
  return "dataDir" in storage ? storage.dataDir : "a temporary folder, removed at the end";
}
