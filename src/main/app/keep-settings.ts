import { join } from "node:path";
import { type KeepSettings, keepSettingsSchema } from "#contract";
import type { Logger } from "#main/base";
import type { KeepLimits } from "#main/batches";
import { readJsonFile, type WriteRules, withFileLock, writeJsonFile } from "#main/storage";

const day = 24 * 60 * 60_000;
const all: KeepSettings = { days: null, bytes: null };

/** How much of what has ended the user wants kept, in `storage.json`. One that can't be read asks for nothing to be removed. */
export async function openKeepSettings(
  dataDir: string,
  { writeRules, logger }: { readonly writeRules: WriteRules; readonly logger: Logger },
) {
  const path = join(dataDir, "storage.json");
  let settings = await readJsonFile(path)
    .then((stored) => (stored === undefined ? all : keepSettingsSchema.parse(stored)))
    .catch((error: unknown) => {
      logger.warn("The settings of what is kept can't be read", { path, error: String(error) });
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
