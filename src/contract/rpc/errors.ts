import { oc } from "@orpc/contract";
import { z } from "zod";

const details = z.object({
  /** What happened, where, and the next step: shown to the user as it is. */
  message: z.string(),
  /** A code from the service's table, for "Copy details". */
  code: z.string().optional(),
});

/** The base of every procedure: the failures that each of them may answer with, besides an invalid input. */
export const procedure = oc.errors({
  NOT_FOUND: { data: details },
  CONFLICT: { data: details },
  REFUSED: { data: details },
});
