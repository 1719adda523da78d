import { tmpdir } from "node:os";
import { wholePathOf } from "#main/storage";

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

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of the path is no folder",
  ENOSPC: "the disk is full. Make room, then try again",
  EDQUOT: "your quota of the disk is used up. Make room, then try again",
  EROFS: "the disk is read-only. Make it writable, or choose another folder",
  EBUSY: "it is open in another program. Close it there, or choose another name",
  EEXIST: "it is there already",
  EIO: "the disk fails. Try again, or choose another folder",
  ELOOP: "its links lead nowhere",
  ENAMETOOLONG: "the name is too long",
  ENOTEMPTY: "the folder is not empty",
  EXDEV: "it is on another disk. Choose another folder",
  EMFILE: "too many files are open. Raise the limit (ulimit -n), or close some",
};

/** An error of the file system as one clear line that names the path as the user gave it. */
export function describeFileError(error: unknown, path: string): CliError {
  if (error instanceof CliError) return error;
  const reason = describeReason(error) ?? (error instanceof Error ? error.message : String(error));
  return new CliError(`${path}: ${reason}.`, exitCodes.unusable);
}

/** Why the system refused a path, without its own words; null for any other error. */
function describeReason(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return null;
  return reasons[code] ?? `the system refused it (${code})`;
}

/** An error of the system that no command has put into words; null for any other. */
export function describeSystemError(error: unknown): CliError | null {
  const reason = describeReason(error);
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
