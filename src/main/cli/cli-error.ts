import { tmpdir } from "node:os";
import { ServiceError } from "#main/base";
import { ConnectionFileError } from "#main/connections";
import { DataDirError, describeFileReason, wholePathOf } from "#main/storage";

/** The exit codes of a command. */
export const exitCodes = {
  /** Success. */
  ok: 0,
  /** It could not be done, or some requests failed. */
  failed: 1,
  /** What was given is wrong: a flag, a file that cannot be read, a batch that does not validate. */
  unusable: 2,
  /** It was stopped, and what came is saved. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Ends a command with one line on stderr and an exit code. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** An error of the file system as one clear line that names the path as the user gave it. */
export function describeFileError(error: unknown, path: string): CliError {
  if (error instanceof CliError) return error;
  const reason = describeFileReason(error) ?? (error instanceof Error ? error.message : String(error));
  return new CliError(`${path}: ${reason}.`, exitCodes.unusable);
}

/** An error of the system that no command has put into words; null for any other. */
export function describeSystemError(error: unknown): CliError | null {
  const reason = describeFileReason(error);
  if (reason === null) return null;
  const { path, dest, syscall } = error as NodeJS.ErrnoException & { readonly dest?: string };
  if (syscall === "mkdtemp") {
    const message = `The folder for temporary files, ${tmpdir()}, can't be used: ${reason}. Set TMPDIR to another folder.`;
    return new CliError(message, exitCodes.unusable);
  }
  // What is written comes from a file beside it, which its user has never seen.
  const named = dest ?? path;
  return named === undefined ? null : new CliError(`${wholePathOf(named)}: ${reason}.`, exitCodes.failed);
}

/** An error with the command that helps: the parts below name none, as the app has pages for it. */
export function withRemedy(error: Error): string {
  const remedy = findRemedy(error);
  return remedy === null ? error.message : `${error.message} ${remedy}`;
}

function findRemedy(error: Error): string | null {
  if (error instanceof ServiceError && error.code === "file_damaged") return "With Sheaf closed: sheaf doctor DIR.";
  if (error instanceof ConnectionFileError) return "With Sheaf closed: sheaf doctor DIR --repair.";
  if (error instanceof DataDirError && error.code === "journal_missing") return "To register them, start with --adopt.";
  return null;
}
