import { ORPCError } from "@orpc/client";
import { z } from "zod";
import { ConnectionLostError } from "./connection.ts";
import { FileReadError } from "./read-file.ts";

/** An error as it is shown: what happened and the next step, and the text behind "Copy details". */
export interface ErrorDescription {
  readonly message: string;
  readonly details: string;
}

const cutOff = "The connection to Sheaf’s service was lost before it answered. Try again when it is back.";

const refusalSchema = z.object({ message: z.string(), code: z.string().optional() });

/**
 * Puts any failure of a call into words. Refusals of the contract carry their own sentence; everything else
 * gets a general one, and what is known of it goes into the details.
 */
export function describeError(error: unknown): ErrorDescription {
  if (error instanceof ConnectionLostError) {
    return { message: error.message, details: error.message };
  }
  if (error instanceof FileReadError) return { message: error.message, details: error.details };
  if (error instanceof ORPCError) {
    const refusal = refusalSchema.safeParse(error.data);
    const code = refusal.success ? refusal.data.code : undefined;
    const remedy = code === "file_damaged" ? " Use Check data and Repair in Settings." : "";
    const message = refusal.success ? `${refusal.data.message}${remedy}` : "The service could not do this. Try again.";
    return {
      message,
      details: [message, `${error.code} (${error.status})`, code, error.message].filter(Boolean).join("\n"),
    };
  }
  const details = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  // A call that is under way when the socket closes is given up in this way.
  if (error instanceof Error && error.name === "AbortError") return { message: cutOff, details };
  return { message: "The page could not finish this. Try again, or reload the page.", details };
}

/** Whether lines are not asked again because they may be paid: only the user decides that. */
export function isMaybePaid(error: unknown): boolean {
  return readCode(error) === "may_be_paid";
}

const diskCodes: ReadonlySet<string | undefined> = new Set(["disk_full", "disk_failed", "too_many_open_files"]);

/** Whether the host's disk refused it: the same succeeds once it has room, or works again. */
export function isDiskRefusal(error: unknown): boolean {
  return diskCodes.has(readCode(error));
}

function readCode(error: unknown): string | undefined {
  return error instanceof ORPCError ? refusalSchema.safeParse(error.data).data?.code : undefined;
}
