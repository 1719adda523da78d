import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { themeSchema } from "#contract";
import type { Logger } from "#main/base";
import { commandWrites, readJsonFile, writeJsonFile } from "#main/storage";

const shellStateSchema = z.object({
  /** Whether the app was used in the tray once: it can be seen there. */
  isInTray: z.boolean().catch(false),
  /** The tables that were opened last, the latest first. */
  recentFiles: z.array(z.string()).max(100).catch([]),
  zoom: z.number().min(0.25).max(5).catch(1),
  /** Whether the computer is kept awake while lines are asked. */
  keepsAwake: z.boolean().catch(true),
  theme: themeSchema.catch("system"),
});
/** What the shell remembers from one start to the next, besides the window's place. */
export type ShellState = z.infer<typeof shellStateSchema>;

export interface ShellStateFile {
  get(): ShellState;
  /** Changes it at once, and soon in its file. */
  change(next: Partial<ShellState>): void;
  /** Resolves when all changes so far are in the file, or could not be stored. */
  written(): Promise<void>;
}

/** Opens it; what can't be read of it is as at the first start. */
export async function openShellState(path: string, logger: Logger): Promise<ShellStateFile> {
  const stored = await readJsonFile(path).catch(() => undefined);
  let state = shellStateSchema.safeParse(stored).data ?? shellStateSchema.parse({});
  let writing = Promise.resolve();
  return {
    get: () => state,
    change(next) {
      state = { ...state, ...next };
      writing = writing
        .then(() => mkdir(dirname(path), { recursive: true }))
        .then(() => writeJsonFile(path, state, commandWrites))
        .catch((error: unknown) => logger.warn("The shell's state can't be stored.", { reason: String(error) }));
    },
    written: () => writing,
  };
}
