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

/** What the desktop app asks its page to do. */
export const pageRequestSchema = z.discriminatedUnion("kind", [
  /** A draft for each of the files, which were opened together. */
  z.object({ kind: z.literal("open_tables"), files: z.array(openedFileSchema).min(1) }),
  /** The page looks itself whether there is such a batch or file. */
  z.object({ kind: z.literal("show_batch"), id: z.string() }),
  z.object({ kind: z.literal("show_file"), id: z.string() }),
  /** What was asked of the app and can't be done, and why. */
  z.object({ kind: z.literal("report"), title: z.string(), message: z.string() }),
]);
export type PageRequest = z.infer<typeof pageRequestSchema>;

/** The page's part in the desktop app, where the system asks for something. REFUSED in a browser. */
export const desktopContract = {
  /** Each request once, those that came before the page first. Does not end by itself. */
  requests: procedure.output(eventIterator(pageRequestSchema)),
};
