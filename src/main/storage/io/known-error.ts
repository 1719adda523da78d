import { basename } from "node:path";
import { isServiceErrorCode, ServiceError } from "#main/base";
import { describeDiskError } from "./disk.ts";

/** What the system says of a path at which no file is. */
const missing: ReadonlySet<unknown> = new Set(["ENOENT", "ENOTDIR", "EISDIR", "ELOOP"]);
const tooLarge: ReadonlySet<unknown> = new Set([
  "ERR_WORKER_OUT_OF_MEMORY",
  "ERR_STRING_TOO_LONG",
  "ERR_BUFFER_TOO_LARGE",
]);

/**
 * An error with a cause that is known, as people and programs may see it; null for a fault of ours. An error that has crossed
 * the border of a thread is known by its code.
 */
export function describeKnownError(error: unknown): ServiceError | null {
  if (error instanceof ServiceError) return error.code === "internal_error" ? null : error;
  const failure = describeDiskError(error);
  if (failure !== null) return new ServiceError(failure.code, failure.message);
  if (!(error instanceof Error)) return null;
  const { code, path, syscall } = error as NodeJS.ErrnoException;
  if (isServiceErrorCode(code) && code !== "internal_error") return new ServiceError(code, error.message);
  // A program that can't be started has such a code, too.
  if (missing.has(code) && path !== undefined && !syscall?.startsWith("spawn")) {
    const message = `The file ${basename(path)} is missing (${code}). Check the data folder.`;
    return new ServiceError("file_damaged", message);
  }
  if (tooLarge.has(code) || error.message === "Array buffer allocation failed") {
    return new ServiceError("out_of_memory", "There is not enough memory for this. Choose fewer lines, and try again.");
  }
  return describeKnownError(error.cause);
}
