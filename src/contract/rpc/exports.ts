import { z } from "zod";
import { buildInputSchema } from "./build.ts";
import { procedure } from "./errors.ts";

/** What can be written to a file of the user's choice. */
export const exportRequestSchema = z.discriminatedUnion("what", [
  /** The batch input file that Build would submit. */
  z.object({ what: z.literal("input"), build: buildInputSchema, name: z.string().max(200) }),
  /** One line for each line of the input that has come to something, in the order of the input. */
  z.object({ what: z.literal("results"), batchId: z.string(), merged: z.boolean().optional() }),
  /** A file of the service, as it is. */
  z.object({ what: z.literal("file"), fileId: z.string() }),
  /** Requests of the server's log, a line each, in the order of the ids; those that are no longer kept are left out. */
  z.object({ what: z.literal("requests"), ids: z.array(z.string()).min(1).max(1_000) }),
]);
export type ExportRequest = z.infer<typeof exportRequestSchema>;

/** Where an export went. The desktop app writes the file itself; a browser is given a link that works once. */
export const exportOutcomeSchema = z.discriminatedUnion("how", [
  z.object({ how: z.literal("saved"), path: z.string(), lines: z.int() }),
  z.object({ how: z.literal("link"), href: z.string(), fileName: z.string() }),
  z.object({ how: z.literal("cancelled") }),
]);
export type ExportOutcome = z.infer<typeof exportOutcomeSchema>;

export const exportsContract = {
  begin: procedure.input(exportRequestSchema).output(exportOutcomeSchema),
};
