import { join } from "node:path";
import { type KeepSettings, keepSettingsSchema } from "#contract";
import type { KeepLimits } from "#main/batches";
import { type Notices, readJsonFile, setAside, type WriteRules, withFileLock, writeJsonFile } from "#main/storage";

const day = 24 * 60 * 60_000;
const all: KeepSettings = { days: null, bytes: null };

/** How much of what has ended the user wants kept, in `storage.json`. One that can't be read is set aside: nothing is removed then. */
export async function openKeepSettings(
  dataDir: string,
  { writeRules, notices }: { readonly writeRules: WriteRules; readonly notices: Notices },
) {
  const path = join(dataDir, "storage.json");
  let settings = await readJsonFile(path)
    .then((stored) => (stored === undefined ? all : keepSettingsSchema.parse(stored)))
    .catch((error: unknown) => {
      const message = "Everything is kept: the stored limits could not be read. Set them again in Settings, Storage.";
      notices.add({ code: "file_set_aside", count: 1, message, details: setAside(dataDir, "storage.json", error) });
      return all;
    });
  return {
    read: () => settings,
    async write(next: KeepSettings): Promise<void> {
      writeRules.assertHeld();
      await withFileLock(path, () => writeJsonFile(path, next, writeRules));
      settings = next;
    },
  };
}

export function toKeepLimits({ days, bytes }: KeepSettings): KeepLimits {
  return { age: days === null ? null : days * day, bytes };
}
