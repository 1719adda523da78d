import { join } from "node:path";
import { z } from "zod";
import { engineChoiceSchema, mockServerDefaults, mockServerSettingsSchema, paceSchema } from "#contract";
import type { Service } from "#main/service";
import { readJsonFile, setAside, withFileLock, writeJsonFile } from "#main/storage";

const settingsSchema = z.object({
  /** Whether the user left the server on. */
  on: z.boolean(),
  port: z.int().min(1).max(65_535),
  ...mockServerSettingsSchema.pick({ tier: true, dialect: true }).shape,
  engine: engineChoiceSchema.default({ kind: "mock" }),
  /** Null for the pace that the app is started with. */
  pace: paceSchema.nullable().default(null),
  /** The text of the rules of the scripted engine; null before any were written. */
  rules: z.string().nullable().default(null),
});
export type ServerSettings = z.infer<typeof settingsSchema>;

/** Off, and where `sheaf serve` is too: snippets and clients fit both. */
const initial = settingsSchema.parse({ on: false, port: mockServerDefaults.port });

/** What is remembered of the server from one start of the app to the next. Nothing in it is secret. */
export interface SettingsFile {
  read(): ServerSettings;
  change(change: Partial<ServerSettings>): Promise<void>;
}

/** Opens `server.json`. One that can't be read is set aside: the server is off then, on its usual port. */
export async function openSettings(
  dataDir: string,
  { notices, durability }: Pick<Service, "notices" | "durability">,
): Promise<SettingsFile> {
  const path = join(dataDir, "server.json");

  async function read(): Promise<ServerSettings> {
    const stored = await readJsonFile(path);
    return stored === undefined ? initial : settingsSchema.parse(stored);
  }

  let settings = await read().catch((error: unknown) => {
    const message = "The mock server is off and has its first settings: the stored ones could not be read.";
    const details = setAside(dataDir, "server.json", error);
    notices.add({ code: "file_set_aside", count: 1, message, details });
    return initial;
  });
  return {
    read: () => settings,
    async change(change) {
      durability.assertHeld();
      settings = { ...settings, ...change };
      // Another process may have changed others of them meanwhile.
      await withFileLock(path, async () => {
        settings = { ...(await read().catch(() => settings)), ...change };
        await writeJsonFile(path, settings, durability);
      });
    },
  };
}
