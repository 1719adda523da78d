import { eventIterator } from "@orpc/contract";
import { z } from "zod";
import { procedure } from "./errors.ts";

/** A file that the system had opened with the app: by a double click, a drop on its icon, or its command line. */
export const openedFileSchema = z.object({
  /** Names it for `sources.open`: the page gets no path, and gives none. */
  id: z.string(),
  name: z.string(),
  bytes: z.int().min(0),
});
export type OpenedFile = z.infer<typeof openedFileSchema>;

/** The theme that the user has chosen, as Electron calls it. */
export const themeSchema = z.enum(["light", "dark", "system"]);
export type Theme = z.infer<typeof themeSchema>;

/** What the user chooses of the desktop app in Settings. */
export const desktopPreferencesSchema = z.object({
  /** Whether the computer is kept awake while Sheaf asks lines, but on battery. */
  keepsAwake: z.boolean(),
});
export type DesktopPreferences = z.infer<typeof desktopPreferencesSchema>;

/** A draft with changes that are not saved, and that are not saved by themselves either. */
export const unsavedDraftSchema = z.object({
  name: z.string().max(500),
  /** Another window has changed it meanwhile, or the host could not store it. */
  reason: z.enum(["conflict", "failed"]),
});
export type UnsavedDraft = z.infer<typeof unsavedDraftSchema>;

/** A command of the page, for the native menu. */
export const pageCommandSchema = z.object({
  id: z.string().max(100),
  label: z.string().min(1).max(100),
  menu: z.enum(["file", "view", "go", "help"]),
  /** Its keys, as `useHotkeys` writes them: `mod+K`. */
  keys: z.string().max(40).nullable(),
  /** Whether it can be done in the place that is shown. */
  enabled: z.boolean(),
});
export type PageCommand = z.infer<typeof pageCommandSchema>;

/** What the desktop app asks its page to do. */
export const pageRequestSchema = z.discriminatedUnion("kind", [
  /** A draft for each of the files, which were opened together. */
  z.object({ kind: z.literal("open_tables"), files: z.array(openedFileSchema).min(1) }),
  /** The page looks itself whether there is such a batch or file. */
  z.object({ kind: z.literal("show_batch"), id: z.string() }),
  z.object({ kind: z.literal("show_batches") }),
  z.object({ kind: z.literal("show_file"), id: z.string() }),
  z.object({ kind: z.literal("run_command"), id: z.string() }),
  /** What was asked of the app and can't be done, and why. */
  z.object({ kind: z.literal("report"), title: z.string(), message: z.string() }),
]);
export type PageRequest = z.infer<typeof pageRequestSchema>;

/** The page's part in the desktop app, where the system asks for something. REFUSED in a browser. */
export const desktopContract = {
  /** Each request once, those that came before the page first. Does not end by itself. */
  requests: procedure.output(eventIterator(pageRequestSchema)),
  /** Sets what the menu offers. */
  setCommands: procedure.input(z.array(pageCommandSchema).max(100)),
  /** Has the window's frame, menus and dialogs in the page's theme. */
  setTheme: procedure.input(z.object({ theme: themeSchema })),
  /** Names the drafts that would lose changes if the page went now; none when all is saved. */
  setUnsaved: procedure.input(z.array(unsavedDraftSchema).max(1_000)),
  preferences: procedure.output(desktopPreferencesSchema),
  setPreferences: procedure.input(desktopPreferencesSchema).output(desktopPreferencesSchema),
};
