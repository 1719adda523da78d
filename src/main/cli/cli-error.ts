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
  EMFILE: "too many files are open. Raise the limit (ulimit -n), or close some",
};

/** An error of the file system as one clear line that names the path as the user gave it. */
export function describeFileError(error: unknown, path: string): CliError {
  if (error instanceof CliError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const reason = reasons[code] ?? (error instanceof Error ? error.message : String(error));
  return new CliError(`${path}: ${reason}.`, exitCodes.unusable);
}
